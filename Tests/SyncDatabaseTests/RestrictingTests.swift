import SyncDatabase
import XCTest

/// Statements that may do no more than read.
final class RestrictingTests: XCTestCase {
  private func database() throws -> Connection {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute(
      """
      CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2);
      CREATE VIEW doubled AS SELECT n * 2 AS n FROM t;
      CREATE VIRTUAL TABLE words USING fts5 (text); INSERT INTO words VALUES ('one two');
      """)
    return connection
  }

  func testWhateverOnlyReadsIsDone() throws {
    let connection = try database()
    let queries: [(SQL, Int64)] = [
      ("SELECT count(*) FROM t WHERE abs(n) IN (SELECT n FROM doubled)", 1),
      (
        "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up LIMIT 9) SELECT max(n) FROM up",
        9
      ),
      ("SELECT count(*) FROM t WHERE n IN (SELECT rowid FROM words WHERE words MATCH 'two')", 1),
      ("SELECT count(*) FROM json_each('[1, 2, 3]')", 3),
    ]
    for (query, number) in queries {
      XCTAssertEqual(try connection.onlyReading { try connection.number(query) }, number)
    }
  }

  func testWhateverDoesMoreIsRefusedAndAllowedAgainAfterwards() throws {
    let connection = try database()
    let statements: [SQL] = [
      "INSERT INTO t VALUES (3)", "UPDATE t SET n = 0", "UPDATE sqlite_master SET sql = NULL",
      "DELETE FROM t", "DROP TABLE t",
      "CREATE TABLE u (n INTEGER)", "ATTACH ':memory:' AS other", "PRAGMA user_version = 7",
      "SELECT * FROM pragma_optimize", "SELECT count(*) FROM Pragma_Foreign_Keys",
      "SELECT 1 WHERE EXISTS (SELECT 1 FROM pragma_journal_mode)", "BEGIN", "ANALYZE",
      "WITH w AS (SELECT 1) INSERT INTO t SELECT * FROM w",
    ]
    for statement in statements {
      try assertFails(.statement) {
        try connection.onlyReading { try connection.query(statement) { _ in } }
      }
    }
    XCTAssertEqual(try connection.number("SELECT sum(n) FROM t"), 3)
    for statement in statements.prefix(2) { try connection.run(statement) }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM t WHERE n = 0"), 3)
  }
}
