import Foundation
import TestSupport
import XCTest

/// A store that another account takes over: what the first one left stays with it, unseen.
final class OwnerTests: DocumentsTestCase {
  private func signIn(_ account: String) throws {
    let child = try start([
      "init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "note",
      "--account", account,
    ])
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  /// The rows of a view, as another program sees them.
  private func rows(of view: String) throws -> String {
    let script =
      "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("
      + "'SELECT count(*) FROM ' + sys.argv[2]).fetchone()[0])"
    let child = try ChildProcess(
      Programs.find("python3"), ["-c", script, "a.db", view], environment: [:],
      directory: folder, records: folder)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    return child.printed
  }

  func testEachCommandSpeaksOfWhatTheAccountHas() throws {
    try signIn("ann")
    let (empty, none) = (
      try documents("digest", "a.db").printed, try documents("status", "a.db").printed
    )
    for id in ["diary", "letter"] {
      try documents("stash", "a.db", "note", id, #"{"secret": "of ann"}"#)
    }
    let status = try documents("status", "a.db").printed
    try signIn("bob")
    XCTAssertEqual(try documents("list", "a.db", "--json").printed, "")
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "0\n")
    XCTAssertEqual(try documents("export", "a.db").printed, "")
    XCTAssertEqual(try documents("digest", "a.db").printed, empty)
    XCTAssertEqual(try documents("status", "a.db").printed, none)
    XCTAssertEqual(try rows(of: "documents_view"), "0\n")
    for command in ["get", "status", "why"] {
      XCTAssertEqual(try documents(command, "a.db", "diary").status, 1, command)
    }
    let taken = try documents("put", "a.db", "note", "diary", #"{"n": 1}"#)
    XCTAssertEqual(taken.status, 1)
    XCTAssertTrue(taken.said.contains("another account"), taken.said)
    XCTAssertFalse(taken.said.contains("ann"), taken.said)
    XCTAssertEqual(try documents("delete", "a.db", "diary").status, 0)
    try signIn("ann")
    XCTAssertEqual(try documents("status", "a.db").printed, status)
    XCTAssertEqual(try documents("list", "a.db").lines, ["diary", "letter"])
    XCTAssertEqual(try rows(of: "documents_view"), "2\n")
  }
}
