import OneWaySynchronizer
@testable import RecordSync
import SyncDatabase
import XCTest

/// Ways in which a live row could have been lost; a review found them.
final class NothingIsLostTests: XCTestCase {
  func testARowWhoseAddressChangesStays() async throws {
    let cities = try TestDatabase(
      """
      CREATE TABLE cities (name TEXT COLLATE NOCASE PRIMARY KEY, size INTEGER) WITHOUT ROWID;
      INSERT INTO cities VALUES ('paris', 1)
      """)
    try await cities.sync(#"[{"name": "Paris"}]"#, "cities")
    XCTAssertEqual(try cities.table("cities"), ["Paris|1"])
    let items = try TestDatabase(
      """
      CREATE TABLE items (pk INTEGER PRIMARY KEY, remote_id TEXT UNIQUE);
      INSERT INTO items VALUES (3, 'a')
      """)
    try await items.sync(#"[{"remote_id": "a", "pk": 5}]"#, "items")
    XCTAssertEqual(try items.table("items"), ["5|a"])
    let parts = try TestDatabase(
      """
      CREATE TABLE parts (tenant INTEGER DEFAULT 1, uuid TEXT, PRIMARY KEY (tenant, uuid))
        WITHOUT ROWID
      """)
    var overrides = SchemaOverrides()
    overrides.tables["parts", default: .init()].key = ["uuid"]
    try await parts.sync(#"[{"uuid": "x"}]"#, "parts", overrides: overrides)
    XCTAssertEqual(try parts.table("parts"), ["1|x"])
  }

  func testWhatHangsOnARefusedRowCountsAsPresent() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users);
      INSERT INTO users VALUES (1, 'a'); INSERT INTO notes VALUES (10, 1)
      """)
    try await database.sync(
      #"[{"id": 1, "notes": []}, {"id": 2, "name": null, "notes": [{"id": 10}]}]"#, "users")
    XCTAssertEqual(try database.table("notes"), ["10|1"])
    let staff = try TestDatabase(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, mail TEXT UNIQUE);
      CREATE TABLE staff (id INTEGER PRIMARY KEY REFERENCES people, wage INTEGER);
      INSERT INTO people VALUES (1, 'a'), (2, 'b'); INSERT INTO staff VALUES (1, 10)
      """)
    try await staff.sync(#"[{"id": 1, "mail": "b"}]"#, "staff")
    XCTAssertEqual(try staff.table("staff"), ["1|10"])
    XCTAssertEqual(try staff.table("people"), ["1|a", "2|b"])
  }

  func testAnArrayInWhichNothingCanBeUsedEmptiesNothing() async throws {
    for array in [#"["a", "b"]"#, "[null]", #"[{"text": "x"}]"#] {
      for name in ["notes", "note_ids"] {
        let database = try TestDatabase(
          """
          CREATE TABLE users (id INTEGER PRIMARY KEY);
          CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, user_id INTEGER REFERENCES users);
          INSERT INTO users VALUES (1); INSERT INTO notes VALUES (10, 't', 1)
          """)
        try await database.sync(#"[{"id": 1, "\#(name)": \#(array)}]"#, "users")
        XCTAssertEqual(try database.table("notes"), ["10|t|1"], "\(name) \(array)")
      }
    }
  }

  func testWhoWaitedForAValueHasAllOfItsRelationsWritten() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY, mail TEXT UNIQUE);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users);
      INSERT INTO users VALUES (1, 'a'), (2, 'b'); INSERT INTO notes VALUES (10, 1)
      """)
    let payload = #"[{"id": 1, "mail": "b", "notes": [{"id": 50}]}, {"id": 2, "mail": "a"}]"#
    let report = try await database.sync(payload, "users")
    XCTAssertFalse(report.isPartial, "\(report)")
    XCTAssertEqual(try database.table("users"), ["1|b", "2|a"])
    XCTAssertEqual(try database.table("notes"), ["50|1"])
    let again = try await database.sync(payload, "users")
    XCTAssertEqual(again.status, .unchanged)
  }

  func testALinkToARowWhoseUpdateIsRefusedStays() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY);
      CREATE TABLE tags (pk INTEGER PRIMARY KEY, remote_id TEXT UNIQUE, name TEXT NOT NULL);
      CREATE TABLE user_tags (user_id INTEGER REFERENCES users, tag_id INTEGER REFERENCES tags (pk),
        PRIMARY KEY (user_id, tag_id));
      INSERT INTO users VALUES (1); INSERT INTO tags VALUES (7, 'a', 'A');
      INSERT INTO user_tags VALUES (1, 7)
      """)
    var overrides = SchemaOverrides()
    overrides.tables["tags", default: .init()].key = ["remote_id"]
    try await database.sync(
      #"[{"id": 1, "tags": [{"remote_id": "a", "name": null}]}]"#, "users", overrides: overrides)
    XCTAssertEqual(try database.table("user_tags"), ["1|7"])
  }

  func testInsertingAloneWritesReferencesAheadToo() async throws {
    let database = try TestDatabase(
      "CREATE TABLE users (id INTEGER PRIMARY KEY, boss_id INTEGER REFERENCES users)")
    try await database.sync(#"[{"id": 1, "boss_id": 2}, {"id": 2}]"#, "users") {
      $0.operations = .insert
    }
    XCTAssertEqual(try database.table("users"), ["1|2", "2|NULL"])
  }

  func testTwinsOutsideOfWhatThePayloadSpeaksOfStay() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE items (tenant INTEGER, remote_id INTEGER, name TEXT);
      INSERT INTO items VALUES (1, 5, 'one'), (2, 5, 'two')
      """)
    let report = try await database.sync(#"[{"remote_id": 5}]"#, "items") {
      $0.scope = RecordScope(condition: "tenant = ?", values: [1])
    }
    XCTAssertEqual(report.status, .unchanged)
    XCTAssertEqual(report.tables["items"]?.twins.map(\.integer), [5])
    XCTAssertEqual(
      try database.rows("SELECT * FROM items ORDER BY 1"), ["1|5|one", "2|5|two"])
  }

  func testAPayloadThatIsNoUTF8ChangesNothing() async throws {
    let database = try TestDatabase(
      "CREATE TABLE p (id TEXT PRIMARY KEY, n TEXT); INSERT INTO p VALUES ('Müller', 'a')")
    let store = try await RecordStore(path: database.path)
    for part in [[0xFC], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80]]
      as [[UInt8]]
    {
      let bytes = Array(#"[{"id":"M"#.utf8) + part + Array(#"ller","n":"b"}]"#.utf8)
      do {
        _ = try await store.sync(.bytes(bytes), into: "p")
        XCTFail("\(part) was taken")
      } catch let problem as PayloadProblem {
        XCTAssertEqual(
          problem, .notJSON(reason: "a byte that is no UTF-8", .init(offset: 9, element: 1)))
      }
    }
    XCTAssertEqual(try database.table("p"), ["Müller|a"])
    let report = try await database.sync(#"[{"id":"Müller","n":"é 漢 🗂"}]"#, "p")
    XCTAssertFalse(report.isPartial)
    XCTAssertEqual(try database.table("p"), ["Müller|é 漢 🗂"])
  }

  func testARowThatATriggerLeavesOutIsToldOf() async throws {
    let database = try TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)")
    try database.run("INSERT INTO t VALUES (1, 'a')")
    for kind in ["INSERT", "UPDATE"] {
      try database.run(
        "CREATE TRIGGER no_\(kind) BEFORE \(kind) ON t BEGIN SELECT RAISE(IGNORE); END")
    }
    let report = try await database.sync(#"[{"id":1,"n":"b"},{"id":2,"n":"c"}]"#, "t")
    XCTAssertEqual(report.tables["t"]?.inserted, [])
    XCTAssertEqual(report.tables["t"]?.updated, [])
    XCTAssertEqual(
      report.tables["t"]?.refused.map(\.reason), ["a trigger left it out", "a trigger left it out"])
    XCTAssertEqual(try database.table("t"), ["1|a"])
  }
}
