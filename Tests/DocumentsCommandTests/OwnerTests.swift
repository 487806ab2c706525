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
    // The first line says whose they are.
    let (empty, none) = (
      try documents("digest", "a.db").printed, try documents("status", "a.db").lines.dropFirst()
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
    XCTAssertEqual(try documents("status", "a.db").lines.dropFirst(), none)
    XCTAssertEqual(try rows(of: "documents_view"), "0\n")
    for command in ["get", "status", "why"] {
      XCTAssertEqual(try documents(command, "a.db", "diary").status, 1, command)
    }
    try documents("stash", "a.db", "note", "diary", #"{"secret": "of bob"}"#)
    XCTAssertEqual(try documents("list", "a.db").lines, ["diary"])
    XCTAssertEqual(try documents("delete", "a.db", "letter").status, 0)
    try signIn("ann")
    XCTAssertEqual(try documents("status", "a.db").printed, status)
    XCTAssertEqual(
      try documents("get", "a.db", "diary").object["secret"] as? String, "of ann")
    XCTAssertEqual(try documents("list", "a.db").lines, ["diary", "letter"])
    XCTAssertEqual(try rows(of: "documents_view"), "2\n")
  }

  func testWhoSignsInFirstIsToldWhatBecomesTheirs() throws {
    try documents(
      "init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "note")
    for id in ["diary", "letter"] { try documents("put", "a.db", "note", id, "{}") }
    for (account, told) in [("ann", true), ("bob", false)] {
      let child = try start([
        "init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--account", account,
        "--drop",
      ])
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
      XCTAssertEqual(
        child.said.contains("2 documents of the time before anybody was signed in are now of the"),
        told, child.said)
    }
  }

  func testAnExportOfAllAccountsSaysWhoseEachLineIsAndIsNoImport() throws {
    for account in ["ann", "bob"] {
      try signIn(account)
      try documents("stash", "a.db", "note", "diary", "{\"of\": \"\(account)\"}")
    }
    XCTAssertEqual(try documents("export", "a.db").lines.count, 1)
    let all = try documents("export", "a.db", "--all-accounts")
    let lines = try all.lines.map {
      try XCTUnwrap(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    XCTAssertEqual(lines.map { $0["account"] as? String }, ["ann", "bob"])
    let documents = lines.compactMap { $0["document"] as? [String: Any] }
    XCTAssertEqual(documents.map { $0["id"] as? String }, ["diary", "diary"])
    XCTAssertEqual(documents.map { $0["of"] as? String }, ["ann", "bob"])
    try self.documents(
      "import", "a.db", input: all.printed, ends: 1,
      says: "line 1: it's of an export of all accounts")
    XCTAssertEqual(try self.documents("get", "a.db", "diary").object["of"] as? String, "bob")
  }
}
