@testable import RecordSync
import TestSupport
import XCTest

/// Rows that are marked as gone keep places that only one row may have.
final class MarkedPlaceTests: XCTestCase {
  private var marking: SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.deletedAt = "gone"
    return overrides
  }

  func testChildrenGetPositionsThatNoMarkedOneHolds() async throws {
    let database = try TestDatabase(
      """
      lists: name TEXT, gone TEXT;
      CREATE TABLE items (id INTEGER PRIMARY KEY, list_id INTEGER NOT NULL REFERENCES lists (id),
        position INTEGER, gone TEXT, UNIQUE (list_id, position));
      lists = (1, 'a', NULL)
      """)
    func live() throws -> [String] {
      try database.rows("SELECT id FROM items WHERE gone IS NULL ORDER BY position")
    }
    for ids in [[1, 2, 3], [2, 4, 3], [3], [5, 3, 2], [1, 5], [6, 1, 2, 5], [2, 1]] {
      let items = ids.map { "{\"id\": \($0)}" }.joined(separator: ",")
      let payload = "[{\"id\": 1, \"items\": [\(items)]}]"
      let report = try await database.sync(payload, "lists", overrides: marking)
      XCTAssertEqual(report.tables["items"]?.refused.count, 0, "\(ids)")
      XCTAssertEqual(try live(), ids.map { "\($0)" })
      try await assertEqual(
        database.sync(payload, "lists", overrides: marking).status, .unchanged, "\(ids)")
    }
    XCTAssertEqual(try database.table("items").count, 6)
  }

  func testLinksAndRowsOfTheTableGetPositionsThatNoMarkedOneHolds() async throws {
    let database = try TestDatabase(
      """
      posts: title TEXT, gone TEXT; tags: name TEXT;
      CREATE TABLE posts_tags (post_id INTEGER REFERENCES posts (id),
        tag_id INTEGER REFERENCES tags (id), position INTEGER, gone TEXT,
        PRIMARY KEY (post_id, tag_id), UNIQUE (post_id, position));
      CREATE TABLE songs (id INTEGER PRIMARY KEY, place INTEGER UNIQUE, gone TEXT)
      """)
    var overrides = marking
    overrides.table("songs") { $0.position = "place" }
    for ids in [[1, 2, 3], [2, 4, 3], [3], [5, 3, 2], [6, 1, 2, 5]] {
      let keys = ids.map { "{\"id\": \($0)}" }.joined(separator: ",")
      let post = try await database.sync(
        "[{\"id\": 1, \"tags\": [\(keys)]}]", "posts", overrides: overrides)
      XCTAssertEqual(post.tables["posts_tags"]?.refused ?? [], [], "\(ids)")
      XCTAssertEqual(
        try database.rows("SELECT tag_id FROM posts_tags WHERE gone IS NULL ORDER BY position"),
        ids.map { "\($0)" })
      let songs = try await database.sync("[\(keys)]", "songs", overrides: overrides)
      XCTAssertEqual(songs.tables["songs"]?.refused ?? [], [], "\(ids)")
      XCTAssertEqual(
        try database.rows("SELECT id FROM songs WHERE gone IS NULL ORDER BY place"),
        ids.map { "\($0)" })
    }
  }

  func testARowThatAloneHangsOnAnotherTakesThePlaceOfOneThatIsGone() async throws {
    for (declaration, isFree) in [("INTEGER", true), ("INTEGER NOT NULL", false)] {
      let database = try TestDatabase(
        """
        users: name TEXT, gone TEXT;
        CREATE TABLE profiles (id INTEGER PRIMARY KEY, user_id \(declaration) UNIQUE
          REFERENCES users (id) ON DELETE CASCADE, bio TEXT, gone TEXT);
        users = (1, 'Ann', NULL); profiles = (7, 1, 'old', NULL)
        """)
      let payload = #"[{"id": 1, "profile": {"id": 8, "bio": "new"}}]"#
      let report = try await database.sync(payload, "users", overrides: marking)
      let rows = try database.rows("SELECT id, user_id, gone IS NULL FROM profiles ORDER BY id")
      guard isFree else {
        XCTAssertEqual(rows, ["7|1|0"])
        XCTAssertEqual(
          report.tables["profiles"]?.refused.first?.reason.hasSuffix("marked as gone has it"), true)
        continue
      }
      XCTAssertEqual(report.tables["profiles"]?.refused, [])
      XCTAssertEqual(rows, ["7|NULL|0", "8|1|1"])
      try await assertEqual(
        database.sync(payload, "users", overrides: marking).status, .unchanged)
      try await database.sync(
        #"[{"id": 1, "profile": {"id": 7}}]"#, "users", overrides: marking)
      XCTAssertEqual(
        try database.rows("SELECT id, user_id, gone IS NULL FROM profiles ORDER BY id"),
        ["7|1|1", "8|NULL|0"])
    }
  }
}
