import Foundation
import TestSupport
import XCTest

/// A signal ends a sync, and the database is as it was.
final class InterruptionTests: RecordsTestCase {
  func testASignalEndsASyncThatWaitsForTheRestOfItsPayload() throws {
    for (signal, style) in [(SIGTERM, [String]()), (SIGINT, ["--json"])] {
      let pipe = Pipe()
      let before = try contents()
      let child = try start(
        ["sync", "app.sqlite", "users", "-"] + style,
        input: pipe.fileHandleForReading.fileDescriptor)
      // More than a pipe holds: once it is written, the program reads.
      let objects = (1...4_000).map { "{\"id\":\($0),\"name\":\"user number \($0)\"}" }
      let begun = Data("[\(objects.joined(separator: ","))".utf8)
      try pipe.fileHandleForWriting.write(contentsOf: begun)
      child.send(signal)
      XCTAssertEqual(try child.end(within: .seconds(20)), .exited(130), child.said)
      XCTAssertTrue(child.said.contains("it was cancelled, and nothing was written"), child.said)
      XCTAssertEqual(child.printed.contains("\"status\":\"failed\""), !style.isEmpty)
      XCTAssertEqual(try contents(), before)
    }
  }
}
