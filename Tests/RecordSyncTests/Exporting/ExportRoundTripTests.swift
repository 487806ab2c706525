import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// Random schemas and rows: what is exported makes equal tables in an empty copy of the schema, and
/// changes nothing in the database that it comes from.
final class ExportRoundTripTests: XCTestCase {
  func testAnExportMakesEqualTablesAndChangesNothingWhereItComesFrom() async throws {
    for seed in seeds(usually: 20) {
      try await walk(seed)
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }

  func testPositionsPairsOfKeysAndRowsOfOneEachComeBack() async throws {
    let tables = """
      CREATE TABLE lists (id TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE items (id INTEGER PRIMARY KEY, list_id TEXT REFERENCES lists, sort_order INT);
      CREATE TABLE covers (id INTEGER PRIMARY KEY, list_id TEXT UNIQUE REFERENCES lists);
      CREATE TABLE lines (list_id TEXT REFERENCES lists, number INTEGER, text TEXT,
        PRIMARY KEY (list_id, number)) WITHOUT ROWID;
      CREATE TABLE tags (id BLOB PRIMARY KEY);
      CREATE TABLE list_tags (list_id REFERENCES lists, tag_id REFERENCES tags, position INT,
        PRIMARY KEY (list_id, tag_id))
      """
    let source = try TestDatabase(
      tables,
      """
      INSERT INTO lists VALUES ('a', 'A'), ('b', NULL), ('c', 'C');
      INSERT INTO items VALUES (1, 'a', 9), (2, 'a', 3), (3, 'a', 5), (4, 'b', 0);
      INSERT INTO covers VALUES (1, 'b'), (2, NULL), (3, 'a');
      INSERT INTO lines VALUES ('a', 2, 'two'), ('a', 1, 'one'), ('b', 1, 'eins');
      INSERT INTO tags VALUES (x'00'), (x'ff'), (x'01');
      INSERT INTO list_tags VALUES ('a', x'00', 1), ('a', x'ff', 0), ('b', x'00', 0)
      """)
    let copy = try TestDatabase(tables)
    for style in [NameStyle.snake, .camel] {
      for table in ["lists", "covers", "tags"] {
        let text = try await source.export(table) { $0.style = style }
        let report = try await copy.sync(text, table)
        XCTAssertFalse(report.isPartial, "\(text): \(report)")
        let again = try await source.sync(text, table)
        XCTAssertEqual(again.status, .unchanged, "\(text): \(again)")
      }
    }
    for table in ["lists", "items", "covers", "lines", "tags", "list_tags"] {
      XCTAssertEqual(try copy.table(table).sorted(), try source.table(table).sorted(), table)
    }
  }

  private func walk(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let schema = RandomSchema(using: &random)
    let source = try TestDatabase(schema.statements)
    for table in schema.tables.indices {
      let payload = schema.payload(for: table, using: &random)
      try await source.sync(payload.json, schema.tables[table].name) { $0.operations = .keep }
    }
    let copy = try TestDatabase(schema.statements)
    let isKeys = Int.random(in: 0..<4, using: &random) == 0
    let isCamel = Bool.random(using: &random)
    // Keys alone lead to rows that are there: all rows first, then all links.
    for _ in isKeys ? 0..<2 : 0..<1 {
      for table in schema.tables {
        let text = try await source.export(table.name) {
          $0.relations = isKeys ? .keys : .arrays
          $0.style = isCamel ? .camel : .snake
        }
        let story = "seed \(seed), \(table.name): \(text), of \(schema.statements)"
        let report = try await copy.sync(text, table.name)
        XCTAssertFalse(report.isPartial, "\(story): \(report)")
        let again = try await source.sync(text, table.name)
        XCTAssertEqual(again.status, .unchanged, "\(story): \(again)")
      }
    }
    try compare(source, copy, schema, "seed \(seed), of \(schema.statements)")
  }

  private func compare(
    _ source: TestDatabase, _ copy: TestDatabase, _ schema: RandomSchema, _ story: String
  ) throws {
    let links = schema.links.map { link in
      schema.tables[link.one].singular + "_" + schema.tables[link.other].name
    }
    for table in schema.tables.map(\.name) + links {
      let query = "SELECT * FROM \(table) ORDER BY 1, 2"
      XCTAssertEqual(try copy.rows(query), try source.rows(query), "\(table), \(story)")
    }
  }
}
