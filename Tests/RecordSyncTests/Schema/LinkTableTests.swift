@testable import RecordSync
import SyncDatabase
import XCTest

/// Which tables do nothing but link, and which columns keep an order.
final class LinkTableTests: SchemaTestCase {
  private func relations(
    _ table: String, linkedBy link: String, line: UInt = #line
  ) throws -> [String] {
    let connection = try database("users:; tags:")
    try connection.transaction { try connection.execute(written: link) }
    return try SchemaReader.read(connection).relations(table)
  }

  func testTwoForeignKeysThatAreThePrimaryKeyLink() throws {
    XCTAssertEqual(
      try relations(
        "users",
        linkedBy: """
          CREATE TABLE user_tags (tag_id REFERENCES tags, user_id REFERENCES users,
            PRIMARY KEY (user_id, tag_id)) WITHOUT ROWID
          """),
      ["tags: many tags, linked by user_tags.user_id"])
  }

  func testTwoForeignKeysThatAreUniqueLinkBesideARowNumber() throws {
    XCTAssertEqual(
      try relations(
        "tags",
        linkedBy: """
          CREATE TABLE user_tags (id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id BIGINT NOT NULL REFERENCES users, tag_id BIGINT NOT NULL REFERENCES tags);
          CREATE UNIQUE INDEX both ON user_tags (user_id, tag_id);
          """),
      ["users: many users, linked by user_tags.tag_id"])
  }

  func testAnythingMoreIsATableOfItsOwn() throws {
    let more: [StaticString] = [
      "user_id REFERENCES users, tag_id REFERENCES tags, at TEXT, PRIMARY KEY (user_id, tag_id)",
      "user_id REFERENCES users, tag_id REFERENCES tags",
      "id TEXT PRIMARY KEY, user_id REFERENCES users, tag_id REFERENCES tags, UNIQUE (user_id, tag_id)",
    ]
    for columns in more {
      let connection = try database("users:; tags:")
      try connection.run("CREATE TABLE user_tags (\(SQL(columns)))")
      XCTAssertEqual(
        try SchemaReader.read(connection).relations("users").map { $0.prefix(25) },
        ["user_tags: many user_tags"], columns.description)
    }
  }

  func testAPositionBelongsToTheSideThatStandsFirstInTheKey() throws {
    let link = """
      CREATE TABLE user_tags (user_id REFERENCES users, tag_id REFERENCES tags,
        position INTEGER NOT NULL, PRIMARY KEY (user_id, tag_id))
      """
    XCTAssertEqual(
      try relations("users", linkedBy: link),
      ["tags: many tags, linked by user_tags.user_id, ordered by user_tags.position"])
    XCTAssertEqual(
      try relations("tags", linkedBy: link), ["users: many users, linked by user_tags.tag_id"])
  }

  func testAPositionThatIsUniqueBesideOneSideBelongsToThat() throws {
    XCTAssertEqual(
      try relations(
        "tags",
        linkedBy: """
          CREATE TABLE user_tags (user_id REFERENCES users, tag_id REFERENCES tags,
            sort_order INTEGER, PRIMARY KEY (user_id, tag_id), UNIQUE (tag_id, sort_order))
          """),
      ["users: many users, linked by user_tags.tag_id, ordered by user_tags.sort_order"])
  }

  func testLinksWithinOneTableHaveNoNameUntilDeclared() throws {
    let tables = """
      CREATE TABLE users (id INTEGER PRIMARY KEY);
      CREATE TABLE friends (a_id REFERENCES users, b_id REFERENCES users, PRIMARY KEY (a_id, b_id));
      """
    XCTAssertEqual(
      try schema(tables).warnings,
      [.unnamedToMany(table: "users", other: "friends", columns: ["friends.a_id", "friends.b_id"])])
    let declared = try schema(tables) { overrides in
      overrides.table("users") {
        $0.relation("friends") { ($0.through, $0.column) = ("friends", "a_id") }
      }
    }
    XCTAssertEqual(try declared.relations("users"), ["friends: many users, linked by friends.a_id"])
    XCTAssertEqual(try declared.meaning("friend_ids", in: "users"), "→ friends*")
  }

  func testAPositionIsRecognisedWhereOneOrderReachesIt() throws {
    let schema = try schema(
      """
      users:; lists:; a: user_id REFERENCES users, sortOrder INT;
      b: user_id REFERENCES users, position TEXT;
      c: user_id REFERENCES users, list_id REFERENCES lists, position INTEGER;
      d: user_id REFERENCES users, list_id UNIQUE REFERENCES lists, position INTEGER;
      e: e_id REFERENCES e, position INTEGER
      """)
    XCTAssertEqual(
      try schema.relations("users"),
      [
        "a: many a, by a.user_id, ordered by a.sortOrder", "b: many b, by b.user_id",
        "c: many c, by c.user_id", "d: many d, by d.user_id, ordered by d.position",
      ])
    XCTAssertEqual(try schema.table("e").relations.map(\.position), [nil])
    XCTAssertEqual(schema.warnings, [.toOneHidesToMany(table: "e", name: "e")])
  }
}
