import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// One row at a time.
final class RowInterfaceTests: XCTestCase {
  private func library() throws -> TestDatabase {
    try TestDatabase(
      """
      users: full_name TEXT, active BOOLEAN, born DATETIME, prefs JSON, photo BLOB;
      posts: title TEXT, user_id -> users ON DELETE CASCADE; tags (id TEXT PRIMARY KEY);
      post_tags (post_id -> posts ON DELETE CASCADE, tag_id TEXT REFERENCES tags,
        PRIMARY KEY (post_id, tag_id));
      users = (1, 'Ann', 1, '2014-01-02T00:00:00.000Z', '{"a":1}', x'0102'),
        (2, 'Ben', 0, NULL, NULL, NULL);
      posts = (1, 'One', 1), (2, 'Two', 1); tags = ('a'), ('b'); post_tags = (1, 'a'), (2, 'a')
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
      try await assertNil(store.row(absent, of: "users"))
    }
  }

  func testRowsTakeTheTypesOfAProgram() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let ann = User(
      id: 1, fullName: "Ann", active: true, born: Date(timeIntervalSince1970: 1_388_620_800))
    try await assertEqual(store.row(1, of: "users", as: User.self), ann)
    let dan = User(id: 4, fullName: "Dan", active: false, born: Date(timeIntervalSince1970: 0.5))
    try await store.put(.encoding(dan), into: "users")
    try await assertEqual(store.row(4, of: "users", as: User.self), dan)
    try await assertEqual(store.put(.encoding(dan), into: "users").status, .unchanged)
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
      await assertThrows(RecordError.self, try await store.put(.text(payload), into: "users"))
    }
    await assertThrows(
      PayloadProblem.self, try await store.put(.text(#"{"fullName": "x"}"#), into: "users"))
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
    await assertThrows(
      try await store.update(1, of: "users", with: .text(#"{"id": 2, "full_name": "x"}"#))
    ) { error in
      guard case .keyTaken("users", let key)? = error as? RecordError else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(key.integer, 2)
    }
    let report = try await store.update(
      1, of: "users", with: .text(#"{"id": 9, "full_name": "Zoe"}"#))
    XCTAssertEqual(report.tables["users"]?.updated.map(\.columns), [["id", "full_name"]])
    XCTAssertEqual(try database.rows("SELECT id, full_name FROM users"), ["2|Ben", "9|Zoe"])
    XCTAssertEqual(try database.table("posts"), ["1|One|9", "2|Two|9"])
    try await store.update("a", of: "tags", with: .text(#"{"id": "z"}"#))
    XCTAssertEqual(try database.table("post_tags"), ["1|z", "2|z"])
  }

  func testAnotherKeyOfARowThatIsExtendedMovesAllItsParts() async throws {
    for table in ["people", "staff", "bosses"] {
      let database = try TestDatabase(
        "people: name TEXT; staff (id INTEGER PRIMARY KEY REFERENCES people, wage INTEGER)",
        "bosses (id INTEGER PRIMARY KEY REFERENCES staff ON DELETE CASCADE)",
        "guests (id INTEGER PRIMARY KEY REFERENCES people, since INTEGER)",
        "desks: staff_id -> staff, person_id -> people",
        "people = (1, 'Ann'), (2, 'Ben'), (5, 'Eve'); staff = (1, 10), (2, 20); bosses = (1)",
        "guests = (1, 1999), (5, 2000); desks = (1, 1, 1), (2, 2, 1)")
      let store = try await RecordStore(path: database.path)
      let report = try await store.update(1, of: table, with: .text(#"{"id": 9, "name": "Anna"}"#))
      XCTAssertEqual(try database.table("people"), ["2|Ben", "5|Eve", "9|Anna"], table)
      XCTAssertEqual(try database.table("staff"), ["2|20", "9|10"], table)
      XCTAssertEqual(try database.table("bosses"), ["9"], table)
      XCTAssertEqual(try database.table("guests"), ["5|2000", "9|1999"], table)
      XCTAssertEqual(try database.table("desks"), ["1|9|9", "2|2|9"], table)
      XCTAssertEqual(
        report.tables["people"]?.updated, [UpdatedRow(key: key(9), columns: ["id", "name"])])
      // A part of another row has it.
      await assertThrows(try await store.update(9, of: table, with: .text(#"{"id": 5}"#))) {
        XCTAssertEqual($0 as? RecordError, .keyTaken(table: "people", key: key(5)))
      }
      XCTAssertEqual(try database.table("people"), ["2|Ben", "5|Eve", "9|Anna"], table)
    }
  }

  func testAnotherPartOfAKeyIsAnotherKey() async throws {
    let database = try TestDatabase(
      "lines (order_id INTEGER, number INTEGER, text TEXT, PRIMARY KEY (order_id, number))",
      "lines = (1, 1, 'x'), (1, 2, 'y')")
    let store = try await RecordStore(path: database.path)
    let report = try await store.update(
      [1, 1], of: "lines", with: .value(["number": 5, "text": "z"]))
    XCTAssertEqual(try database.table("lines"), ["1|2|y", "1|5|z"])
    XCTAssertEqual(report.tables["lines"]?.updated.map(\.key.values), [[.integer(1), .integer(5)]])
    await assertThrows(
      RecordError.self, try await store.update([1, 2], of: "lines", with: .value(["number": 5])))
    try await store.update([1, 2], of: "lines", with: .value(["text": "only"]))
    XCTAssertEqual(try database.table("lines"), ["1|2|only", "1|5|z"])
  }

  func testAnotherKeyOfSeveralColumnsTakesItsLinksAlong() async throws {
    for option in ["", " WITHOUT ROWID"] {
      let database = try TestDatabase(
        """
        CREATE TABLE orders (id INTEGER PRIMARY KEY);
        CREATE TABLE lines (order_id INTEGER REFERENCES orders, number INTEGER, text TEXT,
          PRIMARY KEY (order_id, number))\(option);
        CREATE TABLE notes (id INTEGER PRIMARY KEY, order_id INTEGER, number INTEGER,
          FOREIGN KEY (order_id, number) REFERENCES lines ON DELETE CASCADE);
        CREATE TABLE parts (number INTEGER, line_order INTEGER, line_number INTEGER,
          PRIMARY KEY (line_order, line_number, number),
          FOREIGN KEY (line_number, line_order) REFERENCES lines (number, order_id))\(option);
        CREATE TABLE bolts (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER,
          FOREIGN KEY (a, b, c) REFERENCES parts ON UPDATE CASCADE);
        INSERT INTO orders VALUES (1), (2);
        INSERT INTO lines VALUES (1, 1, 'x'), (1, 2, 'y');
        INSERT INTO notes VALUES (1, 1, 1), (2, 1, 2), (3, 1, NULL);
        INSERT INTO parts VALUES (7, 1, 1), (7, 1, 2);
        INSERT INTO bolts VALUES (1, 1, 1, 7), (2, 1, 2, 7)
        """)
      let store = try await RecordStore(path: database.path)
      await assertThrows(
        try await store.update([1, 1], of: "lines", with: .value(["order_id": 1, "number": 2]))
      ) {
        XCTAssertTrue($0 is RecordError, "\($0)")
      }
      try await store.update(
        [1, 1], of: "lines", with: .value(["order_id": 2, "number": 5, "text": "z"]))
      XCTAssertEqual(try database.rows("SELECT * FROM lines ORDER BY 1"), ["1|2|y", "2|5|z"])
      XCTAssertEqual(try database.table("notes"), ["1|2|5", "2|1|2", "3|1|NULL"])
      XCTAssertEqual(try database.rows("SELECT * FROM parts ORDER BY 2"), ["7|1|2", "7|2|5"])
      XCTAssertEqual(try database.table("bolts"), ["1|2|5|7", "2|1|2|7"])
      XCTAssertEqual(try database.table("orders"), ["1", "2"])
    }
  }

  private func key(_ number: Int64) -> RecordKey { RecordKey([.integer(number)]) }

  func testDeleteTakesOneRowWithWhatTheDatabaseDeletesWithIt() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let report = try await store.delete(1, from: "users")
    XCTAssertEqual(report.tables["users"]?.deleted.map(\.integer), [1])
    XCTAssertEqual(try database.rows("SELECT id FROM users"), ["2"])
    XCTAssertEqual(try database.table("posts"), [])
    try await assertEqual(store.delete(1, from: "users"), RecordReport(status: .unchanged))
  }

  func testValuesAreMappedWithoutWriting() async throws {
    let database = try library()
    let store = try await RecordStore(path: database.path)
    let values = try await store.values(
      of: .text(#"{"fullName": "Eve", "active": "yes", "born": "2014-01-02", "photo": 1}"#),
      in: "users")
    XCTAssertEqual(values, ["full_name": "Eve", "active": 1, "born": "2014-01-02T00:00:00.000Z"])
    XCTAssertEqual(try database.rows("SELECT count(*) FROM users"), ["2"])
  }

  func testARowIsFoundInWhateverFormItsKeyIsStored() async throws {
    let stored = ["ABCDEF00-0000-0000-0000-000000000001", "{abcdef0000000000000000000000000A}"]
    let database = try TestDatabase("CREATE TABLE t (id UUID PRIMARY KEY, n TEXT)")
    for (place, key) in stored.enumerated() {
      try database.run("INSERT INTO t VALUES ('\(key)', '\(place)')")
    }
    let store = try await RecordStore(path: database.path)
    for (key, name) in [
      ("abcdef00-0000-0000-0000-000000000001", "0"), ("ABCDEF00-0000-0000-0000-000000000001", "0"),
      ("abcdef00-0000-0000-0000-00000000000a", "1"),
    ] {
      try await assertEqual(store.row(.text(key), of: "t")?["n"], .text(name), key)
    }
    try await assertNil(store.row("abcdef00-0000-0000-0000-000000000002", of: "t"))
  }
}
