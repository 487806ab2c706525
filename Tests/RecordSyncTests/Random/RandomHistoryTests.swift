@testable import RecordSync
import TestSupport
import XCTest

/// Random schemas, payloads, and edits of single rows, whose versions are kept: of each run, the
/// histories tell what stood in all tables after it.
final class RandomHistoryTests: XCTestCase {
  func testTheTablesOfEachRunStandInTheHistories() async throws {
    for seed in seeds(usually: 15) {
      try await walk(seed)
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }

  private func walk(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let schema = RandomSchema(using: &random)
    let database = try TestDatabase(schema.statements)
    let tables = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
    var overrides = SchemaOverrides()
    overrides.keepsHistory = true
    let store = try await RecordStore(path: database.path, overrides: overrides)
    var states: [(run: Int, rows: [[String]])] = []
    for step in 0..<8 {
      let table = Int.random(in: schema.tables.indices, using: &random)
      let name = schema.tables[table].name
      let report: RecordReport
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let key = RecordValue.integer(Int64.random(in: 1...6, using: &random))
        report = try await store.delete(key, from: name)
      case 1:
        let payload = schema.payload(for: table, using: &random)
        report = try await store.sync(.text(payload.json), into: name, options: Self.keeping)
      default:
        let payload = schema.payload(for: table, using: &random)
        report = try await store.sync(.text(payload.json), into: name)
      }
      let rows = try tables.map { try database.rows("SELECT * FROM \($0)").sorted() }
      // Only a run that changed something is one.
      let run = try lastRun(database)
      XCTAssertEqual(
        run != states.last?.run ?? 0, rows != states.last?.rows ?? tables.map { _ in [] },
        "seed \(seed), step \(step): \(report)")
      if run != states.last?.run ?? 0 { states.append((run, rows)) }
    }
    for (run, rows) in states {
      for (table, rows) in zip(tables, rows) {
        XCTAssertEqual(
          try state(of: table, after: run, database), rows,
          "\(table) after run \(run) of \(states.count), seed \(seed), \(schema.statements)")
      }
    }
  }

  private static let keeping: RecordOptions = {
    var options = RecordOptions()
    options.operations = .keep
    return options
  }()

  private func lastRun(_ database: TestDatabase) throws -> Int {
    let made = "SELECT 1 FROM sqlite_schema WHERE name = 'recordsync_history'"
    guard try !database.rows(made).isEmpty else { return 0 }
    return try database.rows("SELECT max(last_run) FROM recordsync_history").first.flatMap(Int.init)
      ?? 0
  }

  private func state(of table: String, after run: Int, _ database: TestDatabase) throws -> [String]
  {
    let made = "SELECT 1 FROM sqlite_schema WHERE name = '\(table)_history'"
    guard try !database.rows(made).isEmpty else { return [] }
    let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)')")
    return try database.rows(
      """
      SELECT \(columns.joined(separator: ", ")) FROM \(table)_history
      WHERE history_run <= \(run) AND (history_end_run IS NULL OR history_end_run > \(run))
      """
    ).sorted()
  }
}
