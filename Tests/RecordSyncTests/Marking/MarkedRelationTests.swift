@testable import RecordSync
import XCTest

/// What hangs on rows that are marked in place of being deleted.
final class MarkedRelationTests: XCTestCase {
  private var marking: SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.deletedAt = "gone"
    return overrides
  }

  private func library() throws -> TestDatabase {
    try TestDatabase(
      """
      users: name TEXT, gone INTEGER; posts: title TEXT, user_id -> users ON DELETE CASCADE,
        gone INTEGER;
      likes: post_id -> posts ON DELETE CASCADE, stars INTEGER;
      drafts: user_id -> users ON DELETE SET NULL, text TEXT; tags: name TEXT, gone INTEGER;
      post_tags (post_id -> posts ON DELETE CASCADE, tag_id -> tags ON DELETE CASCADE,
        PRIMARY KEY (post_id, tag_id));
      users = (1, 'Ann', NULL), (2, 'Bob', NULL);
      posts = (10, 'ten', 1, NULL), (11, 'eleven', 1, NULL), (20, 'twenty', 2, NULL);
      likes = (1, 10, 5), (2, 20, 3); drafts = (1, 2, 'later');
      tags = (1, 'x', NULL), (2, 'y', NULL);
      post_tags = (10, 1), (10, 2), (20, 1)
      """)
  }

  private func live(_ table: String, _ database: TestDatabase) throws -> [String] {
    try database.rows("SELECT id FROM \(table) WHERE gone IS NULL ORDER BY id")
  }

  func testChildrenAreMarkedWhereTheirTableHasTheColumnAndDeletedElsewhere() async throws {
    let database = try library()
    let payload = #"[{"id": 1, "posts": [{"id": 10, "likes": []}]}, {"id": 2}]"#
    let report = try await database.sync(payload, "users", overrides: marking)
    XCTAssertEqual(report.tables["posts"]?.deleted.map(\.integer), [11])
    XCTAssertEqual(report.tables["posts"]?.marked, 1)
    XCTAssertEqual(report.tables["likes"]?.deleted.map(\.integer), [1])
    XCTAssertEqual(report.tables["likes"]?.marked, 0)
    XCTAssertEqual(try database.rows("SELECT id FROM likes"), ["2"])
    let marked = try database.table("posts")
    let again = try await database.sync(payload, "users", overrides: marking) {
      $0.removalLimit = .count(0)
    }
    XCTAssertEqual(again.status, .unchanged)
    XCTAssertEqual(try database.table("posts"), marked)
    let back = try await database.sync(
      #"[{"id": 1, "posts": [{"id": 10}, {"id": 11}]}, {"id": 2}]"#, "users", overrides: marking)
    XCTAssertEqual(back.tables["posts"]?.updated.map(\.columns), [["gone"]])
    XCTAssertEqual(try live("posts", database), ["10", "11", "20"])
  }

  func testWhatTheDatabaseWouldDeleteWithARowGoesWithItAndReferencesStayValid() async throws {
    let database = try library()
    let report = try await database.sync(#"[{"id": 1}]"#, "users", overrides: marking)
    XCTAssertEqual(report.tables["users"]?.deleted.map(\.integer), [2])
    XCTAssertEqual(report.tables["posts"]?.deleted.map(\.integer), [20])
    XCTAssertEqual(report.tables["likes"]?.deleted.map(\.integer), [2])
    XCTAssertEqual(report.tables["post_tags"]?.unlinked, 1)
    XCTAssertEqual([report.tables["users"]?.marked, report.tables["posts"]?.marked], [1, 1])
    // Marked ones keep what they refer to, and what refers to them.
    XCTAssertEqual(try database.rows("SELECT user_id FROM posts WHERE id = 20"), ["2"])
    XCTAssertEqual(try database.rows("SELECT user_id FROM drafts"), ["2"])
    XCTAssertEqual(try database.rows("SELECT * FROM pragma_foreign_key_check"), [])
    XCTAssertEqual(try database.rows("SELECT * FROM post_tags"), ["10|1", "10|2"])
  }

  func testAnExportLeavesThemOutAndSyncedAgainChangesNothing() async throws {
    let database = try library()
    try await database.sync(
      #"[{"id": 1, "posts": [{"id": 10}]}, {"id": 2}]"#, "users", overrides: marking)
    try await database.sync(#"[{"id": 1}]"#, "tags", overrides: marking)
    let store = try await RecordStore(path: database.path, overrides: marking)
    let exported = String(decoding: try await store.exported("users"), as: UTF8.self)
    XCTAssertFalse(exported.contains("eleven"), exported)
    XCTAssertFalse(exported.contains(#""y""#), exported)
    let again = try await store.sync(.text(exported), into: "users")
    XCTAssertEqual(again.status, .unchanged, "\(again) \(exported)")
  }

  func testARowThatRefersToAMarkedOneIsExportedWithItsKey() async throws {
    let database = try library()
    try await database.sync(#"[{"id": 1}]"#, "users", overrides: marking)
    // The table of drafts has no such column.
    let overrides = SchemaOverrides.of("users") { $0.deletedAt = "gone" }
    let store = try await RecordStore(path: database.path, overrides: overrides)
    let exported = String(decoding: try await store.exported("drafts"), as: UTF8.self)
    XCTAssertTrue(exported.contains(#""user":2"#), exported)
    let again = try await store.sync(.text(exported), into: "drafts")
    XCTAssertEqual(again.status, .unchanged, "\(again)")
  }

  func testNothingHangsOnAMarkedParent() async throws {
    let database = try library()
    try await database.sync(#"[{"id": 1}]"#, "users", overrides: marking)
    do {
      try await database.sync(#"[{"id": 30}]"#, "posts", overrides: marking) {
        $0.scope = RecordScope(parent: .init(table: "users", key: 2))
      }
      XCTFail("a parent that is gone was taken")
    } catch RecordError.noParent(let table, _) {
      XCTAssertEqual(table, "users")
    }
  }

  func testLinksAreMarkedWhereTheirTableHasTheColumn() async throws {
    let database = try TestDatabase(
      """
      posts: title TEXT; tags: name TEXT; posts = (1, 'one'); tags = (1, 'x'), (2, 'y');
      post_tags (post_id -> posts, tag_id -> tags, gone TEXT, PRIMARY KEY (post_id, tag_id));
      post_tags = (1, 1, NULL), (1, 2, NULL)
      """)
    let overrides = SchemaOverrides.of("post_tags") { $0.deletedAt = "gone" }
    let report = try await database.sync(
      #"[{"id": 1, "tag_ids": [1]}]"#, "posts", overrides: overrides)
    XCTAssertEqual(report.tables["post_tags"]?.unlinked, 1)
    let marked = try database.rows("SELECT tag_id, gone FROM post_tags")
    XCTAssertEqual(marked.map { $0.hasSuffix("NULL") }, [true, false])
    let again = try await database.sync(
      #"[{"id": 1, "tag_ids": [1]}]"#, "posts", overrides: overrides)
    XCTAssertEqual(again.status, .unchanged)
    XCTAssertEqual(try database.rows("SELECT tag_id, gone FROM post_tags"), marked)
    let store = try await RecordStore(path: database.path, overrides: overrides)
    let exported = String(decoding: try await store.exported("posts"), as: UTF8.self)
    XCTAssertFalse(exported.contains(#""y""#), exported)
    let back = try await database.sync(
      #"[{"id": 1, "tag_ids": [1, 2]}]"#, "posts", overrides: overrides)
    XCTAssertEqual(back.tables["post_tags"]?.linked, 1)
    XCTAssertEqual(try database.rows("SELECT * FROM post_tags"), ["1|1|NULL", "1|2|NULL"])
  }

  func testLinksOfAMarkedRowAreMarkedWithIt() async throws {
    let database = try TestDatabase(
      """
      posts: title TEXT; tags: name TEXT, gone TEXT; posts = (1, 'one');
      tags = (1, 'x', NULL), (2, 'y', NULL);
      post_tags (post_id -> posts, tag_id -> tags ON DELETE CASCADE, gone TEXT,
        PRIMARY KEY (post_id, tag_id)); post_tags = (1, 1, NULL), (1, 2, NULL)
      """)
    let report = try await database.sync(#"[{"id": 1}]"#, "tags", overrides: marking)
    XCTAssertEqual(report.tables["tags"]?.marked, 1)
    XCTAssertEqual(report.tables["post_tags"]?.unlinked, 1)
    XCTAssertEqual(report.tables["post_tags"]?.marked, 0)
    XCTAssertEqual(try database.rows("SELECT tag_id FROM post_tags WHERE gone IS NULL"), ["1"])
    var overrides = marking
    overrides.deletedAt = nil
    for table in ["tags", "post_tags"] { overrides.table(table) { $0.deletedAt = "gone" } }
    let again = try await database.sync(
      #"[{"id": 1, "tags": [{"id": 1}]}]"#, "posts", overrides: overrides)
    XCTAssertEqual(again.status, .unchanged, "\(again)")
    try await database.sync(
      #"[{"id": 1, "tags": [{"id": 1}, {"id": 2}]}]"#, "posts", overrides: overrides)
    XCTAssertEqual(
      try database.rows("SELECT tag_id FROM post_tags WHERE gone IS NULL"), ["1", "2"])
    XCTAssertEqual(try database.rows("SELECT name FROM tags WHERE gone IS NULL"), ["x", "y"])
  }

  func testThePartsOfARowInOtherTablesStayWithIt() async throws {
    let database = try TestDatabase(
      """
      people: name TEXT, gone TEXT;
      staff (id INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE, desk TEXT);
      people = (1, 'Ann', NULL), (2, 'Bob', NULL); staff = (1, 'a'), (2, 'b')
      """)
    try await database.sync(#"[{"id": 1}]"#, "people", overrides: marking)
    XCTAssertEqual(try database.rows("SELECT id FROM people WHERE gone IS NOT NULL"), ["2"])
    XCTAssertEqual(try database.table("staff"), ["1|a", "2|b"])
    let plain = SchemaOverrides.of("people") { $0.deletedAt = "gone" }
    // A row whose own table has no such column is deleted with all its parts.
    try await database.sync(#"[{"id": 2}]"#, "staff", overrides: plain)
    XCTAssertEqual(try database.rows("SELECT id FROM staff"), ["2"])
    XCTAssertEqual(try database.rows("SELECT id FROM people"), ["2"])
  }

  func testRowsThatAreMarkedKeepTheirPlacesInAnOrder() async throws {
    let database = try TestDatabase(
      """
      lists: name TEXT; items: list_id -> lists ON DELETE CASCADE, position INTEGER, gone TEXT;
      lists = (1, 'one'); items = (1, 1, 0, NULL), (2, 1, 1, NULL), (3, 1, 2, NULL)
      """)
    let overrides = SchemaOverrides.of("items") { $0.deletedAt = "gone" }
    try await database.sync(
      #"[{"id": 1, "items": [{"id": 3}, {"id": 1}]}]"#, "lists", overrides: overrides)
    XCTAssertEqual(
      try database.rows("SELECT id FROM items WHERE gone IS NULL ORDER BY position"), ["3", "1"])
    let before = try database.table("items")
    XCTAssertEqual(
      try database.rows("SELECT position FROM items WHERE id = 2"), ["1"])
    try await database.sync(
      #"[{"id": 1, "items": [{"id": 3}, {"id": 1}]}]"#, "lists", overrides: overrides)
    XCTAssertEqual(try database.table("items"), before)
  }

  func testRowsThatTheirPlaceTellsComeBackAsWhatStandsThereThen() async throws {
    let database = try TestDatabase(
      """
      lists: name TEXT; lines (list_id -> lists ON DELETE CASCADE, position INTEGER, text TEXT,
        mood TEXT, gone TEXT, PRIMARY KEY (list_id, position)); lists = (1, 'one')
      """)
    let overrides = SchemaOverrides.of("lines") { $0.deletedAt = "gone" }
    for (lines, live) in [
      (#"[{"text": "a", "mood": "x"}, {"text": "b", "mood": "y"}]"#, ["a|x", "b|y"]),
      (#"[{"text": "a", "mood": "x"}]"#, ["a|x"]), ("[]", []),
      (#"[{"text": "c"}, {"text": "d", "mood": "z"}]"#, ["c|NULL", "d|z"]),
    ] {
      let payload = #"[{"id": 1, "lines": \#(lines)}]"#
      try await database.sync(payload, "lists", overrides: overrides)
      XCTAssertEqual(
        try database.rows("SELECT text, mood FROM lines WHERE gone IS NULL ORDER BY position"),
        live, lines)
      let again = try await database.sync(payload, "lists", overrides: overrides)
      XCTAssertEqual(again.status, .unchanged, lines)
    }
    XCTAssertEqual(try database.rows("SELECT count(*) FROM lines"), ["2"])
  }

  func testALinkOfARowThatIsGoneIsNotTakenIntoATableOfLinks() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id": 1, "tags": [{"id": 5}, {"id": 6}, {"id": 7}]}, {"id": 2, "tags": []}]"#, "items",
      overrides: marking)
    try await database.create(
      #"[{"id": 1, "tags": [{"id": 6}, {"id": 7}]}]"#, "items", overrides: marking
    ) { $0.operations.remove(.delete) }
    XCTAssertEqual(try live("tags", database), ["6", "7"])
    try await database.create(
      #"[{"id": 2, "tags": [{"id": 6}]}]"#, "items", overrides: marking
    ) { $0.operations = .keep }
    XCTAssertEqual(
      try database.rows("SELECT item_id, tag_id FROM items_tags ORDER BY 1, 2"),
      ["1|6", "1|7", "2|6"])
    try await database.create(
      #"[{"id": 2, "tags": [{"id": 5}]}]"#, "items", overrides: marking
    ) { $0.operations = .keep }
    XCTAssertEqual(try live("tags", database), ["5", "6", "7"])
    XCTAssertEqual(
      try database.rows("SELECT item_id FROM items_tags WHERE tag_id = 5"), ["2"])
  }
}
