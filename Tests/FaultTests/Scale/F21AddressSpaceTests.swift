import Foundation
import TestSupport
import XCTest

/// F21: what a run does that may address little memory.
///
/// The system's queues wait for ever for a thread that there is no room for: under 150 and even
/// 300 MiB a run stood still, and no signal ended it but the last.
final class F21AddressSpaceTests: FaultTestCase {
  private let catalog = LargeCatalog(
    count: 300, bytes: Data("a few bytes\n".utf8), directorySize: 50)

  func testF21_aRunThatMayAddressLittleSaysSoOrWorks() async throws {
    let variables = ProcessInfo.processInfo.environment.keys
    try XCTSkipIf(
      !variables.filter(["ASAN_OPTIONS", "TSAN_OPTIONS"].contains).isEmpty,
      "A sanitizer addresses terabytes.")
    try catalog.write(to: source)
    let server = try serve()
    let url = server.url + LargeCatalog.name
    let full = Extent.asked == .full
    let limits = full ? Array(stride(from: 100, to: 620, by: 10)) : [100, 120, 150, 200, 300, 600]
    var (works, says) = (0, 0)
    for limit in limits {
      try? FileManager.default.removeItem(at: copy)
      let child = try start(
        ["--as=\(limit << 20)", Programs.mirror, "sync", url, copy.path, "--quiet"],
        program: try Programs.find("prlimit"))
      let end = try child.end(within: .seconds(30))
      let claim = "\(limit) MiB: \(end), \(child.said)"
      switch end {
      case .exited(0): works += 1
      case .exited(1):
        says += 1
        XCTAssertTrue(
          child.said.hasPrefix("mirror: a limit of \(limit) MiB on the address space"), claim)
        XCTAssertTrue(child.said.contains("ulimit -v"), claim)
        XCTAssertEqual(child.said.split(separator: "\n").count, 1, claim)
        XCTAssertFalse(isThere(copy), claim)
      default:
        // The system didn't get as far as the first line of the program: it has to say so.
        XCTAssertLessThan(limit, 150, claim)
      }
      if limit >= 600 { XCTAssertEqual(end, .exited(0), claim) }
    }
    XCTAssertGreaterThan(says, 0)
    assertEnd(try sync(url), 0)
    try assertStacksBeyondAllNumbersAreSaid()
    try Extent.record(
      "F21", "runs that may address 100 to 610 MiB", count: limits.count,
      "none hangs; \(says) say so in one sentence, \(works) work")
  }

  /// Stacks that are so large that a run's threads together need more than can be counted, or just
  /// as much as can.
  private func assertStacksBeyondAllNumbersAreSaid() throws {
    let threads = 27 + ProcessInfo.processInfo.activeProcessorCount
    for stack in [Int.max / threads, Int.max / threads + 1, Int.max - 1] {
      let child = try start(
        ["--as=2000000000", "--stack=\(stack):unlimited", Programs.mirror, "--version"],
        program: try Programs.find("prlimit"))
      XCTAssertEqual(try child.end(within: .seconds(30)), .exited(1), "\(stack): \(child.said)")
      XCTAssertTrue(child.said.contains("on the address space is too small"), "\(child.said)")
    }
  }
}
