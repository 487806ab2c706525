import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// Random schemas and payloads: after each sync the tables are what a naive model says, and the same
/// payload again writes nothing.
final class RandomSyncTests: XCTestCase {
  func testTablesAreWhatTheModelSays() async throws {
    for seed in seeds(usually: 25) {
      try await walk(seed)
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }

  private func walk(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let schema = RandomSchema(using: &random)
    let database = try TestDatabase(schema.statements)
    var model = NaiveModel(schema)
    for step in 0..<6 {
      let table = Int.random(in: schema.tables.indices, using: &random)
      let payload = schema.payload(for: table, using: &random)
      let before = schema.tables.indices.map { model.table($0) }
      model.sync(payload, into: table)
      let report = try await database.sync(payload.json, schema.tables[table].name)
      let story = """
        seed \(seed), step \(step): \(payload.json) into \(schema.tables[table].name), \(before)
        """
      XCTAssertFalse(report.isPartial, "\(story): \(report)")
      try compare(database, model, "\(story), of \(schema.statements)")
      // Where the database itself deletes rows, a second sync has more to do.
      guard schema.onDelete == "SET NULL" else { continue }
      let again = try await database.sync(payload.json, schema.tables[table].name)
      XCTAssertEqual(again.status, .unchanged, "again, \(story): \(again)")
    }
  }

  private func compare(_ database: TestDatabase, _ model: NaiveModel, _ story: String) throws {
    for (place, table) in model.schema.tables.enumerated() {
      XCTAssertEqual(try database.table(table.name), model.table(place), "\(table.name), \(story)")
    }
    for (place, link) in model.schema.links.enumerated() {
      let name = model.schema.tables[link.one].singular + "_" + model.schema.tables[link.other].name
      XCTAssertEqual(
        try database.rows("SELECT * FROM \(name) ORDER BY 1, 2"), model.link(place),
        "\(name), \(story)")
    }
  }
}
