import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// Random payloads into tables that are made for them.
final class RandomCreationTests: XCTestCase {
  /// Payload after payload, each with names and values that nobody expected: nothing is lost of any, and
  /// none has anything more to do when it comes again.
  func testNothingOfAnyPayloadIsLost() async throws {
    for seed in seeds(usually: 12) {
      var random = SeededGenerator(seed: seed)
      let database = try TestDatabase()
      // What has become a relation can't be taken for anything else later.
      let isOnce = seed.isMultiple(of: 2)
      let maker = RandomObjects(isOdd: true, hasOddRelations: isOnce, isTree: isOnce)
      for step in 0..<(isOnce ? 1 : 3) {
        let payload = maker.payload(using: &random).json
        let story = "seed \(seed), step \(step): \(payload)"
        let report = try await database.create(payload, "tops") { $0.keepsDigits = true }
        for (name, table) in report.tables {
          XCTAssertEqual(table.mismatched, [], "\(report.made) \(name), \(story)")
          XCTAssertEqual(table.unknown, [:], "\(name), \(story)")
          XCTAssertEqual(table.refused, [], "\(name), \(story)")
          XCTAssertEqual(table.unresolved, [], "\(name), \(story)")
          XCTAssertEqual(table.skipped, 0, "\(name), \(story)")
        }
        let again = try await database.create(payload, "tops") { $0.keepsDigits = true }
        XCTAssertEqual(again.made, [], story)
        XCTAssertEqual(again.status, .unchanged, "\(again.tables), \(story)")
        XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [], story)
        XCTAssertEqual(try database.rows("PRAGMA integrity_check"), ["ok"], story)
        if testRun?.failureCount ?? 0 > 0 { return }
      }
    }
  }

  /// Columns with an index keep their types: what doesn't fit stands beside them, and stays there.
  func testNothingIsLostWhereColumnsCanNotGetAnotherType() async throws {
    for seed in seeds(usually: 12) {
      var random = SeededGenerator(seed: seed)
      let database = try TestDatabase()
      let maker = RandomObjects(isOdd: true, hasOddRelations: false, isTree: false)
      for step in 0..<3 {
        let payload = maker.payload(using: &random).json.replacing("\"extra\"", with: "\"more\"")
        let story = "seed \(seed), step \(step): \(payload)"
        let report = try await database.create(payload, "tops") { $0.keepsDigits = true }
        for (name, table) in report.tables {
          let misfits = Set(table.mismatched.map { "\($0.key?.description ?? "?") \($0.column)" })
          let lost = try misfits.subtracting(database.keptMembers(name))
          XCTAssertEqual(lost, [], "\(name), \(story)")
          XCTAssertEqual(table.unknown, [:], "\(name), \(story)")
          XCTAssertEqual(table.refused, [], "\(name), \(story)")
        }
        let again = try await database.create(payload, "tops") { $0.keepsDigits = true }
        XCTAssertEqual(again.status, .unchanged, "\(again.tables) \(story)")
        let plain = try await database.sync(payload, "tops")
        XCTAssertEqual(plain.status, .unchanged, "\(plain.tables) \(story)")
        try await assertTrue(database.sync(payload, "tops") { $0.isPlan = true }.isEqual, story)
        if testRun?.failureCount ?? 0 > 0 { return }
        try database.indexAll()
      }
    }
  }

  /// What was made from a payload is made again from its export.
  func testAnExportMakesTheSameTables() async throws {
    for seed in seeds(usually: 12) {
      var random = SeededGenerator(seed: seed)
      // Of a tree, each row stands at the top, and is named by its key alone elsewhere.
      let maker = RandomObjects(isOdd: false, hasOddRelations: false, isTree: false)
      let payload = maker.payload(using: &random).json
      let database = try TestDatabase()
      try await database.create(payload, "tops")
      let exported = try await database.export("tops")
      let story = "seed \(seed): \(payload), exported as \(exported)"
      let copy = try TestDatabase()
      try await copy.create(exported, "tops")
      let differences = Set(try copy.contents()).symmetricDifference(try database.contents())
      XCTAssertEqual(differences.sorted(), [], story)
      let same = try await database.create(exported, "tops")
      XCTAssertEqual(same.status, .unchanged, "\(same.made) \(same.tables), \(story)")
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }
}

extension TestDatabase {
  /// Makes an index for each column that is neither a key nor keeps what doesn't fit.
  fileprivate func indexAll() throws {
    for table in try tables() {
      let columns = try rows(
        "SELECT name FROM pragma_table_info('\(table)') WHERE pk = 0 AND name <> 'extra'")
      for column in columns {
        let index = "\"by \(table) \(column)\""
        try run("CREATE INDEX IF NOT EXISTS \(index) ON \"\(table)\" (\"\(column)\")")
      }
    }
  }

  /// The values of a table that stand beside their columns: keys and names of columns.
  fileprivate func keptMembers(_ table: String) throws -> [String] {
    guard try columns(table).contains("extra JSON") else { return [] }
    let keys = try rows("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk")
    let key = keys.map { "json_quote(t.\"\($0)\")" }.joined(separator: " || ',' || ")
    let isOne = keys.count == 1
    return try rows(
      """
      SELECT \(isOne ? key : "'[' || \(key) || ']'") || ' ' || coalesce(n.column_name, e.key)
      FROM "\(table)" AS t, json_each(t.extra) AS e LEFT JOIN recordsync_names AS n
      ON n.table_name = '\(table)'
      AND e.key IN (n.json_path, n.json_name, json_quote(n.json_name))
      """)
  }

  /// All values that aren't NULL, each with its table, key and column.
  fileprivate func contents() throws -> [String] {
    try tables().flatMap { table in
      let columns = try rows("SELECT name FROM pragma_table_info('\(table)')")
      let keys = try rows("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk")
      let key = keys.map { "\"\($0)\"" }.joined(separator: " || '/' || ")
      return try columns.flatMap { column in
        try rows(
          """
          SELECT '\(table)', \(key), '\(column)', "\(column)", typeof("\(column)") FROM "\(table)"
          WHERE "\(column)" IS NOT NULL
          """)
      }
    }.sorted()
  }
}
