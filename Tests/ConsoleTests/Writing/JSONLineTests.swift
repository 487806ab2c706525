import Console
import SyncText
import XCTest

/// One JSON object a line.
final class JSONLineTests: XCTestCase {
  func testEveryLineBeginsWithItsEventAndItsTime() {
    let line = JSONLine.text("baked", at: 1_795_384_044) { line in
      line.add("loaves", 3)
      line.add("kinds", ["rye", "w\"heat\n"])
      line.addDate("since", 0)
      line.addSeconds("took", .milliseconds(1_234.6))
    }
    XCTAssertEqual(
      line,
      #"{"event":"baked","time":"2026-11-22T21:47:24Z","loaves":3,"kinds":["rye","w\"heat\u000A"],"#
        + #""since":"1970-01-01T00:00:00Z","took":1.235}"#)
  }
}
