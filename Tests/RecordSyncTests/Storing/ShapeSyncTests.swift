@testable import RecordSync
import TestSupport
import XCTest

/// Tables of every shape: keys of several columns, without row numbers, of other collations; tables
/// that extend others; one-to-one; deep names.
final class ShapeSyncTests: XCTestCase {
  func testKeysOfSeveralColumnsAndTablesWithoutRowNumbers() async throws {
    for option in ["", " WITHOUT ROWID", " STRICT"] {
      let database = try TestDatabase(
        """
        CREATE TABLE prices (shop TEXT, item INTEGER, price REAL, PRIMARY KEY (shop, item))\(option);
        INSERT INTO prices VALUES ('a', 1, 1.5), ('a', 2, 2.5), ('b', 1, 3.5)
        """)
      try await database.sync(
        """
        [{"shop": "a", "item": 2, "price": 9}, {"shop": "a", "item": "1"},
         {"shop": "c", "item": 1, "price": 0.5}]
        """, "prices")
      XCTAssertEqual(
        try database.rows("SELECT * FROM prices ORDER BY shop, item"),
        ["a|1|1.5", "a|2|9.0", "c|1|0.5"], option)
    }
  }

  func testAKeyIsFoundAsItsCollationHasItAndGetsTheNewSpelling() async throws {
    let database = try TestDatabase(
      "cities (name TEXT PRIMARY KEY COLLATE NOCASE, size INTEGER)",
      "cities = ('paris', 1), ('Rome', 2)")
    let report = try await database.sync(
      #"[{"name": "Paris"}, {"name": "ROME"}, {"name": "rome", "size": 3}]"#, "cities")
    XCTAssertEqual(try database.table("cities"), ["Paris|1", "rome|3"])
    XCTAssertEqual(report.tables["cities"]?.inserted, [])
    XCTAssertEqual(report.tables["cities"]?.duplicates, 1)
  }

  func testAnExtensionWritesAndDeletesBoth() async throws {
    let database = try TestDatabase(
      "people: name TEXT; staff (id INTEGER PRIMARY KEY REFERENCES people, wage INTEGER)",
      "people = (1, 'Ann'), (2, 'Ben'), (3, 'Cid'); staff = (1, 10), (2, 20)")
    try await database.sync(
      #"[{"id": 1, "name": "Anna", "wage": 11}, {"id": 4, "name": "Dan", "wage": 40}]"#, "staff")
    XCTAssertEqual(try database.table("staff"), ["1|11", "4|40"])
    XCTAssertEqual(try database.table("people"), ["1|Anna", "3|Cid", "4|Dan"])
    try await database.sync(#"[{"id": 1}, {"id": 3}]"#, "people")
    XCTAssertEqual(try database.table("staff"), ["1|11"])
    XCTAssertEqual(try database.table("people"), ["1|Anna", "3|Cid"])
  }

  /// What is inserted into the base has the key of its object, and not the next number.
  func testAnExtensionsBaseHasItsKeyAndRelationsOfItsOwn() async throws {
    let database = try TestDatabase(
      "cars: color TEXT; racecars (id INTEGER PRIMARY KEY REFERENCES cars(id), speed INTEGER)",
      "passengers: name TEXT, car_id REFERENCES cars")
    let payload =
      #"[{"id": 31, "speed": 370, "color": "red", "passengers": [{"id": 22, "name": "B"}]}]"#
    try await assertFalse(database.sync(payload, "racecars").isPartial)
    XCTAssertEqual(try database.table("cars"), ["31|red"])
    XCTAssertEqual(try database.table("racecars"), ["31|370"])
    XCTAssertEqual(try database.table("passengers"), ["22|B|31"])
    try await assertEqual(database.sync(payload, "racecars").status, .unchanged)
    let texts = try TestDatabase(
      "CREATE TABLE cars (id TEXT PRIMARY KEY, color TEXT)",
      "CREATE TABLE racecars (id TEXT PRIMARY KEY REFERENCES cars(id), speed INTEGER)")
    try await texts.sync(#"[{"id": "a", "speed": 370, "color": "red"}]"#, "racecars")
    XCTAssertEqual(try texts.table("cars"), ["a|red"])
  }

  /// A key that must be given is given by nobody: each sync inserted one more row without.
  func testAnObjectWithoutKeyIsSkippedWhereNothingGivesItOne() async throws {
    let database = try TestDatabase(
      "z (id TEXT PRIMARY KEY, body TEXT); stories: z_id TEXT REFERENCES z")
    for payload in [
      #"[{"id": 1, "z": {"body": "x"}}]"#, #"[{"id": 1, "z": {"id": null, "body": "x"}}]"#,
    ] {
      for _ in 0..<2 {
        try await assertEqual(database.sync(payload, "stories").tables["z"]?.skipped, 1)
        XCTAssertEqual(try database.table("z"), [])
        XCTAssertEqual(try database.table("stories"), ["1|NULL"])
      }
    }
    try await database.sync(#"[{"id": 1, "z": {"id": "a", "body": "x"}}]"#, "stories")
    try await database.sync(#"[{"id": 1, "z": {"body": "y"}}]"#, "stories")
    XCTAssertEqual(try database.table("z"), ["a|y"])
  }

  func testAnObjectWithoutKeyThatNothingNamesAnyMoreIsNoRow() async throws {
    let database = try TestDatabase("z: body TEXT; stories: z_id -> z")
    for _ in 0..<2 {
      try await database.sync(
        #"[{"id": 1, "z": {"body": "x"}}, {"id": 1, "z": {"body": "y"}}]"#, "stories")
      XCTAssertEqual(try database.table("z"), ["1|y"])
    }
  }

  func testAOneToOneIsKeptFromBothSides() async throws {
    let database = try TestDatabase(
      "users: name TEXT; profiles: bio TEXT, user_id INTEGER UNIQUE REFERENCES users",
      "users = (1, 'Ann'), (2, 'Ben'); profiles = (1, 'one', 1), (2, 'two', 2)")
    try await database.sync(
      #"[{"id": 1, "profile": {"id": 5, "bio": "five"}}, {"id": 2, "profile": {"bio": "TWO"}}]"#,
      "users")
    XCTAssertEqual(try database.table("profiles"), ["2|TWO|2", "5|five|1"])
    try await database.sync(#"[{"id": 1, "profile": null}, {"id": 2}]"#, "users")
    XCTAssertEqual(try database.table("profiles"), ["2|TWO|2", "5|five|NULL"])
  }

  func testAnObjectWithoutKeyIsTheRowThatIsLinkedOrANewOne() async throws {
    let database = try TestDatabase(
      "places: city TEXT; users: place_id -> places; places = (7, 'Oslo')",
      "users = (1, 7), (2, NULL)")
    try await database.sync(
      #"[{"id": 1, "place": {"city": "Bergen"}}, {"id": 2, "place": {"city": "Rome"}}]"#, "users")
    XCTAssertEqual(try database.table("places"), ["7|Bergen", "8|Rome"])
    XCTAssertEqual(try database.table("users"), ["1|7", "2|8"])
    // A key that is null is none.
    try await database.sync(
      #"[{"id": 1, "place": {"id": null, "city": "Turku"}}, {"id": 2, "place": null}]"#, "users")
    XCTAssertEqual(try database.table("places"), ["7|Turku", "8|Rome"])
  }

  func testColumnsAreFilledFromDeepInsideAndClearedTogether() async throws {
    let database = try TestDatabase(
      "users: city TEXT, zip TEXT; users = (1, 'Oslo', '1'), (2, 'Rome', '2')")
    var overrides = SchemaOverrides()
    for (column, path) in [("city", "address.city"), ("zip", "address.code.zip")] {
      overrides.tables["users", default: .init()].columns[column, default: .init()].name = path
    }
    try await database.sync(
      #"[{"id": 1, "address": {"code": {"zip": "9"}}}, {"id": 2, "address": null}]"#, "users",
      overrides: overrides)
    XCTAssertEqual(try database.table("users"), ["1|Oslo|9", "2|NULL|NULL"])
  }

  func testRowsThatShareAKeyAreMadeOneAndTheOldestStays() async throws {
    let database = try TestDatabase(
      "users (remote_id INTEGER, name TEXT); users = (1, 'a'), (1, 'b'), (2, 'c'), (2, 'd')")
    let kept = try await database.sync(#"[{"id": 1, "name": "x"}, {"id": 2}]"#, "users") {
      $0.operations = .keep
    }
    XCTAssertEqual(kept.tables["users"]?.twins.map(\.integer), [1, 2])
    XCTAssertFalse(kept.isPartial)
    XCTAssertEqual(
      try database.rows("SELECT * FROM users ORDER BY 1, 2"), ["1|b", "1|x", "2|c", "2|d"])
    try await assertEqual(database.sync(#"[{"id": 1}]"#, "users").tables["users"]?.twins, [])
    XCTAssertEqual(try database.table("users"), ["1|x"])
  }

  func testGeneratedColumnsAreNotWrittenAndTriggersRun() async throws {
    let database = try TestDatabase(
      "items: net INTEGER, gross INTEGER AS (net * 2); log (what TEXT)")
    try database.run(
      "CREATE TRIGGER seen AFTER INSERT ON items BEGIN INSERT INTO log VALUES (new.id); END")
    try await database.sync(#"[{"id": 1, "net": 3, "gross": 99}]"#, "items")
    XCTAssertEqual(try database.table("items"), ["1|3|6"])
    XCTAssertEqual(try database.rows("SELECT * FROM log"), ["1"])
  }

  func testAnExtensionTakesTheRowThatItExtendsIfItIsThere() async throws {
    let database = try TestDatabase(
      "people: name TEXT; staff (id INTEGER PRIMARY KEY REFERENCES people, wage INTEGER)",
      "people = (1, 'Ann'), (2, 'Ben')")
    let report = try await database.sync(
      #"[{"id": 1, "wage": 10}, {"id": 2, "name": "Bo", "wage": 20}]"#, "staff")
    XCTAssertEqual(try database.table("staff"), ["1|10", "2|20"])
    XCTAssertEqual(try database.table("people"), ["1|Ann", "2|Bo"])
    XCTAssertEqual(report.tables["staff"]?.inserted.map(\.integer), [1, 2])
    XCTAssertEqual(report.tables["people"]?.inserted, [])
    XCTAssertEqual(report.tables["people"]?.updated.map(\.key.integer), [2])
  }
}
