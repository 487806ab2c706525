import Foundation
import TestSupport
import XCTest

/// Rows are marked in place of being deleted, and their versions are kept, by options of the program.
final class MarkingCommandTests: RecordsTestCase {
  private let marked = "SELECT id || '' AS concat FROM users WHERE gone IS NOT NULL"

  override func setUpWithError() throws {
    try super.setUpWithError()
    try run("ALTER TABLE users ADD COLUMN gone TIMESTAMP")
    try write(#"[{"id": 1, "name": "Amy"}]"#, to: "p.json")
  }

  private let sync = ["sync", "app.sqlite", "users", "p.json", "--deleted-at", "gone"]

  func testAPlanAndASyncSayWhatIsMarked() throws {
    let plan = try records(sync + ["--plan"], ends: 0)
    XCTAssertTrue(
      plan.printed.hasPrefix("users: change 1, mark as gone 1\n  change 1: name\n  mark 2\n"),
      plan.printed)
    XCTAssertEqual(try rows(marked), [])
    try records(sync + ["--max-delete", "0"], ends: 3)
    XCTAssertEqual(try rows(marked), [])
    let done = try records(sync + ["--json"], ends: 0)
    let tables = done.objects.last?["tables"] as? [String: [String: Any]]
    XCTAssertEqual(tables?["users"]?["deleted"] as? [Int], [2])
    XCTAssertEqual(tables?["users"]?["marked"] as? Int, 1)
    XCTAssertEqual(try rows(marked), ["2"])
    try records(sync + ["--max-delete", "0"], ends: 0, says: "")
    try records("verify", "app.sqlite", "users", "p.json", "--deleted-at", "gone", ends: 0)
  }

  func testReadersWhoAskForItSeeMarkedRowsAsGone() throws {
    try records(sync, ends: 0)
    let option = ["--deleted-at", "gone"]
    let exported = try records(["export", "app.sqlite", "users"] + option, ends: 0)
    XCTAssertFalse(exported.printed.contains("Bob"), exported.printed)
    let got = try records(["get", "app.sqlite", "users", "2"] + option, ends: 1)
    XCTAssertEqual(got.printed, "null\n")
    XCTAssertEqual(try records("get", "app.sqlite", "users", "2", ends: 0).objects.count, 1)
    try records(["put", "app.sqlite", "users", #"{"id": 2}"#] + option, ends: 0)
    XCTAssertEqual(try rows(marked), [])
    try records(["delete", "app.sqlite", "users", "2"] + option, ends: 0)
    XCTAssertEqual(try rows(marked), ["2"])
  }

  func testATableWithoutTheColumnIsAnErrorUntilItIsMade() throws {
    let other = ["sync", "app.sqlite", "users", "p.json", "--deleted-at", "none"]
    let outcome = try records(other, ends: 1)
    XCTAssertTrue(outcome.said.contains("no column “none”"), outcome.said)
    XCTAssertTrue(outcome.said.contains("--create makes it"), outcome.said)
    try records(other + ["--create"], ends: 0)
    XCTAssertEqual(
      try rows("SELECT id || '' AS concat FROM users WHERE none IS NOT NULL"), ["2"])
  }

  func testVersionsAreKeptByEachCommandThatWritesAndTakenBack() throws {
    try run("DELETE FROM notes")
    let versions = "SELECT count(*) || '' AS concat FROM users_history"
    try records(sync + ["--history", "--undo", "u"], ends: 0)
    XCTAssertEqual(try rows(versions), ["4"])
    try records("undo", "app.sqlite", "u", ends: 0)
    XCTAssertEqual(try rows(versions), ["0"])
    try records("put", "app.sqlite", "users", #"{"id": 3, "name": "Cid"}"#, "--history", ends: 0)
    try records("update", "app.sqlite", "users", "3", #"{"age": 3}"#, "--history", ends: 0)
    try records("delete", "app.sqlite", "users", "3", "--history", ends: 0)
    try records("put", "app.sqlite", "users", #"{"id": 4, "name": "Dee"}"#, ends: 0)
    XCTAssertEqual(
      try rows(
        """
        SELECT id || name || coalesce(age, '') || history_run || history_end_run AS concat
        FROM users_history
        """), ["3Cid23", "3Cid334"])
    let schema = try records("schema", "app.sqlite", ends: 0)
    XCTAssertFalse(schema.printed.contains("users_history"), schema.printed)
  }
}
