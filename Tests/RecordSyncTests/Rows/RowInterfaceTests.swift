import Foundation
import RecordSync
import XCTest

/// One row at a time.
final class RowInterfaceTests: XCTestCase {
  private func library() throws -> TestDatabase {
    try TestDatabase(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, full_name TEXT, active BOOLEAN, born DATETIME,
        prefs JSON, photo BLOB);
      CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT,
        user_id INTEGER REFERENCES users ON DELETE CASCADE);
      CREATE TABLE tags (id TEXT PRIMARY KEY);
      CREATE TABLE post_tags (post_id INTEGER REFERENCES posts ON DELETE CASCADE,
        tag_id TEXT REFERENCES tags, PRIMARY KEY (post_id, tag_id));
      INSERT INTO users VALUES (1, 'Ann', 1, '2014-01-02T00:00:00.000Z', '{"a":1}', x'0102'),
        (2, 'Ben', 0, NULL, NULL, NULL);
      INSERT INTO posts VALUES (1, 'One', 1), (2, 'Two', 1);
      INSERT INTO tags VALUES ('a'), ('b');
      INSERT INTO post_tags VALUES (1, 'a'), (2, 'a')
      """)
  }

  private struct User: Codable, Equatable {
    var id: Int64
    var fullName: String
    var active: Bool?
    var born: Date?
  }

  func testARowIsReadAsJSONHasIt() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let read = try await store.row("1", of: "users")
    let row = try XCTUnwrap(read)
    XCTAssertEqual(
      row.values,
      [
        "id": 1, "full_name": "Ann", "active": true, "born": "2014-01-02T00:00:00.000Z",
        "prefs": ["a": 1], "photo": .bytes([1, 2]),
      ])
    XCTAssertEqual(row["full_name"], "Ann")
    let link = try await store.row([1, "a"], of: "post_tags")
    XCTAssertEqual(link?.values, ["post_id": 1, "tag_id": "a"])
    XCTAssertEqual(try database.rows("SELECT count(*) FROM users"), ["2"])
    for absent in [9, "x", nil, [1, 2]] as [RecordValue] {
      let row = try await store.row(absent, of: "users")
      XCTAssertNil(row)
    }
  }

  func testRowsTakeTheTypesOfAProgram() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let ann = User(
      id: 1, fullName: "Ann", active: true, born: Date(timeIntervalSince1970: 1_388_620_800))
    let read = try await store.row(1, of: "users", as: User.self)
    XCTAssertEqual(read, ann)
    let dan = User(id: 4, fullName: "Dan", active: false, born: Date(timeIntervalSince1970: 0.5))
    try await store.put(.encoding(dan), into: "users")
    let again = try await store.row(4, of: "users", as: User.self)
    XCTAssertEqual(again, dan)
    let report = try await store.put(.encoding(dan), into: "users")
    XCTAssertEqual(report.status, .unchanged)
    XCTAssertEqual(
      try database.rows("SELECT born FROM users WHERE id = 4"), ["1970-01-01T00:00:00.500Z"])
  }

  func testPutInsertsOrChangesOneRowAndDeletesNothing() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let report = try await store.put(
      .value(["id": 1, "fullName": "Bea", "posts": [["id": 1, "tag_ids": ["b"]], ["id": 3]]]),
      into: "users")
    XCTAssertEqual(report.tables["users"]?.updated.map(\.columns), [["full_name"]])
    XCTAssertEqual(try database.table("posts"), ["1|One|1", "2|Two|1", "3|NULL|1"])
    XCTAssertEqual(try database.table("post_tags"), ["1|a", "1|b", "2|a"])
    XCTAssertEqual(try database.rows("SELECT id FROM users"), ["1", "2"])
    for payload in ["[]", "[{\"id\": 1}, {\"id\": 2}]", "[7]"] {
      await XCTAssertThrowsAsync(try await store.put(.text(payload), into: "users")) {
        XCTAssertTrue($0 is RowError, "\($0)")
      }
    }
    await XCTAssertThrowsAsync(try await store.put(.text(#"{"fullName": "x"}"#), into: "users")) {
      XCTAssertTrue($0 is PayloadProblem, "\($0)")
    }
  }

  func testUpdateChangesARowThatIsThere() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let report = try await store.update(2, of: "users", with: .text(#"{"full_name": "Bob"}"#))
    XCTAssertEqual(report.status, .written)
    let absent = try await store.update(7, of: "users", with: .text(#"{"full_name": "Eve"}"#))
    XCTAssertEqual(absent, RecordReport(status: .unchanged))
    XCTAssertEqual(try database.rows("SELECT id, full_name FROM users"), ["1|Ann", "2|Bob"])
  }

  func testAnotherKeyTakesItsLinksAlongUnlessItIsTaken() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    await XCTAssertThrowsAsync(
      try await store.update(1, of: "users", with: .text(#"{"id": 2, "full_name": "x"}"#))
    ) { error in
      guard case .keyTaken("users", let key)? = error as? RowError else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(key.integer, 2)
    }
    let report = try await store.update(
      1, of: "users", with: .text(#"{"id": 9, "full_name": "Zoe"}"#))
    XCTAssertEqual(
      report.tables["users"]?.updated.map(\.columns), [["id", "full_name"]])
    XCTAssertEqual(try database.rows("SELECT id, full_name FROM users"), ["2|Ben", "9|Zoe"])
    XCTAssertEqual(try database.table("posts"), ["1|One|9", "2|Two|9"])
    try await store.update("a", of: "tags", with: .text(#"{"id": "z"}"#))
    XCTAssertEqual(try database.table("post_tags"), ["1|z", "2|z"])
  }

  func testDeleteTakesOneRowWithWhatTheDatabaseDeletesWithIt() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let report = try await store.delete(1, from: "users")
    XCTAssertEqual(report.tables["users"]?.deleted.map(\.integer), [1])
    XCTAssertEqual(try database.rows("SELECT id FROM users"), ["2"])
    XCTAssertEqual(try database.table("posts"), [])
    let again = try await store.delete(1, from: "users")
    XCTAssertEqual(again, RecordReport(status: .unchanged))
  }

  func testValuesAreMappedWithoutWriting() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let values = try await store.values(
      of: .text(#"{"fullName": "Eve", "active": "yes", "born": "2014-01-02", "photo": 1}"#),
      in: "users")
    XCTAssertEqual(
      values, ["full_name": "Eve", "active": 1, "born": "2014-01-02T00:00:00.000Z"])
    XCTAssertEqual(try database.rows("SELECT count(*) FROM users"), ["2"])
  }
}
