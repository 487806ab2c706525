@testable import RecordSync
import TestSupport
import XCTest

/// A tree of one kind of object: stories with their comments, as Hacker News' search API has them.
final class CommentTreeTests: ServiceTestCase {
  private static let tables = """
    CREATE TABLE items (
      id INTEGER PRIMARY KEY, item_type TEXT NOT NULL, author TEXT, title TEXT, url TEXT, text TEXT,
      points INTEGER, created_at DATETIME, created_at_i INTEGER, story_id INTEGER, options JSON,
      parent_id INTEGER REFERENCES items (id) ON DELETE CASCADE);
    CREATE INDEX items_of_parents ON items (parent_id)
    """

  private static let names = """
    {"tables": {"items": {
      "columns": {"text": {"transform": "html-entities"}},
      "relations": {"children": {"table": "items", "column": "parent_id"}}}}}
    """

  private static func comment(
    _ id: Int, of parent: Int, _ text: String, _ children: String...
  ) -> String {
    #"""
    {"id": \#(id), "created_at": "2007-04-05T15:\#(id % 50 + 10):02.000Z", "created_at_i": \#(1_175_786_000 + id),
     "type": "comment", "author": "reader\#(id)", "title": null, "url": null, "text": "<p>\#(text)",
     "points": null, "parent_id": \#(parent), "story_id": 8863, "options": [],
     "children": [\#(children.joined(separator: ", "))]}
    """#
  }

  private static let payload = #"""
    [{"id": 8863, "created_at": "2007-04-04T19:16:40.000Z", "created_at_i": 1175714200, "type": "story",
      "author": "founder", "title": "My app: throw away your USB drive", "url": "http://example.org",
      "text": null, "points": 104, "parent_id": null, "story_id": 8863, "options": [], "children": [
        \#(comment(9224, of: 8863, "I&#x27;d say &quot;no&quot; &amp; mean it",
          comment(9272, of: 9224, "Why?", comment(9479, of: 9272, "Since 1 &lt; 2")),
          comment(9501, of: 9224, "Same here"))),
        \#(comment(9671, of: 8863, "Nice"))]},
     {"id": 1, "created_at": "2006-10-09T18:21:51.000Z", "created_at_i": 1160418111, "type": "story",
      "author": "pg", "title": "Y", "url": "http://example.org/y", "text": "", "points": 57,
      "parent_id": null, "story_id": 1, "options": [], "children": []}]
    """#

  private func sync(_ database: TestDatabase, _ json: String) async throws -> RecordReport {
    try await database.sync(json, "items", overrides: overrides(Self.names))
  }

  func testATreeBecomesEqualAndStaysSo() async throws {
    let database = try TestDatabase(Self.tables)
    try await assertEqual(sync(database, Self.payload).tables["items"]?.inserted.count, 7)
    XCTAssertEqual(
      try database.rows("SELECT id, parent_id, item_type, text FROM items ORDER BY id"),
      [
        "1|NULL|story|", "8863|NULL|story|NULL", #"9224|8863|comment|<p>I'd say "no" & mean it"#,
        "9272|9224|comment|<p>Why?", "9479|9272|comment|<p>Since 1 < 2",
        "9501|9224|comment|<p>Same here", "9671|8863|comment|<p>Nice",
      ])
    XCTAssertEqual(
      try database.rows("SELECT author, points, created_at FROM items WHERE id = 8863"),
      ["founder|104|2007-04-04T19:16:40.000Z"])
    assertUnchanged(try await sync(database, Self.payload))
  }

  func testExactlyWhatHasChangedThereIsChanged() async throws {
    let database = try TestDatabase(Self.tables)
    _ = try await sync(database, Self.payload)
    // A comment hangs elsewhere now, with what hangs on it; one is gone, one is new.
    let moved = Self.comment(9272, of: 9671, "Why?", Self.comment(9479, of: 9272, "Since 1 &lt; 3"))
    let json = #"""
      [{"id": 8863, "created_at": "2007-04-04T19:16:40.000Z", "created_at_i": 1175714200,
        "type": "story", "author": "founder", "title": "My app: throw away your USB drive",
        "url": "http://example.org", "text": null, "points": 105, "parent_id": null,
        "story_id": 8863, "options": [], "children": [
          \#(Self.comment(9224, of: 8863, "I&#x27;d say &quot;no&quot; &amp; mean it")),
          \#(Self.comment(9671, of: 8863, "Nice", moved, Self.comment(9800, of: 9671, "Thanks")))]}]
      """#
    let report = try await sync(database, json)
    let items = try XCTUnwrap(report.tables["items"])
    XCTAssertEqual(Set(items.changes), ["8863: points", "9479: text"])
    XCTAssertEqual(items.moved.map(\.integer), [9_272])
    XCTAssertEqual(items.inserted.map(\.integer), [9_800])
    XCTAssertEqual(Set(items.deleted.map(\.integer)), [1, 9_501])
    XCTAssertEqual(
      try database.rows("SELECT id, parent_id FROM items ORDER BY id"),
      ["8863|NULL", "9224|8863", "9272|9671", "9479|9272", "9671|8863", "9800|9671"])
    assertUnchanged(try await sync(database, json))
  }
}
