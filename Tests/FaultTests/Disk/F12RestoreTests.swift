import Foundation
import TestSupport
import XCTest

/// F12: killed before any call of `mirror restore`.
final class F12RestoreTests: DiskTestCase {
  private let texts = ["a.txt": "a", "b/c.txt": "c", "b/d/e.txt": "e", "f.txt": "f"]

  func testF12_killedBeforeAnyCallOfARestoreEveryFileIsHereOrThere() throws {
    try prepare()
    _ = try restore(with: nil)
    let calls = try disk.calls(in: copy).count
    XCTAssertGreaterThan(calls, 8, "there is something to die between")
    let numbers = Steps.chosen(of: calls, quick: 6)
    for number in numbers {
      try startAnew()
      try prepare()
      let fault = Fault(act: .kill, kinds: FaultyDisk.Kind.changing, number: number)
      XCTAssertEqual(try restore(with: fault).end, .killed(by: SIGKILL), "\(fault)")
      for (key, text) in texts {
        XCTAssertEqual(try places(of: key).map { try read($0) }, [text], "\(key), \(fault)")
      }
      assertEnd(try restore(with: nil), 0)
      for (key, text) in texts {
        XCTAssertEqual(try read(copy.appending(path: key)), text, "\(key), after \(fault)")
      }
      let status = try mirror(["status", copy.path])
      XCTAssertFalse(status.printed.contains("quarantine"), "\(status)")
    }
    try Extent.record(
      "F12", "killed before a system call of `mirror restore`", count: numbers.count,
      "each file in the quarantine or in its place, whole; the next restore brings back the rest")
  }

  /// A mirror that has lost all its items but one.
  private func prepare() throws {
    try startAnew()
    try publish(texts.merging(["stays.txt": "s"]) { $1 })
    assertEnd(try mirror(["publish", source.path]), 0)
    assertEnd(try mirror(["sync", catalog, copy.path]), 0)
    for key in texts.keys { try withdraw(key) }
    assertEnd(try mirror(["publish", source.path]), 0)
    assertEnd(try mirror(["sync", catalog, copy.path, "--max-delete", "4"]), 0)
  }

  private func restore(with fault: Fault?) throws -> ProgramOutcome {
    try mirror(
      ["restore", copy.path, "--all"],
      environment: try disk.environment(fault, in: copy, counting: FaultyDisk.Kind.changing))
  }

  /// Where a file is: in its place, in the quarantine, or, which must not be, in both.
  private func places(of key: String) throws -> [URL] {
    let quarantine = copy.appending(path: ".mirror/quarantine")
    let batches = try? FileManager.default.contentsOfDirectory(
      at: quarantine, includingPropertiesForKeys: nil)
    return ([copy] + (batches ?? [])).map { $0.appending(path: key) }
      .filter { isThere($0) }
  }

  private func read(_ file: URL) throws -> String {
    try readText(file)
  }
}
