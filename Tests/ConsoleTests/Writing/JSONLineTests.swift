import Console
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

  func testWhatIsJSONAlreadyStaysOnItsLine() {
    let text = JSONMembers.text { object in
      object.add("written", json: Array("{ \"a b\":\n [1, 2] }".utf8))
      object.add("nothing", orNull: nil)
      object.add("share", 0.5)
      object.add("unknown", Double.nan)
      object.array("keys") { keys in
        keys.add(json: Array("7".utf8))
        keys.object { $0.add("ok", true) }
      }
    }
    XCTAssertEqual(
      text, #"{"written":{"a b":[1,2]},"nothing":null,"share":0.5,"keys":[7,{"ok":true}]}"#)
  }
}
