import Foundation
import TestSupport
import XCTest

/// What an export prints, and how it ends.
final class ExportCommandTests: RecordsTestCase {
  private let names = """
    {"tables": {"users": {"relations": {"notes": {"table": "notes", "column": "user_id"}}}}}
    """

  override func setUpWithError() throws {
    try super.setUpWithError()
    try write(names, to: "names.json")
  }

  private func export(_ more: String...) throws -> ProgramOutcome {
    try records(["export", "app.sqlite", "users", "--schema", "names.json"] + more)
  }

  func testASyncOfAnExportChangesNothing() throws {
    let outcome = try export()
    XCTAssertEqual(outcome.status, 0, outcome.said)
    XCTAssertEqual(outcome.said, "")
    XCTAssertTrue(outcome.printed.contains("\"notes\":[{\"id\":10"), outcome.printed)
    let before = try contents()
    let sync = try records(
      "sync", "app.sqlite", "users", "-", "--schema", "names.json", input: outcome.printed)
    XCTAssertTrue(sync.printed.hasPrefix("unchanged"), sync.printed + sync.said)
    XCTAssertEqual(try contents(), before)
  }

  func testWhichRowsAndInWhichForm() throws {
    let lines = try export("--where", "age > ?", "--bind", "31", "--ndjson")
    XCTAssertEqual(lines.objects.compactMap { $0["name"] as? String }, ["Bob"])
    let keys = try export("1", "--relations", "keys", "--style", "camel")
    XCTAssertEqual(keys.objects.count, 1, "one row is one object")
    XCTAssertEqual(keys.objects.first?["noteIDs"] as? [Int], [10], keys.printed)
    XCTAssertNil(try export("1", "--relations", "none").objects.first?["notes"])
  }

  func testARowThatIsNotThereIsNull() throws {
    let get = try records("get", "app.sqlite", "users", "1", ends: 0)
    XCTAssertEqual(get.objects.first?["email"] as? String, "ann@example.org")
    XCTAssertNil(get.objects.first?["notes"])
    for key in ["9", "nine", "[1]", ""] {
      let arguments = ["app.sqlite", "users", key]
      guard !key.isEmpty else {
        XCTAssertEqual(try records(["get"] + arguments).status, 64)
        continue
      }
      for command in ["get", "export"] {
        let absent = try records([command] + arguments)
        XCTAssertEqual(absent.status, 1, key)
        XCTAssertEqual(absent.printed, "null\n", key)
      }
    }
  }

  func testRowsOfAConditionComeInAnOrder() throws {
    let get = try records(
      "get", "app.sqlite", "users", "--where", "id < ?", "--bind", "9", "--order", "id:desc",
      "--limit", "1", "--ndjson", ends: 0)
    XCTAssertEqual(get.objects.map { $0["id"] as? Int }, [2], get.printed)
    let all = try records(
      "get", "app.sqlite", "users", "--where", "1", "--order", "name", "--ndjson", ends: 0)
    XCTAssertEqual(all.objects.map { $0["id"] as? Int }, [1, 2], all.printed)
    let missing = try records("get", "app.sqlite", "users")
    XCTAssertEqual(missing.status, 64)
    XCTAssertTrue(missing.said.contains("KEY is missing"), missing.said)
    let odd = try records("export", "app.sqlite", "users", "--order", "naem")
    XCTAssertTrue(odd.said.contains("“naem”, which is none of its columns"), odd.said)
  }

  func testWhatCannotBeExportedIsSaidInASentence() throws {
    for (arguments, status, part) in [
      (["app.sqlite", "usres"], Int32(1), "did you mean 'users'?"),
      (["app.sqlite", "tags"], 1, "has no key"), (["none.sqlite", "users"], 1, "no database"),
      (["app.sqlite", "users", "--where", "naem = 1"], 64, "no such column: naem"),
      (["app.sqlite", "users", "7", "--where", "1"], 64, "contradict"),
      (["app.sqlite", "users", "--style", "pascal"], 64, "snake, camel"),
    ] {
      let outcome = try records(["export"] + arguments)
      XCTAssertEqual(outcome.status, status, outcome.said)
      XCTAssertEqual(outcome.printed, "")
      XCTAssertTrue(outcome.said.contains(part), outcome.said)
    }
  }

  func testWhoeverReadsMayStopReading() throws {
    try run(
      """
      WITH n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO users (id, name) SELECT i, 'user number ' || i FROM n
      """)
    let line = "'\(Programs.records)' export app.sqlite users --ndjson | head -n 1"
    let child = try ChildProcess(
      try Programs.find("bash"), ["-o", "pipefail", "-c", line],
      environment: ProcessInfo.processInfo.environment, directory: folder, records: folder)
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.said)
    XCTAssertEqual(child.printed.split(separator: "\n").count, 1)
  }
}
