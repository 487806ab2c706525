@testable import RecordSync
import XCTest

/// Parents that a relation doesn't tell: of foreign keys over several columns, of defaults, and those
/// that are referred to by another column than their key.
final class ParentTests: XCTestCase {
  private let rooms = """
    rooms (house TEXT, number INTEGER, PRIMARY KEY (house, number));
    beds: house TEXT, number INTEGER, FOREIGN KEY (house, number) REFERENCES rooms ON DELETE CASCADE;
    rooms = ('a', 1), ('a', 2); beds = (1, 'a', 1)
    """

  func testARowWhoseParentOfSeveralColumnsIsMissingIsRefusedAlone() async throws {
    let database = try TestDatabase(rooms)
    let report = try await database.sync(
      """
      [{"id": 1, "house": "z", "number": 1}, {"id": 2, "house": "a", "number": 2},
       {"id": 3, "house": "a", "number": 9}, {"id": 4, "house": null, "number": 9}]
      """, "beds")
    XCTAssertEqual(try database.table("beds"), ["1|a|1", "2|a|2", "4|NULL|9"])
    let refused = report.tables["beds"]?.refused
    XCTAssertEqual(refused?.map(\.key?.integer), [1, 3])
    XCTAssertEqual(Set(refused?.map(\.reason) ?? []), ["FOREIGN KEY constraint failed"])
  }

  func testADefaultThatRefersToNoRowIsRefusedAlone() async throws {
    let database = try TestDatabase("kinds:; things: kind_id INTEGER DEFAULT 7 REFERENCES kinds")
    let report = try await database.sync(#"[{"id": 1}, {"id": 2, "kind": {"id": 3}}]"#, "things")
    XCTAssertEqual(try database.table("things"), ["2|3"])
    XCTAssertEqual(report.tables["things"]?.refused.map(\.key?.integer), [1])
    // It comes later in the payload.
    try await database.sync(#"[{"id": 1}, {"id": 2, "kind": {"id": 7}}]"#, "things")
    XCTAssertEqual(try database.table("things"), ["1|7", "2|7"])
  }

  func testRowsThatTheDatabaseDeletesWithOthersAreToldOnce() async throws {
    let database = try TestDatabase(rooms)
    let report = try await database.sync(#"[{"house": "a", "number": 2}]"#, "rooms")
    XCTAssertEqual(report.tables["rooms"]?.deleted.map(\.description), [#"["a",1]"#])
    XCTAssertEqual(report.tables["beds"]?.deleted.map(\.integer), [1])

    let people = try TestDatabase(
      """
      users:; notes: user_id -> users ON DELETE CASCADE, note_id -> notes ON DELETE CASCADE;
      pins: note_id -> notes ON DELETE SET NULL; tags:;
      user_tags (user_id -> users ON DELETE CASCADE, tag_id -> tags ON DELETE CASCADE,
        PRIMARY KEY (user_id, tag_id));
      users = (1), (2); notes = (1, 1, NULL), (2, NULL, 1), (3, 2, NULL); pins = (1, 2), (2, 3);
      tags = (1), (2); user_tags = (1, 1), (1, 2), (2, 1)
      """)
    let all = try await people.sync(#"[{"id": 2, "notes": []}]"#, "users")
    XCTAssertEqual(all.tables["notes"]?.deleted.compactMap(\.integer).sorted(), [1, 2, 3])
    XCTAssertEqual(all.tables["pins"]?.unlinked, 2)
    XCTAssertEqual(all.tables["user_tags"]?.unlinked, 2)
    XCTAssertEqual(try people.table("notes"), [])
  }

  func testTheNestingSaysTheParentThoughItIsReferredToByAnotherColumn() async throws {
    let database = try TestDatabase(
      "users: code TEXT UNIQUE; notes: user_code TEXT REFERENCES users (code)",
      "users = (1, 'ann'), (2, 'ben')")
    try await database.sync(
      """
      [{"id": 1, "notes": [{"id": 1, "user_code": 2}, {"id": 2, "user_code": 2}]},
       {"id": 2, "notes": [{"id": 2}, {"id": 3, "user_code": null}]}]
      """, "users")
    XCTAssertEqual(try database.table("notes"), ["1|ann", "2|ben", "3|ben"])
  }

  func testAChildThatComesFromAnotherParentHasMovedAndOneThatHadNoneIsLinked() async throws {
    let database = try TestDatabase(
      "users:; notes: text TEXT, user_id -> users; users = (1), (2)",
      "notes = (1, 'a', 1), (2, 'b', 1), (3, 'c', NULL), (4, 'd', 2)")
    let report = try await database.sync(
      """
      [{"id": 1, "notes": [2, 3]},
       {"id": 2, "notes": [{"id": 1, "text": "x"}, {"id": 4}, {"id": 5}]}]
      """, "users")
    let notes = report.tables["notes"]
    XCTAssertEqual(notes?.moved.map(\.integer), [1])
    XCTAssertEqual(
      notes?.updated,
      [UpdatedRow(key: try XCTUnwrap(notes?.moved.first), columns: ["text"])])
    XCTAssertEqual(notes?.linked, 1)
    XCTAssertEqual(notes?.inserted.map(\.integer), [5])
    let scoped = try await database.sync(
      #"[{"id": 4, "user": {"id": 2}}]"#, "notes"
    ) { $0.scope = RecordScope(parent: .init(table: "users", key: .integer(1))) }
    XCTAssertEqual(scoped.tables["notes"]?.moved.map(\.integer), [4])
    XCTAssertEqual(try database.table("notes"), ["1|x|2", "4|d|1", "5|NULL|2"])
  }

  func testAnObjectGoesBeforeAKeyThatDisagreesWhichIsReported() async throws {
    let database = try TestDatabase("companies:; users: company_id -> companies")
    let report = try await database.sync(
      """
      [{"id": 1, "company_id": 4, "company": {"id": 3}},
       {"id": 2, "company": {"id": 3}, "company_id": 3}]
      """, "users")
    XCTAssertEqual(try database.table("users"), ["1|3", "2|3"])
    let mismatched = report.tables["users"]?.mismatched
    XCTAssertEqual(mismatched?.map(\.key?.integer), [1])
    XCTAssertEqual(mismatched?.map(\.came), ["4"])
    XCTAssertEqual(mismatched?.map(\.wanted), ["3, the key of the object under “company”"])
  }
}
