import TestSupport
import XCTest

@testable import RecordSync

/// The order of rows below a parent that the caller names. Their column stayed empty, or as it was,
/// though the same array in the parent's object was kept in order.
final class ParentOrderTests: XCTestCase {
  private let songs = """
    lists:; songs: list_id -> lists, position INTEGER; lists = (1), (2);
    songs = (10, 2, 0), (11, 2, 1), (12, 2, 2)
    """
  /// Where only one row of a parent may have a position.
  private let strict = """
    lists:; songs: list_id INTEGER REFERENCES lists, position INTEGER NOT NULL,
      UNIQUE (list_id, position); lists = (1), (2); songs = (10, 2, 0), (11, 2, 1), (12, 2, 2)
    """
  private let first = RecordScope(parent: .init(table: "lists", key: 1))

  private func objects(_ ids: [Int], _ more: String = "") -> String {
    "[" + ids.map { "{\"id\": \($0)\(more)}" }.joined(separator: ",") + "]"
  }

  private func ids(_ database: TestDatabase, of list: Int = 1) throws -> [Int] {
    try database.rows("SELECT id FROM songs WHERE list_id = \(list) ORDER BY position")
      .compactMap(Int.init)
  }

  func testEveryOrderIsKeptAsInTheParentsObject() async throws {
    for schema in [songs, strict] {
      let database = try TestDatabase(schema)
      for order in [[3, 1, 2], [1, 2, 3], [2, 3, 1, 4], [4, 3, 1], [9, 4, 8, 3, 7]] {
        let report = try await database.sync(objects(order), "songs") { $0.scope = first }
        XCTAssertFalse(report.isPartial, "\(order): \(report)")
        XCTAssertEqual(try ids(database), order)
        let again = try await database.sync(objects(order), "songs") { $0.scope = first }
        XCTAssertEqual(again.status, .unchanged, "\(order)")
        let nested = try await database.sync(
          "[{\"id\": 1, \"songs\": \(objects(order))}]", "lists"
        ) { $0.operations = .keep }
        XCTAssertEqual(nested.status, .unchanged, "\(order)")
      }
      XCTAssertEqual(try ids(database, of: 2), [10, 11, 12])
    }
  }

  func testAParentsKeyOfAnotherTypeThanTheColumnIsTheSame() async throws {
    let database = try TestDatabase(
      "lists:; songs: list_id TEXT REFERENCES lists, position INTEGER; lists = (1)")
    try await database.sync(objects([2, 1]), "songs") { $0.scope = first }
    XCTAssertEqual(try ids(database), [2, 1])
    try await assertEqual(
      database.sync(objects([2, 1]), "songs") { $0.scope = first }.status, .unchanged)
  }

  func testThePositionsBeginWithTheParentsOwn() async throws {
    let database = try TestDatabase(songs)
    try await database.sync(objects([5, 6]), "songs") { $0.scope = first }
    XCTAssertEqual(
      try database.rows("SELECT id, position FROM songs WHERE list_id = 1 ORDER BY id"),
      ["5|0", "6|1"])
  }

  func testWhatComesFromAnotherParentHasItsPlaceAndWhatStaysGoesBehind() async throws {
    for schema in [songs, strict] {
      let database = try TestDatabase(schema)
      try await database.sync(objects([1, 2]), "songs") { $0.scope = first }
      let report = try await database.sync(objects([10, 2, 12]), "songs") {
        $0.scope = first
        $0.operations = .keep
      }
      XCTAssertFalse(report.isPartial, "\(report)")
      XCTAssertEqual(try ids(database), [10, 2, 12, 1])
      XCTAssertEqual(try ids(database, of: 2), [11])
    }
  }

  func testObjectsMayCarryTheirPositionUnlessItIsDeclared() async throws {
    let database = try TestDatabase(songs)
    let carried = #"[{"id": 1, "position": 7}, {"id": 2, "position": 3}, {"id": 3}]"#
    try await database.sync(carried, "songs") { $0.scope = first }
    XCTAssertEqual(try ids(database), [3, 2, 1])
    try await assertEqual(
      database.sync(carried, "songs") { $0.scope = first }.status, .unchanged)
    let declared = SchemaOverrides.of("lists") {
      $0.relation("songs") { $0.position = "position" }
    }
    try await database.sync(carried, "songs", overrides: declared) { $0.scope = first }
    XCTAssertEqual(try ids(database), [1, 2, 3])
  }

  func testRowsThatTheirPlaceTellsApartAreCounted() async throws {
    let payload = #"[{"id":1,"files":[{"p":"a"},{"p":"b"}]},{"id":2,"files":[{"p":"c"}]}]"#
    let database = try TestDatabase()
    try await database.create(payload, "tops")
    let scope = RecordScope(parent: .init(table: "tops", key: 1))
    let files = #"[{"p":"x"},{"p":"b","position":0},{"p":"a"}]"#
    try await database.sync(files, "files") { $0.scope = scope }
    XCTAssertEqual(try database.table("files"), ["1|0|x", "1|1|b", "1|2|a", "2|0|c"])
    try await assertEqual(database.sync(files, "files") { $0.scope = scope }.status, .unchanged)
    try await database.sync(#"[{"p":"y"}]"#, "files") {
      $0.scope = scope
      $0.operations = .keep
    }
    XCTAssertEqual(try database.table("files"), ["1|0|y", "1|1|b", "1|2|a", "2|0|c"])
    // An object that stands alone is no list, and has no place.
    do {
      try await database.sync(#"{"p":"z"}"#, "files") { $0.scope = scope }
      XCTFail("which row is it?")
    } catch is PayloadProblem {
    }
  }
}
