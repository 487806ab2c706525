import Foundation
@testable import RecordSync
import XCTest

/// References that led nowhere and are remembered.
final class RememberedReferenceTests: XCTestCase {
  private let people = """
    CREATE TABLE companies (id INTEGER PRIMARY KEY);
    CREATE TABLE users (id INTEGER PRIMARY KEY, company_id INTEGER REFERENCES companies);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users);
    CREATE TABLE tags (id INTEGER PRIMARY KEY);
    CREATE TABLE user_tags (user_id INTEGER REFERENCES users ON DELETE CASCADE,
      tag_id INTEGER REFERENCES tags ON DELETE CASCADE, PRIMARY KEY (user_id, tag_id));
    INSERT INTO tags VALUES (1);
    INSERT INTO users VALUES (9, NULL)
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
    XCTAssertEqual(
      try database.rows("SELECT * FROM user_tags ORDER BY 2"), ["1|1", "1|2"])
    let notes = try await sync(database, #"[{"id": 3}]"#, "notes")
    XCTAssertEqual(try database.table("notes"), ["3|1"])
    XCTAssertTrue(notes.hasChanges)
    XCTAssertEqual(try database.table("recordsync_unresolved"), [])
    let again = try await sync(database, users, "users")
    XCTAssertEqual(again.status, .unchanged)
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
