@testable import RecordSync
import TestSupport
import XCTest

/// Which column keeps what no other one takes, and which only has such a name.
final class ExtraColumnTests: XCTestCase {
  func testAColumnOfThatNameIsTheUsers() async throws {
    let database = try TestDatabase(
      "CREATE TABLE p (id INTEGER PRIMARY KEY, extra JSON, color TEXT)",
      #"INSERT INTO p VALUES (1, '{"color":"red","z":1}', NULL), (2, '{"color":"blue"}', NULL)"#)
    let before = try database.table("p")
    try await database.create(#"[{"id": 3, "color": "green"}]"#, "p") { $0.operations = .keep }
    XCTAssertEqual(try database.table("p"), before + ["3|NULL|green"])
  }

  func testAMemberOfThatNameStaysWhatItIs() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id": 1, "extra": {"note": "n1", "color": "red"}}, {"id": 2, "extra": [1]}]"#, "p")
    let before = try database.rows("SELECT id, extra FROM p")
    try await database.create(#"[{"id": 3, "color": "green", "extra": [2]}]"#, "p") {
      $0.operations = .keep
    }
    XCTAssertEqual(try database.rows("SELECT id, extra FROM p WHERE id < 3"), before)
    let both = #"[{"id": 1, "extra": {"color": "red"}, "color": null}]"#
    try await database.create(both, "p")
    try await assertEqual(database.create(both, "p").status, .unchanged)
  }

  func testASchemaFileMakesNoColumnOurs() async throws {
    let database = try TestDatabase(
      "CREATE TABLE p (id INTEGER PRIMARY KEY, n INTEGER, extra_info JSON)",
      #"INSERT INTO p VALUES (1, 1, '{"n":"many","z":1}')"#)
    var overrides = SchemaOverrides()
    var column = SchemaOverrides.Column()
    column.name = "extra_info"
    overrides.tables["p", default: .init()].columns["extra_info"] = column
    try await database.sync(#"[{"id": 1, "n": 2}]"#, "p", overrides: overrides)
    XCTAssertEqual(try database.table("p"), [#"1|2|{"n":"many","z":1}"#])
  }

  func testALaterMemberOfThatNameHasAColumnOfItsOwn() async throws {
    let database = try TestDatabase("t: n INTEGER UNIQUE; t = (1, 2)")
    try await database.create(#"[{"id": 1, "n": "a"}]"#, "t")
    let payload = #"[{"id": 1, "n": "a", "extra": {"note": 1}}, {"id": 2, "extra": [2]}]"#
    let plain = try await database.sync(payload, "t")
    XCTAssertEqual(plain.tables["t"]?.unknown, ["extra": 2], "nothing takes it")
    try await database.create(payload, "t")
    XCTAssertEqual(
      try database.rows("SELECT id, n, extra, extra_2 FROM t"),
      [#"1|2|{"n":"a"}|{"note":1}"#, "2|NULL|NULL|[2]"])
    try await assertEqual(database.create(payload, "t").status, .unchanged)
    let exported = try await database.export("t")
    XCTAssertTrue(exported.contains(#""extra":[2]"#), exported)
    try await assertEqual(database.sync(exported, "t").status, .unchanged, exported)
  }

  func testStrictTablesKeepWhatDoesNotFit() async throws {
    let database = try TestDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER UNIQUE, s TEXT) STRICT",
      "INSERT INTO t VALUES (1, 5, 'a')")
    let payload = #"[{"id": 1, "n": "many", "s": [1]}]"#
    try await database.create(payload, "t")
    XCTAssertEqual(try database.columns("t").last, "extra TEXT")
    XCTAssertEqual(try database.table("t"), [#"1|5|a|{"n":"many","s":[1]}"#])
    try await assertEqual(database.create(payload, "t").status, .unchanged)
    try await database.sync(#"[{"id": 1, "n": 6, "s": "b"}]"#, "t")
    XCTAssertEqual(try database.table("t"), ["1|6|b|NULL"])
  }

  func testWhatADottedColumnCouldNotHoldIsFoundAgain() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 1, "e": {"a": 1}}]"#, "t")
    try database.run("CREATE INDEX by_a ON t (e_a)")
    let odd = #"[{"id": 1, "e": {"a": 1}}, {"id": 2, "e": {"a": "x"}}]"#
    try await database.create(odd, "t")
    XCTAssertEqual(
      try database.rows("SELECT e_a, extra FROM t"), ["1|NULL", #"NULL|{"e.a":"x"}"#])
    try database.run("DROP INDEX by_a")
    try await database.create(#"[{"id": 3, "e": {"a": "y"}}]"#, "t") { $0.operations = .keep }
    XCTAssertEqual(
      try database.rows("SELECT e_a, extra FROM t ORDER BY id"), ["1|NULL", "x|NULL", "y|NULL"])
  }

  func testAValueInPlaceOfAnObjectIsNoneOfItsMembers() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 1, "e": {"a": 1, "b": 2}}]"#, "t")
    try database.run("CREATE INDEX by_a ON t (e_a)")
    try await database.create(#"[{"id": 1, "e": {"a": "x", "b": 2}}]"#, "t")
    let plain = #"[{"id": 1, "e": {"a": "x", "b": 2}}, {"id": 2, "e": 5}]"#
    try await database.create(plain, "t")
    XCTAssertEqual(
      try database.rows("SELECT e_a, e_b, extra FROM t"),
      [#"1|2|{"e.a":"x"}"#, #"NULL|NULL|{"e":5}"#])
    try await assertEqual(database.create(plain, "t").status, .unchanged)
    try await database.create(#"[{"id": 1}, {"id": 2, "e": {"a": 3}}]"#, "t")
    XCTAssertEqual(
      try database.rows("SELECT e_a, extra FROM t"), [#"1|{"e.a":"x"}"#, "3|NULL"])
  }

  func testTextsThatNumbersAreNotPrintedAsStayAsTheyAre() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id": 1, "v": "1.10"}, {"id": 2, "v": 2}]"#, "a")
    XCTAssertEqual(try database.columns("a"), ["id INTEGER", "v TEXT"])
    XCTAssertEqual(try database.table("a"), ["1|1.10", "2|2"])
    try await database.create(
      #"[{"id": 1, "v": "7.25", "n": "2"}, {"id": 2, "v": 2, "n": 3}]"#, "b")
    XCTAssertEqual(try database.columns("b"), ["id INTEGER", "v REAL", "n INTEGER"])
    let later = #"[{"id": 1, "v": "1.10", "n": "1.10"}, {"id": 2, "v": "2", "n": "4"}]"#
    let told = try await database.create(later, "b")
    XCTAssertEqual(told.tables["b"]?.mismatched.map(\.column), ["v", "n"])
    XCTAssertEqual(
      try database.table("b"), [#"1|7.25|2|{"v":"1.10","n":"1.10"}"#, "2|2.0|4|NULL"])
    try await assertEqual(database.create(later, "b").status, .unchanged)
    try await assertEqual(database.sync(later, "b").status, .unchanged)
  }

  func testValuesThatAColumnWouldNotHoldAreLeftAsTheyAre() async throws {
    let database = try TestDatabase("t: n INTEGER, b BOOLEAN")
    try database.run("INSERT INTO t VALUES (1, x'00ff', 'yes'), (2, 5, 1)")
    try await database.create(#"[{"id": 3, "n": "many", "b": "maybe"}]"#, "t") {
      $0.operations = .keep
    }
    XCTAssertEqual(try database.columns("t"), ["id INTEGER", "n TEXT", "b TEXT"])
    XCTAssertEqual(
      try database.rows("SELECT id, hex(n), b FROM t WHERE id < 3"), ["1|00FF|yes", "2|35|true"])
  }
}
