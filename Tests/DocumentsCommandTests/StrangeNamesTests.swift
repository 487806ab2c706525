import Foundation
import TestSupport
import XCTest

/// Names from elsewhere steer no terminal, and lead nowhere else.
final class StrangeNamesTests: DocumentsTestCase {
  private let steering = "red\u{1B}[31m\nline"

  /// A store whose server takes any id.
  private func makeRowStore() throws {
    try documents(
      "init", "a.db", "--rest", "http://127.0.0.1:9/api", "--model", "note", ends: 0)
  }

  func testIdsThatSteerATerminalAreEscapedOnBothStreams() throws {
    try makeRowStore()
    let put = try documents("put", "a.db", "note", steering, "{}", ends: 0)
    let list = try documents("list", "a.db", ends: 0)
    let get = try documents("get", "a.db", "gone" + steering, ends: 1)
    for outcome in [put, list, get] {
      let all = outcome.printed + outcome.said
      XCTAssertFalse(all.contains("\u{1B}"), all)
      XCTAssertTrue(all.contains("red\\x1B[31m\\x0Aline"), all)
    }
    XCTAssertEqual(list.lines.count, 1)
    let whole = try documents("list", "a.db", "--json", ends: 0)
    XCTAssertEqual(whole.object["id"] as? String, steering)
  }

  func testOrdinaryIdsAreShownAsTheyAreTyped() throws {
    try makeRowStore()
    for id in ["a\\b", "Käse 🧀", "a/b"] {
      try XCTAssertEqual(documents("put", "a.db", "note", id, "{}").lines, [id])
      try documents("get", "a.db", id, ends: 0)
    }
  }

  func testALinkInPlaceOfTheFolderOfFilesIsRefused() throws {
    try makeStore()
    try documents("put", "a.db", "note", "milk", "{}", ends: 0)
    let elsewhere = folder.appending(path: "elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "a.db-files"), withDestinationURL: elsewhere)
    try Data("picture".utf8).write(to: folder.appending(path: "p.png"))
    try documents("attach", "a.db", "milk", "image", "p.png", ends: 1, says: "it is a link")
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path), [])
    try FileManager.default.removeItem(at: folder.appending(path: "a.db-files"))
    try documents("attach", "a.db", "milk", "image", "p.png", ends: 0)
  }

  func testEachCommandsHelpShowsHowItIsTyped() throws {
    let commands = try documents("help").lines.compactMap { line in
      line.hasPrefix("  ") && line.contains("STORE") ? line.split(separator: " ").first : nil
    }
    XCTAssertGreaterThan(commands.count, 17)
    for command in commands {
      let help = try documents("help", String(command), ends: 0).printed
      XCTAssertTrue(help.contains("Examples:\n  documents \(command) "), "\(command): \(help)")
    }
  }

  func testATypeThatIsNamedTwiceIsOne() throws {
    let words = ["init", "b.db", "--rest", "http://127.0.0.1:9/api", "--model", "note", "--type"]
    let once = try start(words + ["note"]).outcome()
    XCTAssertTrue(once.printed.hasSuffix("types: note\n"), once.printed)
    try start(words + ["note=other"]).outcome().check(ends: 64, says: "'other'")
  }
}
