@testable import RecordSync
import TestSupport
import XCTest

/// The order of the rows at the top, and a parent that a table of links leads to.
final class TopOrderTests: XCTestCase {
  private func declared() -> SchemaOverrides {
    let overrides = SchemaOverrides.of("songs") { $0.position = "place" }
    return overrides
  }

  func testAPositionThatIsDeclaredFollowsEveryPermutation() async throws {
    let database = try TestDatabase("songs: place INTEGER NOT NULL UNIQUE")
    for order in [[1, 2, 3], [3, 1, 2], [2, 3, 1, 4], [4, 3, 1], [9, 4, 8, 3, 7]] {
      let objects = order.map { "{\"id\": \($0), \"place\": 5}" }.joined(separator: ",")
      let report = try await database.sync("[\(objects)]", "songs", overrides: declared())
      XCTAssertFalse(report.isPartial, "\(order): \(report)")
      XCTAssertEqual(
        try database.rows("SELECT id FROM songs ORDER BY place"), order.map(String.init))
      let again = try await database.sync("[\(objects)]", "songs", overrides: declared())
      XCTAssertEqual(again.status, .unchanged, "\(order): \(again)")
    }
  }

  func testRowsThatStayUnnamedGoBehindAndRowsInOrderKeepTheirPositions() async throws {
    let database = try TestDatabase("songs: place INTEGER; songs = (1, 10), (2, 20), (3, 30)")
    let same = try await database.sync(
      #"[{"id": 1}, {"id": 2}]"#, "songs", overrides: declared()
    ) { $0.operations = .keep }
    XCTAssertEqual(same.status, .unchanged)
    try await database.sync(#"[{"id": 3}, {"id": 5}]"#, "songs", overrides: declared()) {
      $0.operations = .keep
    }
    XCTAssertEqual(try database.rows("SELECT id FROM songs ORDER BY place"), ["3", "5", "1", "2"])
  }

  private let linked = """
    CREATE TABLE lists (id INTEGER PRIMARY KEY);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE list_tags (list_id INTEGER REFERENCES lists, tag_id INTEGER REFERENCES tags,
      position INTEGER, PRIMARY KEY (list_id, tag_id));
    INSERT INTO lists VALUES (1), (2);
    INSERT INTO tags VALUES (1, 'a'), (2, 'b'), (3, 'c');
    INSERT INTO list_tags VALUES (1, 1, 0), (1, 2, 1), (2, 1, 0)
    """

  private func links(_ database: TestDatabase) throws -> [String] {
    try database.rows("SELECT list_id, tag_id FROM list_tags ORDER BY list_id, position")
  }

  func testRowsOfAParentBehindATableOfLinksAreLinkedAndOthersUnlinked() async throws {
    let database = try TestDatabase(linked)
    let payload = #"[{"id": 9, "name": "new"}, {"id": 2}, {"id": 3}]"#
    let parent = RecordScope(parent: .init(table: "lists", key: 1))
    let report = try await database.sync(payload, "tags") { $0.scope = parent }
    XCTAssertEqual(report.tables["list_tags"]?.linked, 2)
    XCTAssertEqual(report.tables["list_tags"]?.unlinked, 1)
    XCTAssertEqual(try links(database), ["1|9", "1|2", "1|3", "2|1"])
    XCTAssertEqual(try database.table("tags"), ["1|a", "2|b", "3|c", "9|new"])
    try await assertEqual(database.sync(payload, "tags") { $0.scope = parent }.status, .unchanged)
  }

  func testWithAConditionOrWithoutDeletionLinksStay() async throws {
    let kept = try TestDatabase(linked)
    try await kept.sync(#"[{"id": 3}]"#, "tags") {
      $0.scope = RecordScope(parent: .init(table: "lists", key: 1))
      $0.operations = .keep
    }
    XCTAssertEqual(try links(kept), ["1|3", "1|1", "1|2", "2|1"])
    let limited = try TestDatabase(linked)
    try await limited.sync(#"[{"id": 3}]"#, "tags") {
      $0.scope = RecordScope(
        condition: "name = ?", values: ["a"], parent: .init(table: "lists", key: 1))
    }
    XCTAssertEqual(try links(limited), ["1|3", "1|2", "2|1"])
  }

  func testAParentThatIsNotThereIsAnErrorBehindATableOfLinksToo() async throws {
    let database = try TestDatabase(linked)
    do {
      try await database.sync("[]", "tags") {
        $0.scope = RecordScope(parent: .init(table: "lists", key: 7))
      }
      XCTFail("there is no such list")
    } catch RecordError.noParent(let table, _) {
      XCTAssertEqual(table, "lists")
    }
    XCTAssertEqual(try links(database).count, 3)
  }
}
