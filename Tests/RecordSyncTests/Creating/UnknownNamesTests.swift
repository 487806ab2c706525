@testable import RecordSync
import XCTest

/// What becomes of names that no table takes, table by table.
final class UnknownNamesTests: XCTestCase {
  private func overrides(_ policies: [String: SchemaOverrides.UnknownMembers]) -> SchemaOverrides {
    var overrides = SchemaOverrides()
    for (name, policy) in policies { overrides.table(name) { $0.unknown = policy } }
    return overrides
  }

  private let users = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)"

  func testAFrozenTableDoesNotGrowAndATableOfWhichNothingIsSaidOnlyWhereTablesAreMade() async throws
  {
    let payload = #"[{"id": 1, "age": 5, "pet": {"id": 1, "kind": "cat"}}]"#
    let database = try TestDatabase(users, "CREATE TABLE pets (id INTEGER PRIMARY KEY)")
    let plain = try await database.sync(payload, "users")
    XCTAssertEqual(plain.tables["users"]?.unknown, ["age": 1, "pet": 1])
    let frozen = try await database.create(
      payload, "users", overrides: overrides(["users": .freeze]))
    XCTAssertEqual(frozen.made, [])
    XCTAssertEqual(frozen.tables["users"]?.unknown, ["age": 1, "pet": 1])
    try await database.create(payload, "users", overrides: overrides(["pets": .freeze]))
    XCTAssertEqual(
      try database.columns("users"), ["id INTEGER", "name TEXT", "age INTEGER", "pet_id INTEGER"])
    XCTAssertEqual(try database.columns("pets"), ["id INTEGER"])
  }

  func testATableThatIsSaidToGrowDoesSoByItself() async throws {
    let database = try TestDatabase(users)
    let payload = #"[{"id": 1, "age": 5}]"#
    try await database.sync(payload, "users", overrides: overrides(["users": .evolve]))
    XCTAssertEqual(try database.columns("users"), ["id INTEGER", "name TEXT", "age INTEGER"])
    do {
      try await database.sync(payload, "people", overrides: overrides(["users": .evolve]))
      XCTFail("nothing was to make it")
    } catch RecordError.table("people", .missing) {}
  }

  func testUnknownNamesAreKeptInOneColumnAndStayUntilTheyComeAgain() async throws {
    let database = try TestDatabase(users)
    let keeping = overrides(["users": .extra])
    try await database.sync(
      #"[{"id": 1, "name": "Ann", "age": 5, "pets": [{"id": 1}]}, {"id": 2, "name": "Bob"}]"#,
      "users",
      overrides: keeping)
    XCTAssertEqual(try database.columns("users"), ["id INTEGER", "name TEXT", "extra JSON"])
    XCTAssertEqual(
      try database.table("users"),
      [#"1|Ann|{"age":5,"pets":[{"id":1}]}"#, "2|Bob|NULL"])
    let changed = try await database.sync(
      #"[{"id": 1, "age": 6, "shoe": null}, {"id": 2}]"#, "users", overrides: keeping)
    XCTAssertEqual(
      try database.table("users"),
      [#"1|Ann|{"age":6,"pets":[{"id":1}],"shoe":null}"#, "2|Bob|NULL"])
    XCTAssertEqual(changed.tables["users"]?.unknown ?? [:], [:])
    let same = try await database.sync(
      #"[{"id": 1, "age": 6}, {"id": 2}]"#, "users", overrides: keeping)
    XCTAssertEqual(same.status, .unchanged)
    // What is exported comes back as it is.
    let exported = try await database.export("users", overrides: keeping)
    let again = try await database.sync(exported, "users", overrides: keeping)
    XCTAssertEqual(again.status, .unchanged, exported)
    let merged = try await database.sync(
      #"[{"id": 1, "extra": {"a": 1}, "b": 2}, {"id": 2}]"#, "users", overrides: keeping)
    XCTAssertEqual(merged.status, .written)
    XCTAssertEqual(try database.rows("SELECT extra FROM users WHERE id = 1"), [#"{"a":1,"b":2}"#])
  }

  func testOneRowNamedTwiceKeepsTheLastOfEachName() async throws {
    let database = try TestDatabase(users)
    try await database.sync(
      #"[{"id": 1, "a": 1, "b": 1}, {"id": 1, "b": 2}]"#, "users",
      overrides: overrides(["users": .extra]))
    XCTAssertEqual(try database.rows("SELECT extra FROM users"), [#"{"a":1,"b":2}"#])
  }

  func testALaterColumnIsFilledFromWhatWasKept() async throws {
    let database = try TestDatabase(users)
    let rows = (1...2_500).map { "{\"id\": \($0), \"age\": \($0), \"x\": \"\($0)\"}" }
    let payload = "[\(rows.joined(separator: ","))]"
    try await database.sync(payload, "users", overrides: overrides(["users": .extra]))
    let report = try await database.create(#"[{"id": 1, "age": 7}]"#, "users") {
      $0.operations = .keep
    }
    XCTAssertEqual(
      report.made.map(\.description),
      ["column users.age INTEGER: 1 value", "values of users.age from extra, in 2,500 rows"])
    XCTAssertEqual(
      try database.rows("SELECT * FROM users WHERE id IN (1, 2500)"),
      [#"1|NULL|{"x":"1"}|7"#, #"2500|NULL|{"x":"2500"}|2500"#])
    // Also a column that somebody made by hand, while names are still kept.
    try database.run("ALTER TABLE users ADD COLUMN x TEXT")
    try await database.sync("[{\"id\": 1}]", "users", overrides: overrides(["users": .extra])) {
      $0.operations = .keep
    }
    XCTAssertEqual(
      try database.rows("SELECT * FROM users WHERE id = 2500"), ["2500|NULL|NULL|2500|2500"])
  }

  func testWhatALaterColumnCanNotHoldStaysWhereItIs() async throws {
    let database = try TestDatabase(users)
    try await database.sync(
      #"[{"id": 1, "age": "old"}, {"id": 2, "age": 5}]"#, "users",
      overrides: overrides(["users": .extra]))
    try await database.create(#"[{"id": 3, "age": 7}]"#, "users") { $0.operations = .keep }
    XCTAssertEqual(
      try database.table("users"),
      [#"1|NULL|{"age":"old"}|NULL"#, "2|NULL|NULL|5", "3|NULL|NULL|7"])
  }

  func testANewTableKeepsAllButItsKeyWhereThatIsWanted() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id": 1, "user": {"id": 2, "name": "Ann"}}]"#, "posts",
      overrides: overrides(["users": .extra]))
    XCTAssertEqual(try database.columns("users"), ["id INTEGER", "extra JSON"])
    XCTAssertEqual(try database.table("users"), [#"2|{"name":"Ann"}"#])
  }

  func testWhatIsSaidOfAColumnHoldsForATableOfOwnedRowsToo() async throws {
    let database = try TestDatabase()
    var overrides = SchemaOverrides()
    overrides.table("lines") { $0.column("cost") { ($0.name, $0.kind) = ("price", .decimal) } }
    let payload = #"[{"id":1,"lines":[{"price":1.5}]}]"#
    try await database.create(payload, "orders", overrides: overrides)
    XCTAssertEqual(
      try database.columns("lines"),
      ["order_id INTEGER", "position INTEGER", "cost DECIMAL_TEXT"])
    XCTAssertEqual(try database.table("lines"), ["1|0|1.5"])
    let again = try await database.create(payload, "orders", overrides: overrides)
    XCTAssertEqual(again.status, .unchanged)
  }
}
