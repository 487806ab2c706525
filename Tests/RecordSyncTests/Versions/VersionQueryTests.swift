@testable import RecordSync
import TestSupport
import XCTest

/// Which version of a row is the one of a run.
final class VersionQueryTests: XCTestCase {
  private var keeping: SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.keepsHistory = true
    return overrides
  }

  /// As the page has it.
  private func rowsAfterRunSeven(_ database: TestDatabase) throws -> [String] {
    let path = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/Records.md"
    let page = try readText(Programs.package.appending(path: path))
    let blocks = page.components(separatedBy: "```sql\n").dropFirst()
    let query = try XCTUnwrap(blocks.first?.components(separatedBy: "```").first)
    XCTAssertEqual(blocks.count, 1)
    return try database.rows("SELECT * FROM (\(query)) ORDER BY id")
  }

  func testTheQueryOfThePageGivesTheTableAsItWasAlsoRowsThatWereThereBefore() async throws {
    let database = try TestDatabase(
      """
      users: name TEXT, age INTEGER;
      users = (1, 'Ann', 30), (2, 'Bob', 31), (3, 'Cid', 32), (4, 'Dee', 33)
      """)
    let start = #"{"id":3},{"id":4}"#
    var after: [Int: [String]] = [:]
    for (number, more) in [
      #"{"id":1,"age":1},{"id":2},{"id":5,"name":"Eve"}"#,  // 1
      #"{"id":1,"age":2},{"id":2},{"id":5,"name":"Eva"}"#,
      #"{"id":1,"age":3},{"id":2}"#,
      #"{"id":1,"age":4},{"id":2},{"id":5,"name":"Eve"}"#,
      #"{"id":1,"age":5},{"id":2}"#,  // 5
      #"{"id":1,"age":6},{"id":2},{"id":6,"name":"Fay"}"#,
      #"{"id":1,"age":7},{"id":2},{"id":6,"name":"Fee"}"#,
      #"{"id":1,"age":8},{"id":5,"name":"Eve"},{"id":6,"name":"Fay"}"#,
      #"{"id":7},{"id":4,"name":"Don"}"#,
    ].enumerated() {
      try await database.sync("[\(start),\(more)]", "users", overrides: keeping)
      after[number + 1] = try database.table("users")
    }
    XCTAssertEqual(after[7]?.count, 5)
    XCTAssertNotEqual(after[7], after[9])
    XCTAssertEqual(try rowsAfterRunSeven(database), after[7])
  }

  func testARowThatCameBackAfterItWentWithoutVersionsHasOneThatIsOpen() async throws {
    for key in ["id INTEGER PRIMARY KEY", "id TEXT UNIQUE COLLATE NOCASE"] {
      let database = try TestDatabase("CREATE TABLE things (\(key), n INTEGER)")
      try await database.sync(#"[{"id": 1, "n": 1}]"#, "things", overrides: keeping)
      try await database.sync("[]", "things")
      try await database.sync(#"[{"id": 1, "n": 2}]"#, "things", overrides: keeping)
      XCTAssertEqual(
        try database.rows(
          "SELECT id, n, history_run, history_end_run FROM things_history ORDER BY history_id"),
        ["1|1|1|2", "1|2|2|NULL"], key)
    }
  }

  func testNoNameOfAColumnIsTakenForOneOfOurs() async throws {
    for name in ["was", "a0", "c0", "c1", "old", "new", "rowid", "one", "version", "key", "sql"] {
      let database = try TestDatabase(
        "CREATE TABLE things (id INTEGER PRIMARY KEY, \"\(name)\" TEXT)")
      for value in [#""a""#, #""b""#, "null"] {
        try await database.sync(
          "[{\"id\": 1, \"\(name)\": \(value)}]", "things", overrides: keeping)
      }
      try await database.sync("[]", "things", overrides: keeping)
      XCTAssertEqual(
        try database.rows(
          """
          SELECT id, "\(name)", history_run, history_end_run FROM things_history
          ORDER BY history_id
          """), ["1|a|1|2", "1|b|2|3", "1|NULL|3|4"], name)
    }
  }
}
