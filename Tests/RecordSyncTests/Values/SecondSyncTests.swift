@testable import RecordSync
import TestSupport
import XCTest

/// A payload that came once writes nothing when it comes again, whatever its values became.
final class SecondSyncTests: XCTestCase {
  private func payload(_ values: [String]) -> String {
    let rows = values.enumerated().map { #"{"id": \#($0.offset + 1), "value": \#($0.element)}"# }
    return "[" + rows.joined(separator: ",\n") + "]"
  }

  func testValuesOfEveryTypeAreWrittenOnce() async throws {
    for vectors in ConversionTests.vectors + DateVectors.columns {
      let database = try TestDatabase(
        "CREATE TABLE rows (id INTEGER PRIMARY KEY, value \(vectors.declared))")
      let json = payload(vectors.rows.map(\.json))
      let first = try await database.sync(json, "rows")
      XCTAssertEqual(first.tables["rows"]?.inserted.count, vectors.rows.count, vectors.declared)
      let second = try await database.sync(json, "rows")
      XCTAssertEqual(second.status, .unchanged, "\(vectors.declared): \(second.tables)")
    }
  }

  func testWhatATransformerGivesIsWrittenOnce() async throws {
    let database = try TestDatabase("CREATE TABLE rows (id INTEGER PRIMARY KEY, value INTEGER)")
    var overrides = SchemaOverrides()
    overrides.table("rows") { rows in
      rows.column("value") { $0.transform = Transformer("tenfold", text: { $0 + "0" }) }
    }
    let json = payload([#""12""#, #""x""#, "7", "null"])
    try await assertEqual(database.sync(json, "rows", overrides: overrides).status, .written)
    XCTAssertEqual(try database.table("rows"), ["1|120", "2|x0", "3|7", "4|NULL"])
    let second = try await database.sync(json, "rows", overrides: overrides)
    XCTAssertEqual(second.status, .unchanged, "\(second.tables)")
  }

  func testValuesThatAnotherProgramWroteInItsOwnFormStay() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE rows (id INTEGER PRIMARY KEY, at DATETIME, done BOOLEAN, tag UUID, more JSON);
      INSERT INTO rows VALUES (1, '2014-01-02 10:30:00', 'yes',
        '550E8400-E29B-41D4-A716-446655440000', '{"b": 1, "a": [2.0]}')
      """)
    let json = """
      [{"id": 1, "at": "2014-01-02T11:30:00+01:00", "done": true,
        "tag": "550e8400-e29b-41d4-a716-446655440000", "more": {"a": [2], "b": 1}}]
      """
    let report = try await database.sync(json, "rows")
    XCTAssertEqual(report.status, .unchanged, "\(report.tables)")
  }
}
