@testable import RecordSync
import XCTest

/// How a schema, its problems and its warnings are told.
final class SchemaTextTests: SchemaTestCase {
  private let tables = """
    firms:;
    users (remote_id INTEGER PRIMARY KEY, email TEXT NOT NULL, seen INTEGER,
      shout TEXT AS (upper(email)), firm_id REFERENCES firms, position INTEGER, note);
    loose (x)
    """

  private func schema() throws -> RecordSchema {
    try schema(tables) { overrides in
      overrides.table("users") { users in
        users.edits = "note"
        users.unknown = .evolve
        users.column("email") { $0.name = "contact.email" }
        users.column("seen") {
          $0.date = .seconds
          $0.export = false
          $0.ignoreNull = true
        }
      }
    }
  }

  func testPeopleSeeTablesColumnsRelationsAndWarnings() throws {
    XCTAssertEqual(
      try schema().text,
      """
      firms: key id
        id     integer
        users  many users, by users.firm_id, ordered by users.position

      loose: no key
        x  anything

      users: key remote_id; local edits in note; grows with unknown names
        remote_id  integer, in JSON “id”
        email      text, required, in JSON “contact.email”
        seen       date in seconds, not exported, null ignored
        shout      text, computed
        firm_id    anything, refers to firms.id
        position   integer
        note       anything
        firm       one firms, by firm_id

      Warning: The table “loose” can't be synced: it has neither a primary key nor a column id or \
      remote_id. Declare its key.

      """)
  }

  func testProgramsGetALineForEachTableAndWarning() throws {
    let lines = try schema().jsonLines.map { String(decoding: $0, as: UTF8.self) }
    XCTAssertEqual(
      lines,
      [
        #"{"event":"table","name":"firms","key":["id"],"keyNames":["id"],"unknown":"freeze","#
          + #""columns":[{"column":"id","kind":"integer"}],"relations":[{"name":"users","#
          + #""kind":"to-many","table":"users","column":"firm_id","position":"position"}]}"#,
        #"{"event":"table","name":"loose","key":[],"keyNames":[],"unknown":"freeze","#
          + #""columns":[{"column":"x","kind":"any"}],"relations":[]}"#,
        #"{"event":"table","name":"users","key":["remote_id"],"keyNames":["id"],"edits":"note","#
          + #""unknown":"evolve","columns":[{"column":"remote_id","kind":"integer"},"#
          + #"{"column":"email","kind":"text","name":"contact.email","required":true},"#
          + #"{"column":"seen","kind":"date","date":"seconds","export":false,"ignoreNull":true},"#
          + #"{"column":"shout","kind":"text","generated":true},{"column":"firm_id","kind":"any"},"#
          + #"{"column":"position","kind":"integer"},{"column":"note","kind":"any"}],"#
          + #""relations":[{"name":"firm","kind":"to-one","table":"firms","column":"firm_id"}]}"#,
        #"{"event":"warning","sentence":"The table “loose” can't be synced: it has neither a "#
          + #"primary key nor a column id or remote_id. Declare its key."}"#,
        #"{"event":"report","tables":3,"warnings":1}"#,
      ])
  }

  func testANameCannotSteerATerminal() throws {
    let schema = try schema("CREATE TABLE \"a\u{1B}[2J\nb\" (id INTEGER PRIMARY KEY)")
    XCTAssertEqual(schema.text, "a\\x1B[2J\\x0Ab: key id\n  id  integer\n")
  }

  func testEachProblemSaysWhatToDo() {
    let problems: [SchemaProblem] = [
      .withoutKey(table: "t"), .noTable("t"), .noColumn("c", table: "t"),
      .noPositions("c", table: "t"),
      .sameName("n", table: "t", first: "a", second: "b"), .emptyName(of: "c", table: "t"),
      .declaredTwice("a", "b"),
      .ambiguousRelation(table: "t", other: "o", columns: ["o.a", "o.b"]),
      .noRelation("r", table: "t", .leadsNowhere(column: "c")),
      .noRelation("r", table: "t", .withoutLink(through: "l", to: "")),
      .noRelation("r", table: "t", .toItself), .noRelation("r", table: "t", .unknown),
      .noRelation("r", table: "t", .unrelated(table: "o")),
      .noRelation("r", table: "t", .notForThis("position")),
      .file(.unknownMember("x"), at: "tables"), .file(.notJSON("no value", offset: 3), at: ""),
    ]
    for problem in problems {
      XCTAssertTrue(problem.description.hasSuffix("."), problem.description)
      XCTAssertGreaterThan(problem.description.split(separator: ". ").count, 1, problem.description)
    }
    XCTAssertEqual(
      problems[7].description,
      "The name “o” could mean several relations of the table “t”: by o.a and o.b. "
        + "Declare a name for each one that JSON has.")
  }

  func testEachWarningSaysWhatToDo() {
    let warnings: [SchemaWarning] = [
      .withoutKey(table: "t"), .columnHidesRelation(table: "t", name: "n"),
      .columnHidesColumn(table: "t", base: "b", name: "n"),
      .toOneHidesToMany(table: "t", name: "n"),
      .unnamedToMany(table: "t", other: "o", columns: ["o.a", "o.b"]),
      .danglingForeignKey(table: "t", column: "c", to: "o"),
      .repeatableTarget(table: "t", column: "c", to: "o.x"),
      .compositeForeignKey(table: "t", columns: ["a", "b"]),
    ]
    for warning in warnings {
      XCTAssertTrue(warning.description.contains("“t”"), warning.description)
      XCTAssertGreaterThan(warning.description.split(separator: ". ").count, 1)
    }
  }
}
