@testable import RecordSync
import TestSupport
import XCTest

/// What `--create` takes for one only where something says so.
final class KeptApartTests: XCTestCase {
  func testObjectsThatShareOnlyTheirKeyStayApart() async throws {
    let database = try TestDatabase()
    let payload = #"""
      [{"id": 1, "items": [{"id": 1, "sku": "S", "options": [{"id": 1, "size": "L"}]}],
        "options": [{"id": 1, "gift": true}]}]
      """#
    let report = try await database.create(payload, "orders")
    let tables = report.made.compactMap { change in
      if case .table(let table) = change { table } else { nil }
    }
    XCTAssertFalse(
      tables.contains { table in
        let names = table.columns.map(\.name)
        return names.contains("size") && names.contains("gift")
      }, "\(report.made)")
    try await assertEqual(database.create(payload, "orders").status, .unchanged)
    let exported = try await database.export("orders")
    XCTAssertTrue(exported.contains(#""size":"L""#) && exported.contains(#""gift":true"#), exported)
  }

  /// Keys that a table holds for one are one, however objects spell them.
  func testKeysAreToldApartAsTheirTableDoes() async throws {
    let (large, small) = (
      "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    )
    let payload = #"""
      [{"id":1,"notes":[{"id":"\#(large)","b":"x"}]},{"id":2,"notes":[{"id":"\#(small)","b":"y"}]}]
      """#
    for key in ["TEXT PRIMARY KEY COLLATE NOCASE", "UUID PRIMARY KEY"] {
      let database = try TestDatabase(
        "CREATE TABLE notes (id \(key), b TEXT); CREATE TABLE tops (id INTEGER PRIMARY KEY)")
      try await database.create(payload, "tops")
      XCTAssertEqual(
        try database.rows("SELECT top_id, lower(id), b FROM tops_notes ORDER BY 1"),
        ["1|\(small)|x", "2|\(small)|y"], key)
      XCTAssertEqual(try database.table("notes"), [], key)
    }
  }

  func testAChildOfAForeignKeyThatWasThereMoves() async throws {
    let payload = #"[{"id": 2, "notes": [{"id": 1}]}]"#
    for creates in [false, true] {
      let database = try TestDatabase(
        "CREATE TABLE posts (id INTEGER PRIMARY KEY)",
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, post_id INTEGER REFERENCES posts)",
        "INSERT INTO posts VALUES (1), (2)", "INSERT INTO notes VALUES (1, 1)")
      if creates {
        try await database.create(payload, "posts") { $0.operations = .keep }
      } else {
        try await database.sync(payload, "posts") { $0.operations = .keep }
      }
      XCTAssertEqual(try database.table("notes"), ["1|2"], "\(creates)")
    }
  }
}
