import Foundation
import TestSupport
import XCTest

/// The line that is drawn on a terminal while a run goes on.
final class LiveLineTests: MirrorTestCase {
  private static let count = 20

  func testItFitsTheTerminalAndIsThereWhenOnlyStandardOutputIsRedirected() throws {
    for columns in [40, 80, 160] {
      let (drawn, printed) = try draw(columns: columns)
      let lines = Self.lines(drawn)
      let shown = try XCTUnwrap(lines.last { $0.contains("%") }, drawn)
      XCTAssertTrue(shown.contains("95%"), shown)
      XCTAssertTrue(shown.contains(columns < 80 ? "20/21" : "20 of 21 items"), shown)
      XCTAssertEqual(shown.contains("[==="), columns > 40, shown)
      for line in lines { XCTAssertLessThan(line.count, columns, line) }
      XCTAssertEqual(lines.last, "", "it is taken away at the end")
      // What is asked for goes where it is led to, and nothing else does.
      XCTAssertTrue(printed.hasPrefix("done: 21 added, "), printed)
      XCTAssertEqual(printed.count { $0.isNewline }, 1, printed)
    }
  }

  func testATerminalThatCannotTakeALineBackGetsNone() throws {
    let (drawn, printed) = try draw(columns: 80, kind: "dumb")
    XCTAssertEqual(drawn, "")
    XCTAssertTrue(printed.hasPrefix("done: 21 added, "), printed)
  }

  func testNothingIsColoured() throws {
    let (drawn, _) = try draw(columns: 80, environment: ["NO_COLOR": "1"])
    XCTAssertNil(drawn.firstMatch(of: #/\u{1B}\[[0-9;]*m/#), drawn)
  }

  // MARK: - Support

  /// What a run draws that is held up before its last item, and what it prints.
  private func draw(
    columns: Int, kind: String = "xterm", environment: [String: String] = [:]
  ) throws -> (drawn: String, printed: String) {
    try? FileManager.default.removeItem(at: copy)
    let text = String(repeating: "x", count: 1_000)
    let names = (0..<Self.count).map { ("\($0).txt", text) } + [("held.txt", text)]
    try publish(Dictionary(uniqueKeysWithValues: names))
    let hold = try LoopbackListener()
    let server = try serve(
      nil,
      NginxServer.Options(
        listing: .json, locations: [NginxServer.Options.holding("/held.txt", at: hold)]))
    let output = base.appending(path: "records/output")
    let command = "stty cols \(columns); exec '\(Programs.mirror)' sync '\(server.url)' "
    let child = try start(
      ["-qec", command + "'\(copy.path)' >'\(output.path)'", "/dev/null"],
      program: try Programs.find("script"), environment: ["TERM": kind].merging(environment) { $1 })
    XCTAssertTrue(hold.waitForCaller())
    if kind != "dumb" { try waitUntil("the others are shown") { child.printed.contains("95%") } }
    hold.close()
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.printed)
    return (child.printed, try readText(output))
  }

  /// What stood in the line, one after the other.
  private static func lines(_ drawn: String) -> [String] {
    drawn.components(separatedBy: "\r\u{1B}[K")
  }
}
