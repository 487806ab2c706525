import Foundation
import TestSupport
import XCTest

/// A signal ends a sync, and the database is as it was; who can't be told doesn't end it.
final class InterruptionTests: RecordsTestCase {
  func testASignalEndsASyncThatWaitsForTheRestOfItsPayload() throws {
    for (signal, style) in [
      (SIGTERM, [String]()), (SIGINT, ["--json"]), (SIGTERM, ["--create"]),
      (SIGTERM, ["--items", "data"]),
    ] {
      let pipe = Pipe()
      let before = try contents()
      let child = try start(
        ["sync", "app.sqlite", "users", "-"] + style,
        input: pipe.fileHandleForReading.fileDescriptor)
      // More than a pipe holds: once it is written, the program reads.
      let objects = (1...4_000).map { "{\"id\":\($0),\"name\":\"user number \($0)\"}" }
      let start = style.contains("--items") ? "{\"data\":[" : "["
      let begun = Data("\(start)\(objects.joined(separator: ","))".utf8)
      try pipe.fileHandleForWriting.write(contentsOf: begun)
      child.send(signal)
      XCTAssertEqual(try child.end(within: .seconds(20)), .exited(130), child.said)
      XCTAssertTrue(child.said.contains("it was cancelled, and nothing was written"), child.said)
      XCTAssertEqual(child.printed.contains("\"status\":\"failed\""), style == ["--json"])
      XCTAssertEqual(try contents(), before)
    }
  }

  func testWhatIsDoneIsDoneThoughNobodyCanBeTold() throws {
    try write("[{\"id\":3,\"name\":\"Cid\"}]", to: "p.json")
    for command in ["sync app.sqlite users p.json --keep", "schema app.sqlite", "--help"] {
      let child = try ChildProcess(
        try Programs.find("sh"), ["-c", "'\(Programs.records)' \(command) >/dev/full"],
        environment: ProcessInfo.processInfo.environment, directory: folder, records: folder)
      XCTAssertEqual(try child.end(within: .seconds(30)), .exited(1), command)
      XCTAssertTrue(child.said.contains("on standard output couldn't be written"), child.said)
      XCTAssertTrue(child.said.contains("what was done is done"), child.said)
    }
    XCTAssertEqual(try rows("SELECT count(*) || '' AS concat FROM users"), ["3"])
  }
}
