import Console
import XCTest

/// Where a live line is drawn.
final class TerminalTests: XCTestCase {
  func testALiveLineIsOnlyDrawnWhereItCanBeTakenBack() {
    for (isTerminal, environment, isLive) in [
      (true, ["TERM": "xterm"], true), (true, ["TERM": "xterm", "NO_COLOR": "1"], true),
      (true, ["TERM": "dumb"], false), (true, ["TERM": ""], false), (true, [:], false),
      (false, ["TERM": "xterm"], false),
    ] {
      XCTAssertEqual(
        Terminal(isTerminal: isTerminal, environment: environment).isLive, isLive,
        "\(isTerminal) \(environment)")
    }
  }
}
