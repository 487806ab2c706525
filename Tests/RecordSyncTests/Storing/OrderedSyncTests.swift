@testable import RecordSync
import XCTest

/// Children and links that keep the order of their array.
final class OrderedSyncTests: XCTestCase {
  private let lists = """
    CREATE TABLE lists (id INTEGER PRIMARY KEY);
    CREATE TABLE songs (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES lists,
      position INTEGER NOT NULL DEFAULT 0, UNIQUE (list_id, position));
    CREATE TABLE tags (id INTEGER PRIMARY KEY);
    CREATE TABLE list_tags (list_id INTEGER REFERENCES lists, tag_id INTEGER REFERENCES tags,
      position INTEGER, PRIMARY KEY (list_id, tag_id), UNIQUE (list_id, position));
    INSERT INTO lists VALUES (1); INSERT INTO tags VALUES (1), (2), (3);
    INSERT INTO songs VALUES (1, 1, 10), (2, 1, 20), (3, 1, 30);
    INSERT INTO list_tags VALUES (1, 1, 5), (1, 2, 6)
    """

  private func songs(_ database: TestDatabase) throws -> [String] {
    try database.rows("SELECT id, position FROM songs ORDER BY position")
  }

  func testRowsInTheRightOrderKeepTheirPositions() async throws {
    let database = try TestDatabase(lists)
    let report = try await database.sync(
      #"[{"id": 1, "songs": [{"id": 1}, {"id": 2}, {"id": 3}], "tag_ids": [1, 2]}]"#, "lists")
    XCTAssertEqual(report.status, .unchanged)
    try await database.sync(
      #"[{"id": 1, "songs": [{"id": 1}, {"id": 8}, {"id": 3}, {"id": 9}]}]"#, "lists")
    XCTAssertEqual(try songs(database), ["1|10", "8|11", "3|30", "9|31"])
  }

  func testEveryPermutationIsFollowedThoughOnlyOneMayHaveAPosition() async throws {
    let database = try TestDatabase(lists)
    for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
      let songs = order.map { "{\"id\": \($0)}" }.joined(separator: ",")
      let tags = order.map(String.init).joined(separator: ",")
      let payload = #"[{"id": 1, "songs": [\#(songs)], "tag_ids": [\#(tags)]}]"#
      let report = try await database.sync(payload, "lists")
      XCTAssertFalse(report.isPartial, "\(order): \(report)")
      XCTAssertEqual(
        try database.rows("SELECT id FROM songs ORDER BY position"), order.map(String.init))
      XCTAssertEqual(
        try database.rows("SELECT tag_id FROM list_tags ORDER BY position"), order.map(String.init))
      let again = try await database.sync(payload, "lists")
      XCTAssertEqual(again.status, .unchanged, "\(order): \(again)")
    }
  }

  func testWhatStaysUnnamedGoesBehindInItsOldOrder() async throws {
    let database = try TestDatabase(lists)
    try await database.sync(#"[{"id": 1, "songs": [{"id": 3}]}]"#, "lists") {
      $0.operations = .keep
    }
    XCTAssertEqual(try database.rows("SELECT id FROM songs ORDER BY position"), ["3", "1", "2"])
  }

  /// Where rows that are there aren't to change, new ones go behind them.
  func testNothingMovesWhereNestedRowsAreNotToChange() async throws {
    let payload = #"[{"id": 1, "songs": [{"id": 3}, {"id": 8}, {"id": 1}], "tag_ids": [2, 1]}]"#
    for (operations, new) in [
      (Operations.insert, []), ([.insert, .insertRelations], ["8|31"]),
    ] {
      let database = try TestDatabase(lists)
      try await database.sync(payload, "lists") { $0.operations = operations }
      XCTAssertEqual(try songs(database), ["1|10", "2|20", "3|30"] + new)
      XCTAssertEqual(try database.table("list_tags"), ["1|1|5", "1|2|6"])
    }
  }

  func testWhereTheObjectsCarryThePositionItIsTheirs() async throws {
    let database = try TestDatabase(lists)
    try await database.sync(
      #"[{"id": 1, "songs": [{"id": 1, "position": 7}, {"id": 2, "position": 3}]}]"#, "lists")
    XCTAssertEqual(try songs(database), ["2|3", "1|7"])
  }

  func testChildrenByKeysAndLinksByObjectsFollowEveryPermutation() async throws {
    let database = try TestDatabase(lists)
    try database.run("INSERT INTO songs VALUES (8, NULL, 0), (9, NULL, 0)")
    for order in [
      [1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1], [9, 3, 1, 8, 2], [2, 9],
      [8, 2, 9, 1], [1],
    ] {
      let songs = order.map(String.init).joined(separator: ",")
      let tags = order.map { "{\"id\": \($0)}" }.joined(separator: ",")
      let payload = #"[{"id": 1, "song_ids": [\#(songs)], "tags": [\#(tags)]}]"#
      let report = try await database.sync(payload, "lists")
      XCTAssertFalse(report.isPartial, "\(order): \(report)")
      XCTAssertEqual(
        try database.rows("SELECT id FROM songs WHERE list_id = 1 ORDER BY position"),
        order.map(String.init))
      XCTAssertEqual(
        try database.rows("SELECT tag_id FROM list_tags ORDER BY position"), order.map(String.init))
      let again = try await database.sync(payload, "lists")
      XCTAssertEqual(again.status, .unchanged, "\(order): \(again)")
    }
    XCTAssertEqual(try database.table("songs").count, 5, "only unlinked")
  }

  func testChildrenNamedByKeysFollowTheOrderThoughTheirObjectsStandElsewhere() async throws {
    let database = try TestDatabase("nodes: name TEXT, position INTEGER, parent_id -> nodes")
    for order in [[3, 1, 2], [1, 2, 3], [2, 1, 3]] {
      let keys = order.map(String.init).joined(separator: ",")
      let payload = """
        [{"id": 1, "name": "a"}, {"id": 9, "node_ids": [\(keys)]}, {"id": 2}, {"id": 3}]
        """
      try await database.sync(payload, "nodes")
      XCTAssertEqual(
        try database.rows("SELECT id FROM nodes WHERE parent_id = 9 ORDER BY position"),
        order.map(String.init))
      let again = try await database.sync(payload, "nodes")
      XCTAssertEqual(again.status, .unchanged, "\(again)")
    }
  }

  func testChildrenThatChangePlacesAcrossParentsHaveMoved() async throws {
    let database = try TestDatabase(lists)
    try database.run("INSERT INTO lists VALUES (2)")
    try database.run("INSERT INTO songs VALUES (7, 2, 10)")
    let report = try await database.sync(
      """
      [{"id": 1, "songs": [{"id": 7}, {"id": 2}, {"id": 3}]}, {"id": 2, "songs": [{"id": 1}]}]
      """, "lists")
    XCTAssertFalse(report.isPartial, "\(report)")
    XCTAssertEqual(
      try database.rows("SELECT list_id, id FROM songs ORDER BY list_id, position"),
      ["1|7", "1|2", "1|3", "2|1"])
    XCTAssertEqual(report.tables["songs"]?.moved.compactMap(\.integer).sorted(), [1, 7])
    XCTAssertEqual(report.tables["songs"]?.linked, 0)
  }
}
