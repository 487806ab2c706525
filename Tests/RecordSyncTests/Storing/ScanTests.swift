import CSyncSQLite
import XCTest

@testable import RecordSync
@testable import SyncDatabase

/// However many rows there are: neither a row nor what hangs on it is found by looking at all of a
/// table. SQLite itself counts the steps that a statement takes through a table as a whole.
final class ScanTests: XCTestCase {
  /// What a statement came to over all of its runs.
  private struct Work: CustomStringConvertible {
    var sql: String
    var runs: Int
    /// Steps through tables without an index.
    var steps: Int

    var description: String { "\(steps) steps in \(runs) runs of \(sql)" }
  }

  private let tables = """
    CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE children (id INTEGER PRIMARY KEY, name TEXT,
      parent_id INTEGER REFERENCES parents (id) ON DELETE CASCADE);
    CREATE TABLE labels (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE children_labels (child_id INTEGER REFERENCES children (id) ON DELETE CASCADE,
      label_id INTEGER REFERENCES labels (id), PRIMARY KEY (child_id, label_id)) WITHOUT ROWID;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO labels SELECT i, 'label ' || i FROM n
    """
  private let indexes = """
    CREATE INDEX children_parent ON children (parent_id);
    CREATE INDEX links_label ON children_labels (label_id)
    """
  private let parents = 200
  /// Of all tables, once all are filled.
  private var rowCount: Int { parents + parents * 3 + parents * 6 + 20 }

  private func payload(_ numbers: some Sequence<Int>, name: String) -> String {
    let objects = numbers.map { parent in
      let children = (0..<3).map { place in
        let child = parent * 3 + place
        let labels = [child % 20 + 1, (child + 7) % 20 + 1]
        return #"{"id": \#(child), "name": "c", "label_ids": \#(labels)}"#
      }
      let list = children.joined(separator: ", ")
      return #"{"id": \#(parent), "name": "\#(name)", "children": [\#(list)]}"#
    }
    return "[\(objects.joined(separator: ", "))]"
  }

  /// What each statement of these syncs came to.
  private func work(_ database: TestDatabase, _ payloads: [String]) throws -> [Work] {
    var options = ConnectionOptions()
    (options.access, options.journal) = (.readWrite, .asItIs)
    let connection = try Connection(path: database.path, options: options)
    try connection.execute("PRAGMA foreign_keys = ON")
    for payload in payloads {
      let schema = try SchemaReader.read(connection, overrides: SchemaOverrides())
      let run = try RecordRun(connection, schema, table: "parents", RecordOptions())
      let report = try run.sync(LoadedPayload(.text(payload)))
      XCTAssertFalse(report.isPartial)
    }
    var work: [Work] = []
    var next = sqlite3_next_stmt(connection.handle, nil)
    while let statement = next {
      work.append(
        Work(
          sql: sqlite3_sql(statement).map { String(cString: $0) } ?? "",
          runs: Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0)),
          steps: Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))))
      next = sqlite3_next_stmt(connection.handle, statement)
    }
    XCTAssertGreaterThan(work.map(\.runs).max() ?? 0, parents, "the statements are gone")
    return work
  }

  func testNoRowIsLookedForByLookingAtAllOfATable() throws {
    let database = try TestDatabase(tables, indexes)
    let all = payload(1...parents, name: "a")
    let syncs = [all, all, payload(1...parents, name: "b"), payload(1...parents / 2, name: "b")]
    for statement in try work(database, syncs) {
      // All rows may be gone through once a sync, to find those that the payload doesn't name.
      XCTAssertLessThanOrEqual(statement.steps, syncs.count * rowCount, "\(statement)")
      if statement.runs > syncs.count * 4 { XCTAssertEqual(statement.steps, 0, "\(statement)") }
    }
    XCTAssertEqual(try database.rows("SELECT count(*) FROM children_labels"), ["\(parents * 3)"])
  }

  func testNorWhereNoIndexLeadsToTheChildrenOfAParent() throws {
    let database = try TestDatabase(tables)
    let syncs = ["a", "a", "b"].map { payload(1...parents, name: $0) }
    for statement in try work(database, syncs) {
      // Of few rows all are looked at, until there are enough for an index of our own.
      XCTAssertLessThanOrEqual(statement.steps, 64 * 500 + syncs.count * rowCount, "\(statement)")
    }
  }
}
