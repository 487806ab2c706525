@testable import RecordSync
import TestSupport
import XCTest

/// What an export of tables that were made for a payload keeps, and what it doesn't.
final class ExportedAloneTests: XCTestCase {
  private let payload = #"[{"id":1,"notes":[{"id":7},{"id":8}]},{"id":2,"notes":null},{"id":3}]"#

  /// Tables hold no children, and not why.
  func testAParentWithoutChildrenHasAnEmptyArrayWhateverItsPayloadSaid() async throws {
    let database = try TestDatabase()
    try await database.create(payload, "tops")
    let exported = try await database.export("tops")
    XCTAssertTrue(exported.contains(#"{"id":2,"notes":[]}"#), exported)
    XCTAssertTrue(exported.contains(#"{"id":3,"notes":[]}"#), exported)
    try await assertTrue(database.sync(exported, "tops") { $0.isPlan = true }.isEqual, exported)
  }

  /// The nesting names the parent; where there is none, a declared name does.
  func testSharedChildrenNameTheirParentByThemselvesOnlyUnderADeclaredName() async throws {
    let database = try TestDatabase()
    try await database.create(payload, "tops")
    try await assertEqual(
      database.export("notes"), #"[{"id":7,"position":0},{"id":8,"position":1}]"#)
    var overrides = SchemaOverrides()
    overrides.table("notes") { $0.column("top_id") { $0.name = "top_id" } }
    let named = try await database.export("notes", overrides: overrides)
    XCTAssertTrue(named.contains(#"{"id":7,"top_id":1,"position":0}"#), named)
    let moved = named.replacing(#""top_id":1"#, with: #""top_id":3"#)
    try await database.sync(moved, "notes", overrides: overrides)
    XCTAssertEqual(try database.rows("SELECT id, top_id FROM notes"), ["7|3", "8|3"])
  }
}
