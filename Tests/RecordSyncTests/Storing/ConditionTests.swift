import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// A condition says which rows are meant, and nothing beyond that.
final class ConditionTests: XCTestCase {
  func testAConditionEndsWhereItsTextDoes() throws {
    let connection = try Connection(in: .memory, named: "test")
    try connection.execute(
      """
      CREATE TABLE t (a, b, c, d, é, "a)", "b(", a$b);
      CREATE TABLE users (id INTEGER PRIMARY KEY)
      """)
    func fault(of text: String, _ values: [StoredValue?]) -> RecordError? {
      do {
        _ = try connection.condition(text, values: values, over: "t")
        return nil
      } catch {
        return error as? RecordError
      }
    }
    for text in [
      "(a = 1) OR (b = 2)", "a = ') OR ('", "\"a)\" = 1", "[a)] = 1 AND `b(` = 2",
      "a = 'it''s)' -- all) of (them", "a /* ) */ = 1",
      "a IN (SELECT id FROM users WHERE d = 'x;y')", "a$b = 1", "x'00' = é",
      "a - -1 = b / 2 -- \n OR (c)",
    ] { XCTAssertNil(fault(of: text, []), text) }
    for text in ["a = ?", "?"] { XCTAssertNil(fault(of: text, [1.storedValue]), text) }
    for text in [
      "", " \n\t", "-- nothing", "/* nothing */", "1) OR (1", "a = 1)); DELETE FROM users; --",
      ") --", "1); DELETE FROM users; --", "a = '(') OR (b", "(a = 1", "((1)",
      "a = 1 -- )\n AND (b", "1; DROP TABLE users", "1;", "(1;)", "a = 'b", "a = 'b''", "\"a",
      "`a", "[a", "a /*", "a /*/", "/* a * /", "1, 2", "1 ORDER BY a", "1 LIMIT 1", "1 GROUP BY a",
      "1 UNION SELECT 1", "SELECT 1", "1 /* ) OR (1 */ ) OR (1", "1\u{0}) OR (1",
    ] { XCTAssertNotNil(fault(of: text, []), text) }
    for text in ["a = $b", "$a(')) OR (1=$b(')", "a = :b", "@a", "#a", "a = ?1", "a = ? OR b = ?1"]
    {
      XCTAssertNotNil(fault(of: text, [1.storedValue]), text)
    }
  }

  /// It made a parent's rows all rows, and those of other parents were deleted.
  func testNoConditionLeavesTheParent() async throws {
    let database = try TestDatabase(Self.notes)
    for condition in ["1) OR (1", "1) --", "$a(')) OR (1=$b(')"] {
      for payload in ["[]", #"[{"id": 1}]"#] {
        await assertThrows(
          try await database.sync(payload, "notes") {
            $0.scope = RecordScope(condition: condition, parent: .init(table: "users", key: 1))
          }
        ) { XCTAssertTrue(self.isOfCondition($0), "\(condition): \($0)") }
      }
    }
    XCTAssertEqual(try database.table("notes").count, 4)
    try await database.sync("[]", "notes") {
      $0.scope = RecordScope(
        condition: "day = 'mon' OR day = ? -- or so", values: ["wed"],
        parent: .init(table: "users", key: 1))
    }
    XCTAssertEqual(try database.table("notes"), ["2|tue|1", "3|mon|2", "4|wed|2"])
  }

  func testAConditionMayReadAndDoesNothingElse() async throws {
    let database = try TestDatabase(
      Self.notes,
      "CREATE VIRTUAL TABLE days USING fts5 (day, content='notes', content_rowid='id')",
      "INSERT INTO days (days) VALUES ('rebuild')")
    await assertThrows(
      try await database.sync("[]", "notes") {
        $0.scope = RecordScope(condition: "id IN (SELECT count(*) FROM pragma_optimize)")
      }
    ) { XCTAssertTrue(self.isOfCondition($0), "\($0)") }
    try await database.sync("[]", "notes") {
      $0.scope = RecordScope(condition: "id IN (SELECT rowid FROM days WHERE days MATCH 'mon')")
    }
    XCTAssertEqual(try database.table("notes"), ["2|tue|1", "4|wed|2"])
  }

  private func isOfCondition(_ error: any Error) -> Bool {
    if case .condition? = error as? RecordError { true } else { false }
  }

  private static let notes = """
    CREATE TABLE users (id INTEGER PRIMARY KEY);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, day TEXT, user_id INTEGER REFERENCES users);
    INSERT INTO users VALUES (1), (2);
    INSERT INTO notes VALUES (1, 'mon', 1), (2, 'tue', 1), (3, 'mon', 2), (4, 'wed', 2)
    """
}
