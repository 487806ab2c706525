import Foundation
import TestSupport
import XCTest

/// Commands that read a file for long, and are told to end meanwhile.
final class F19HugeFileTests: FaultTestCase {
  /// So large that reading it takes far longer than the two seconds; it has no bytes on the disk.
  private static let size: UInt64 = 8 << 30

  private func makeHuge(_ file: URL) throws {
    try makeFolder(at: file.deletingLastPathComponent())
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: Self.size)
    try handle.close()
  }

  /// Starts a command that reads the huge file, and interrupts it once it does.
  private func assertEndsSoon(
    _ arguments: [String], reading file: URL, line: UInt = #line
  ) throws {
    for signal in [SIGINT, SIGTERM] {
      let run = try start(arguments)
      try waitUntil("it reads") { run.hasOpen(file) }
      let sent = ContinuousClock.now
      run.send(signal)
      let end = try run.end(within: .seconds(60))
      XCTAssertEqual(end, .exited(130), "\(arguments): \(run.said)", line: line)
      assertKept(F19SignalTests.promise, since: sent, "\(arguments)", line: line)
      XCTAssertEqual(run.said.split(separator: "\n").count, 1, "\(run.said)", line: line)
      XCTAssertTrue(run.said.contains("again"), "\(run.said)", line: line)
    }
  }

  func testF19_readingAHugeFileEndsWithTheFirstSignal() async throws {
    try publish(["huge": "for now", "other": "other"])
    try publishCatalog()
    let server = try serve()
    let catalog = server.url + "catalog.ndjson"
    assertEnd(try sync(catalog), 0)
    let published = try Data(contentsOf: source.appending(path: "catalog.ndjson"))

    let ours = copy.appending(path: "huge")
    try makeHuge(ours)
    // The look finds it edited without reading it; only a verification does.
    try assertEndsSoon(["verify", copy.path], reading: ours)
    try assertEndsSoon(["verify", copy.path, "--repair"], reading: ours)

    let theirs = source.appending(path: "huge")
    try makeHuge(theirs)
    try assertEndsSoon(["publish", source.path], reading: theirs)
    XCTAssertEqual(try Data(contentsOf: source.appending(path: "catalog.ndjson")), published)
    let left = try FileManager.default.contentsOfDirectory(atPath: source.path)
      .filter { !$0.hasSuffix(".mirror-state") }.sorted()
    XCTAssertEqual(left, ["catalog.ndjson", "huge", "other"], "a draft was left")

    // A test that has failed up to here mustn't read all of that into its memory.
    try FileManager.default.removeItem(at: ours)
    try publish(["huge": "for now"])
    try assertConverges(catalog, on: server, publishing: "catalog.ndjson")
    try Extent.record(
      "F19", "SIGINT and SIGTERM while a file of 8 GiB is read (verify, publish)", count: 6,
      "status 130 within 2 s; nothing changed")
  }
}
