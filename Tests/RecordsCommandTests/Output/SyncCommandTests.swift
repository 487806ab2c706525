import Foundation
import TestSupport
import XCTest

/// What a sync and a look at it print, and how they end.
final class SyncCommandTests: RecordsTestCase {
  private let payload = """
    [{"id": 2, "name": "Bob", "email": "bob@example.org", "age": 33},
     {"id": 3, "name": "Cid", "notes": [{"id": 30, "text": "thirty"}]}]
    """
  private let names = """
    {"tables": {"users": {"relations": {"notes": {"table": "notes", "column": "user_id"}}}}}
    """

  private func sync(_ more: String...) throws -> ProgramOutcome {
    try records(["sync", "app.sqlite", "users", "p.json", "--schema", "names.json"] + more)
  }

  override func setUpWithError() throws {
    try super.setUpWithError()
    try run("DELETE FROM notes")
    try write(payload, to: "p.json")
    try write(names, to: "names.json")
  }

  func testASyncSaysWhatItChangedByTableAndASecondOneNothing() throws {
    let first = try sync()
    XCTAssertEqual(first.status, 0, first.said)
    XCTAssertTrue(
      first.printed.hasPrefix(
        """
        users: 1 added, 1 changed, 1 deleted
        notes: 1 added
        done: 2 added, 1 changed, 1 deleted (
        """), first.printed)
    XCTAssertEqual(first.said, "")
    XCTAssertEqual(
      try rows("SELECT id || ' ' || name || ' ' || ifnull(age, '-') AS concat FROM users"),
      ["2 Bob 33", "3 Cid -"])
    let before = try contents()
    let second = try sync()
    XCTAssertEqual(second.status, 0)
    XCTAssertTrue(
      second.printed.hasPrefix("unchanged: users is as the payload has it ("), second.printed)
    XCTAssertEqual(try contents(), before)
    XCTAssertEqual(try sync("--quiet").printed, "")
  }

  func testAPlanSaysWhatWouldBeDoneAndDoesNothing() throws {
    let before = try contents()
    let plan = try sync("--plan")
    XCTAssertEqual(plan.status, 0, plan.said)
    XCTAssertTrue(
      plan.printed.hasPrefix(
        """
        users: add 1, change 1, delete 1
          add 3
          change 2: age
          delete 1
        notes: add 1
          add 30
        would add 2, change 1, delete 1 (
        """), plan.printed)
    XCTAssertEqual(try contents(), before)
  }

  func testVerifyTellsWhetherTableAndPayloadAreEqual() throws {
    let verify = ["verify", "app.sqlite", "users", "p.json", "--schema", "names.json"]
    let before = try contents()
    let unequal = try records(verify)
    XCTAssertEqual(unequal.status, 1)
    XCTAssertTrue(
      unequal.printed.contains("not equal: a sync would add 2, change 1, delete 1 ("),
      unequal.printed)
    XCTAssertEqual(try records(verify + ["--json"]).objects.last?["equal"] as? Bool, false)
    XCTAssertEqual(try contents(), before)
    XCTAssertEqual(try sync().status, 0)
    let equal = try records(verify)
    XCTAssertEqual(equal.status, 0)
    XCTAssertTrue(equal.printed.hasPrefix("equal: users is as the payload has it ("), equal.printed)
    XCTAssertEqual(try records(verify + ["--json"]).objects.last?["equal"] as? Bool, true)
    // What can't be compared doesn't make them unequal.
    try write("[{\"id\":2,\"age\":\"old\",\"shoe\":1},{\"id\":3},{}]", to: "p.json")
    XCTAssertEqual(try records(verify).status, 0)
  }

  func testOfAPartNobodySaysThatItIsAllThereIs() throws {
    XCTAssertEqual(try sync().status, 0)
    try write(#"{"total":4,"data":[{"id":3}]}"#, to: "p.json")
    let words = "what the payload names of users is as it says, but it isn't all there is"
    let verify = ["verify", "app.sqlite", "users", "p.json", "--items", "data"]
    let unequal = try records(verify)
    XCTAssertEqual(unequal.status, 1)
    XCTAssertTrue(unequal.printed.contains("not equal: \(words) ("), unequal.printed)
    XCTAssertEqual(try records(verify + ["--json"]).objects.last?["equal"] as? Bool, false)
    let sync = ["sync"] + verify.dropFirst()
    let unchanged = try records(sync)
    XCTAssertEqual(unchanged.status, 0)
    XCTAssertTrue(unchanged.printed.contains("unchanged: \(words) ("), unchanged.printed)
    let sentence = try records(sync + ["--json"]).objects.last?["sentence"] as? String
    XCTAssertTrue(sentence?.contains(words) == true, sentence ?? "")
    let strict = try records(sync + ["--strict"])
    XCTAssertEqual(strict.status, 1)
    XCTAssertTrue(strict.said.contains("counts 4 under"), strict.said)
    let help = try records("sync", "--help").printed.split(separator: "--strict").last ?? ""
    let told = help.prefix(300).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    XCTAssertTrue(told.contains("write nothing if the payload is a part"), told)
  }

  /// What was piped could be read only once: it was said to be empty.
  func testWhatIsPipedMaySayDifferentThingsOfARowFarApart() throws {
    let far = String(repeating: "x", count: 3 << 20)
    for name in ["new", "newer"] {
      let piped = try records(
        "sync", "app.sqlite", "users", "-",
        input: """
          [{"id":1,"name":"old"},{"id":2,"name":"\(far)"},{"id":1,"name":"\(name)"}]
          """)
      XCTAssertEqual(piped.status, 0, piped.said)
      XCTAssertEqual(try rows("SELECT name AS concat FROM users WHERE id = 1"), [name])
    }
  }

  func testTheLastLineOfJSONIsTheReport() throws {
    let report = try XCTUnwrap(try sync("--json").objects.last)
    XCTAssertEqual(report["event"] as? String, "report")
    XCTAssertEqual(report["status"] as? String, "written")
    let tables = try XCTUnwrap(report["tables"] as? [String: [String: Any]])
    XCTAssertEqual(tables["users"]?["inserted"] as? [Int], [3])
    XCTAssertEqual(tables["users"]?["updated"] as? [String: [String]], ["2": ["age"]])
    XCTAssertEqual(tables["users"]?["deleted"] as? [Int], [1])
    XCTAssertEqual(tables["notes"]?["inserted"] as? [Int], [30])
    XCTAssertEqual(tables["users"]?.count, 3, "what is none isn't there")
    XCTAssertEqual(
      Set((report["milliseconds"] as? [String: Double] ?? [:]).keys), ["rows", "ending", "commit"])
    XCTAssertEqual(report["sentence"] as? String, "done: 2 added, 1 changed, 1 deleted")
    XCTAssertEqual(try sync("--json").objects.last?["status"] as? String, "unchanged")
    XCTAssertEqual(try sync("--json", "--plan").objects.last?["status"] as? String, "planned")
    try write("{", to: "p.json")
    let failed = try sync("--json")
    XCTAssertEqual(failed.status, 1)
    XCTAssertEqual(failed.objects.last?["status"] as? String, "failed")
    XCTAssertEqual(failed.objects.last?["sentence"].map { "records: \($0)\n" }, failed.said)
  }

  func testRefusedRowsAreNamedWithTheirReasonsAndTheRestIsWritten() throws {
    try write(
      """
      [{"id": 1, "name": null}, {"id": 2, "email": "ann@example.org"},
       {"id": 3, "name": "Cid", "age": "x", "foo": 1}, {"name": "nobody"}]
      """, to: "p.json")
    let outcome = try sync()
    XCTAssertEqual(outcome.status, 2, outcome.said)
    XCTAssertTrue(
      outcome.said.contains("records: users 1 was refused: NOT NULL constraint failed: users.name"),
      outcome.said)
    XCTAssertTrue(
      outcome.said.contains("users 2 was refused: UNIQUE constraint failed: users.email"),
      outcome.said)
    XCTAssertTrue(outcome.said.contains("users 3: age wants an integer"), outcome.said)
    XCTAssertTrue(outcome.said.contains("names that nothing takes: foo (1)"), outcome.said)
    XCTAssertTrue(outcome.said.contains("1 object without a usable key, skipped"), outcome.said)
    XCTAssertTrue(outcome.said.contains("2 rows were refused by the database"), outcome.said)
    XCTAssertTrue(outcome.printed.contains("done, but 2 rows refused: 1 added ("), outcome.printed)
    XCTAssertEqual(try sync("--plan").status, 2, "the status that a sync would have")
    let quiet = try sync("--quiet")
    XCTAssertEqual(quiet.printed, "")
    XCTAssertEqual(quiet.said.split(separator: "\n").count, 3, quiet.said)
    let report = try XCTUnwrap(try sync("--json").objects.last)
    let users = (report["tables"] as? [String: [String: Any]])?["users"]
    XCTAssertEqual((users?["refused"] as? [[String: Any]])?.count, 2)
    XCTAssertEqual(users?["skipped"] as? Int, 1)
    XCTAssertEqual(users?["unknown"] as? [String: Int], ["foo": 1])
    XCTAssertEqual((users?["mismatched"] as? [[String: Any]])?.first?["came"] as? String, "\"x\"")
    XCTAssertEqual(
      try records("verify", "app.sqlite", "users", "p.json").status, 1, "what is refused differs")
  }

  func testAPayloadComesFromStandardInputAndFromWithinABody() throws {
    let body = "\u{FEFF}{\"data\":{\"users\":\(payload)},\"more\":[]}"
    let outcome = try records(
      "sync", "app.sqlite", "users", "-", "--items", "data.users", "--operations",
      "insert,insert-relations", "--schema", "names.json", input: body)
    XCTAssertEqual(outcome.status, 0, outcome.said)
    XCTAssertTrue(outcome.printed.hasPrefix("users: 1 added\nnotes: 1 added\n"), outcome.printed)
    let lines = try records(
      "sync", "app.sqlite", "users", "-", "--keep",
      input: "{\"id\":4,\"name\":\"Dan\"}\n{\"id\":5,\"name\":\"Eve\"}\n")
    XCTAssertTrue(lines.printed.hasPrefix("users: 2 added\n"), lines.printed)
    XCTAssertEqual(try rows("SELECT count(*) || '' AS concat FROM users"), ["5"])
  }

  func testAConditionAndAParentSayOfWhichRowsAPayloadSpeaks() throws {
    try run("INSERT INTO notes VALUES (1, 'a', 1, 2), (2, 'b', 1, NULL), (3, 'c', 2, NULL)")
    try write("[{\"id\":9,\"text\":\"new\"}]", to: "p.json")
    let parent = try records(
      "sync", "app.sqlite", "notes", "p.json", "--parent", "users:1:user_id", "--where", "id > ?",
      "--bind", "1")
    XCTAssertEqual(parent.status, 0, parent.said)
    XCTAssertTrue(parent.printed.hasPrefix("notes: 1 added, 1 deleted\n"), parent.printed)
    XCTAssertEqual(
      try rows("SELECT id || ' ' || user_id AS concat FROM notes ORDER BY id"),
      ["1 1", "3 2", "9 1"])
  }

  func testTheSchemaIsShownForPeopleAndForPrograms() throws {
    let text = try records("schema", "app.sqlite", "--schema", "names.json", ends: 0)
    XCTAssertTrue(text.printed.contains("users: key id\n"), text.printed)
    XCTAssertTrue(text.printed.contains("Warning: The table “tags” can't be synced"), text.printed)
    let objects = try records("schema", "app.sqlite", "--json").objects
    XCTAssertEqual(objects.compactMap { $0["name"] as? String }, ["notes", "tags", "users"])
    XCTAssertEqual(objects.last?["event"] as? String, "report")
    try write("", to: "empty.sqlite")
    XCTAssertEqual(
      try records("schema", "empty.sqlite").printed, "there are no tables in this database\n")
  }

  func testADatabaseIsFoundBehindALink() throws {
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "link.sqlite"),
      withDestinationURL: folder.appending(path: "app.sqlite"))
    try write("[{\"id\":3,\"name\":\"Cid\"}]", to: "p.json")
    XCTAssertEqual(try records("sync", "link.sqlite", "users", "p.json", "--keep").status, 0)
    XCTAssertEqual(try rows("SELECT count(*) || '' AS concat FROM users"), ["3"])
  }
}
