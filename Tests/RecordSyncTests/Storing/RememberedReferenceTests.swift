import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// References that led nowhere and are remembered.
final class RememberedReferenceTests: XCTestCase {
  private let people = """
    companies:; users: company_id -> companies; notes: user_id -> users; tags:;
    user_tags (user_id -> users ON DELETE CASCADE, tag_id -> tags ON DELETE CASCADE,
      PRIMARY KEY (user_id, tag_id));
    tags = (1); users = (9, NULL)
    """
  private var remembering: SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.remembersUnresolved = true
    return overrides
  }

  private func sync(
    _ database: TestDatabase, _ json: String, _ table: String
  ) async throws -> RecordReport {
    try await database.sync(json, table, overrides: remembering)
  }

  func testTheyAreLinkedOnceTheirTargetsHaveCome() async throws {
    let database = try TestDatabase(people)
    let users = #"[{"id": 1, "company_id": 5, "tags": [1, 2], "note_ids": [3]}, {"id": 9}]"#
    _ = try await sync(database, users, "users")
    XCTAssertEqual(try database.table("users"), ["1|NULL", "9|NULL"])
    XCTAssertEqual(try database.table("recordsync_unresolved").count, 3)

    let companies = try await sync(database, #"[{"id": 5}]"#, "companies")
    XCTAssertEqual(try database.table("users"), ["1|5", "9|NULL"])
    XCTAssertEqual(companies.tables["users"]?.updated.map(\.columns), [["company_id"]])
    _ = try await sync(database, #"[{"id": 1}, {"id": 2}]"#, "tags")
    XCTAssertEqual(try database.rows("SELECT * FROM user_tags ORDER BY 2"), ["1|1", "1|2"])
    let notes = try await sync(database, #"[{"id": 3}]"#, "notes")
    XCTAssertEqual(try database.table("notes"), ["3|1"])
    XCTAssertTrue(notes.hasChanges)
    XCTAssertEqual(try database.table("recordsync_unresolved"), [])
    try await assertEqual(sync(database, users, "users").status, .unchanged)
  }

  func testWhatARowIsGivenMeanwhileTakesTheirPlace() async throws {
    let database = try TestDatabase(people)
    _ = try await sync(database, #"[{"id": 1, "company_id": 5}, {"id": 9, "company": 6}]"#, "users")
    _ = try await sync(database, #"[{"id": 1, "company": null}, {"id": 9, "name": 1}]"#, "users")
    _ = try await sync(database, #"[{"id": 5}, {"id": 6}]"#, "companies")
    XCTAssertEqual(try database.table("users"), ["1|NULL", "9|6"])
  }

  func testWhatAnotherProgramWroteMeanwhileStays() async throws {
    let database = try TestDatabase(people)
    _ = try await sync(
      database, #"[{"id": 1, "company_id": 5, "note_ids": [3, 4]}, {"id": 9, "company": 6}]"#,
      "users")
    try database.run("INSERT INTO companies VALUES (7)")
    try database.run("UPDATE users SET company_id = 7 WHERE id = 1")
    _ = try await sync(database, #"[{"id": 5}, {"id": 6}, {"id": 7}]"#, "companies")
    XCTAssertEqual(try database.table("users"), ["1|7", "9|6"])
    try database.run("INSERT INTO notes VALUES (3, 9)")
    _ = try await sync(database, #"[{"id": 3}, {"id": 4}]"#, "notes")
    XCTAssertEqual(try database.table("notes"), ["3|9", "4|1"])
    XCTAssertEqual(try database.table("recordsync_unresolved"), [])
  }

  func testTheyAreRememberedThoughNothingElseHasToBeWrittenAndOnlyOnce() async throws {
    let database = try TestDatabase(people)
    let first = try await sync(database, #"[{"id": 9, "company_id": 6}]"#, "users")
    XCTAssertEqual(first.status, .unchanged)
    XCTAssertEqual(try database.table("recordsync_unresolved"), ["users|9|company_id|6|NULL"])
    let before = try Data(contentsOf: URL(filePath: database.path))
    _ = try await sync(database, #"[{"id": 9, "company_id": 6}]"#, "users")
    XCTAssertEqual(try Data(contentsOf: URL(filePath: database.path)), before)
  }

  func testARowThatIsGoneIsForgottenAndWithoutTheWishNothingIsRemembered() async throws {
    let database = try TestDatabase(people)
    _ = try await sync(database, #"[{"id": 1, "company_id": 5}, {"id": 9}]"#, "users")
    _ = try await sync(database, #"[{"id": 9}]"#, "users")
    _ = try await sync(database, #"[{"id": 5}]"#, "companies")
    XCTAssertEqual(try database.table("recordsync_unresolved"), [])
    let other = try TestDatabase(people)
    try await other.sync(#"[{"id": 9, "company_id": 5}]"#, "users")
    XCTAssertEqual(try other.rows("SELECT name FROM sqlite_schema WHERE name GLOB 'record*'"), [])
  }
}
