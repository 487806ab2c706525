import XCTest

@testable import RecordSync

/// A condition says which rows are meant, and nothing beyond that.
final class ConditionTests: XCTestCase {
  private enum Fault: String {
    case empty = "there is nothing in it"
    case closed = "it closes a bracket that it doesn't open"
    case open = "it doesn't close each bracket that it opens"
    case quote = "it doesn't close each quote that it opens"
    case comment = "it doesn't close each comment that it opens"
    case semicolon = "it goes on behind a semicolon"
    case parameter = "a value in it is marked by something else than a ? alone"
    case zero = "there is a character NUL in it"
  }

  func testAConditionEndsWhereItsTextDoes() {
    let faults: [(String, Fault?)] = [
      ("a = ?", nil), ("(a = 1) OR (b = 2)", nil), ("a = ') OR ('", nil), ("\"a)\" = 1", nil),
      ("[a)] = 1 AND `b(` = 2", nil), ("a = 'it''s)' -- all) of (them", nil),
      ("a /* ) */ = 1", nil),
      ("a IN (SELECT b FROM c WHERE d = 'x;y')", nil), ("a$b = 1", nil), ("x'00' = é", nil),
      ("a - -1 = b / 2 -- \n OR (c)", nil), ("?", nil),
      ("", .empty), (" \n\t", .empty), ("-- nothing", .empty), ("/* nothing */", .empty),
      ("1) OR (1", .closed), ("id = 1)); DELETE FROM users; --", .closed), (") --", .closed),
      ("1); DELETE FROM users; --", .closed), ("a = '(') OR (b", .closed),
      ("(id = 1", .open), ("((1)", .open), ("a = 1 -- )\n AND (b", .open),
      ("1; DROP TABLE users", .semicolon), ("1;", .semicolon), ("(1;)", .semicolon),
      ("a = 'b", .quote), ("a = 'b''", .quote), ("\"a", .quote), ("`a", .quote), ("[a", .quote),
      ("a /*", .comment), ("a /*/", .comment), ("/* a * /", .comment),
      ("a = $b", .parameter), ("$a(')) OR (1=$b(')", .parameter), ("a = :b", .parameter),
      ("@a", .parameter), ("#a", .parameter), ("a = ?1", .parameter),
      ("1\u{0}) OR (1", .zero),
    ]
    for (text, fault) in faults {
      var thrown: RecordError?
      do throws(RecordError) { _ = try ConditionText(text, values: []) } catch { thrown = error }
      XCTAssertEqual(thrown, fault.map { .condition($0.rawValue) }, text)
    }
  }

  /// It made a parent's rows all rows, and those of other parents were deleted.
  func testNoConditionLeavesTheParent() async throws {
    let database = try TestDatabase(Self.notes)
    for condition in ["1) OR (1", "1) --", "$a(')) OR (1=$b(')"] {
      for payload in ["[]", #"[{"id": 1}]"#] {
        await XCTAssertThrowsAsync(
          try await database.sync(payload, "notes") {
            $0.scope = RecordScope(
              condition: condition, parent: .init(table: "users", key: 1))
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
    await XCTAssertThrowsAsync(
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
