@testable import RecordSync
import TestSupport
import XCTest

/// Ways in which a live row could have been lost; a review found them.
final class NothingIsLostTests: XCTestCase {
  func testARowWhoseAddressChangesStays() async throws {
    let cities = try TestDatabase(
      "cities (name TEXT COLLATE NOCASE PRIMARY KEY, size INTEGER) WITHOUT ROWID",
      "cities = ('paris', 1)")
    try await cities.sync(#"[{"name": "Paris"}]"#, "cities")
    XCTAssertEqual(try cities.table("cities"), ["Paris|1"])
    let items = try TestDatabase(
      "items (pk INTEGER PRIMARY KEY, remote_id TEXT UNIQUE); items = (3, 'a')")
    try await items.sync(#"[{"remote_id": "a", "pk": 5}]"#, "items")
    XCTAssertEqual(try items.table("items"), ["5|a"])
    let parts = try TestDatabase(
      "parts (tenant INTEGER DEFAULT 1, uuid TEXT, PRIMARY KEY (tenant, uuid)) WITHOUT ROWID")
    let overrides = SchemaOverrides.of("parts") { $0.key = ["uuid"] }
    try await parts.sync(#"[{"uuid": "x"}]"#, "parts", overrides: overrides)
    XCTAssertEqual(try parts.table("parts"), ["1|x"])
  }

  func testWhatHangsOnARefusedRowCountsAsPresent() async throws {
    let database = try TestDatabase(
      "users: name TEXT NOT NULL; notes: user_id -> users; users = (1, 'a'); notes = (10, 1)")
    try await database.sync(
      #"[{"id": 1, "notes": []}, {"id": 2, "name": null, "notes": [{"id": 10}]}]"#, "users")
    XCTAssertEqual(try database.table("notes"), ["10|1"])
    let staff = try TestDatabase(
      "people: mail TEXT UNIQUE; staff (id INTEGER PRIMARY KEY REFERENCES people, wage INTEGER)",
      "people = (1, 'a'), (2, 'b'); staff = (1, 10)")
    try await staff.sync(#"[{"id": 1, "mail": "b"}]"#, "staff")
    XCTAssertEqual(try staff.table("staff"), ["1|10"])
    XCTAssertEqual(try staff.table("people"), ["1|a", "2|b"])
  }

  func testAnArrayInWhichNothingCanBeUsedEmptiesNothing() async throws {
    for array in [#"["a", "b"]"#, "[null]", #"[{"text": "x"}]"#] {
      for name in ["notes", "note_ids"] {
        let database = try TestDatabase(
          "users:; notes: text TEXT, user_id -> users; users = (1); notes = (10, 't', 1)")
        try await database.sync(#"[{"id": 1, "\#(name)": \#(array)}]"#, "users")
        XCTAssertEqual(try database.table("notes"), ["10|t|1"], "\(name) \(array)")
      }
    }
  }

  func testWhoWaitedForAValueHasAllOfItsRelationsWritten() async throws {
    let database = try TestDatabase(
      "users: mail TEXT UNIQUE; notes: user_id -> users; users = (1, 'a'), (2, 'b')",
      "notes = (10, 1)")
    let payload = #"[{"id": 1, "mail": "b", "notes": [{"id": 50}]}, {"id": 2, "mail": "a"}]"#
    let report = try await database.sync(payload, "users")
    XCTAssertFalse(report.isPartial, "\(report)")
    XCTAssertEqual(try database.table("users"), ["1|b", "2|a"])
    XCTAssertEqual(try database.table("notes"), ["50|1"])
    try await assertEqual(database.sync(payload, "users").status, .unchanged)
  }

  func testALinkToARowWhoseUpdateIsRefusedStays() async throws {
    let database = try TestDatabase(
      "users:; tags (pk INTEGER PRIMARY KEY, remote_id TEXT UNIQUE, name TEXT NOT NULL)",
      "user_tags (user_id -> users, tag_id -> tags (pk), PRIMARY KEY (user_id, tag_id))",
      "users = (1); tags = (7, 'a', 'A'); user_tags = (1, 7)")
    let overrides = SchemaOverrides.of("tags") { $0.key = ["remote_id"] }
    try await database.sync(
      #"[{"id": 1, "tags": [{"remote_id": "a", "name": null}]}]"#, "users", overrides: overrides)
    XCTAssertEqual(try database.table("user_tags"), ["1|7"])
  }

  func testInsertingAloneWritesReferencesAheadToo() async throws {
    let database = try TestDatabase("users: boss_id -> users")
    try await database.sync(#"[{"id": 1, "boss_id": 2}, {"id": 2}]"#, "users") {
      $0.operations = .insert
    }
    XCTAssertEqual(try database.table("users"), ["1|2", "2|NULL"])
  }

  func testTwinsOutsideOfWhatThePayloadSpeaksOfStay() async throws {
    let database = try TestDatabase(
      "items (tenant INTEGER, remote_id INTEGER, name TEXT); items = (1, 5, 'one'), (2, 5, 'two')")
    let report = try await database.sync(#"[{"remote_id": 5}]"#, "items") {
      $0.scope = RecordScope(condition: "tenant = ?", values: [1])
    }
    XCTAssertEqual(report.status, .unchanged)
    XCTAssertEqual(report.tables["items"]?.twins.map(\.integer), [5])
    XCTAssertEqual(try database.rows("SELECT * FROM items ORDER BY 1"), ["1|5|one", "2|5|two"])
  }

  func testAPayloadThatIsNoUTF8ChangesNothing() async throws {
    let database = try TestDatabase("p (id TEXT PRIMARY KEY, n TEXT); p = ('Müller', 'a')")
    let store = try await RecordStore(path: database.path)
    for part in [[0xFC], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80]]
      as [[UInt8]]
    {
      let bytes = Array(#"[{"id":"M"#.utf8) + part + Array(#"ller","n":"b"}]"#.utf8)
      if let problem = await thrown(
        PayloadProblem.self, by: try await store.sync(.bytes(bytes), into: "p"))
      {
        XCTAssertEqual(
          problem, .notJSON(reason: "a byte that is no UTF-8", .init(offset: 9, element: 1)))
      }
    }
    XCTAssertEqual(try database.table("p"), ["Müller|a"])
    try await assertFalse(database.sync(#"[{"id":"Müller","n":"é 漢 🗂"}]"#, "p").isPartial)
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
