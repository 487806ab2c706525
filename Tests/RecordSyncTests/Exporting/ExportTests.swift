@testable import RecordSync
import TestSupport
import XCTest

/// What rows look like as JSON.
final class ExportTests: XCTestCase {
  private func blog() throws -> TestDatabase {
    try TestDatabase(
      """
      companies: name TEXT; users: first_name TEXT, user_type TEXT, company_id -> companies;
      notes: text TEXT, destroy INTEGER, user_id -> users; tags (name TEXT PRIMARY KEY);
      note_tags (note_id -> notes, tag_name TEXT REFERENCES tags, PRIMARY KEY (note_id, tag_name));
      companies = (7, 'Apple'); users = (2, 'Bo', NULL, NULL), (1, 'Al', 'admin', 7);
      notes = (11, 'b', 1, 1), (10, 'a', NULL, 1), (12, 'c', NULL, 2); tags = ('x'), ('y');
      note_tags = (10, 'y'), (10, 'x'), (11, 'x'), (12, 'x')
      """)
  }

  func testWhatHangsOnARowStandsInItAndEachRowOnceInFull() async throws {
    let text = try await blog().export("users")
    XCTAssertEqual(
      text,
      """
      [{"id":1,"first_name":"Al","type":"admin","company":{"id":7,"name":"Apple"},\
      "notes":[{"id":10,"text":"a","destroy":null,"tags":[{"name":"x"},{"name":"y"}]},\
      {"id":11,"text":"b","destroy":1,"tags":["x"]}]},\
      {"id":2,"first_name":"Bo","type":null,"company":null,\
      "notes":[{"id":12,"text":"c","destroy":null,"tags":["x"]}]}]
      """)
  }

  func testARowToWhichAChildLedBringsItsOtherChildren() async throws {
    let database = try TestDatabase(
      "authors:; publishers:; books: author_id -> authors, publisher_id -> publishers",
      "authors = (1); publishers = (5); books = (10, 1, 5), (11, NULL, 5)")
    let text = try await database.export("authors")
    XCTAssertEqual(
      text,
      """
      [{"id":1,"books":[{"id":10,"publisher":{"id":5,"books":[10,{"id":11,"author":null}]}}]}]
      """)
  }

  func testKeysAloneStandInCamelCase() async throws {
    let text = try await blog().export("notes", .key("10")) {
      $0.relations = .keys
      $0.style = .camel
    }
    XCTAssertEqual(text, #"{"id":10,"text":"a","destroy":null,"userID":1,"tagIDs":["x","y"]}"#)
  }

  func testWithoutRelationsNoColumnRefersToOtherRows() async throws {
    try await assertEqual(
      blog().export("users") { $0.relations = .none },
      #"[{"id":1,"first_name":"Al","type":"admin"},{"id":2,"first_name":"Bo","type":null}]"#)
  }

  func testArgumentsOfAFormAreNumbered() async throws {
    let text = try await blog().export("users", .key(1)) { $0.relations = .nested }
    XCTAssertEqual(
      text,
      """
      {"id":1,"first_name":"Al","type":"admin","company_attributes":{"id":7,"name":"Apple"},\
      "notes_attributes":{"0":{"id":10,"text":"a","_destroy":null,\
      "tags_attributes":{"0":{"name":"x"},"1":{"name":"y"}}},\
      "1":{"id":11,"text":"b","_destroy":1,"tags_attributes":{"0":{"name":"x"}}}}}
      """)
  }

  func testOnlyRowsThatAConditionFitsStandAtTheTopOneALine() async throws {
    let database = try blog()
    let store = try await RecordStore(path: database.path)
    var options = ExportOptions()
    options.form = .lines
    options.relations = .keys
    let text = try await store.exported(
      "notes", .condition("id > ? -- all of them", values: [10]), options: options)
    XCTAssertEqual(
      String(decoding: text, as: UTF8.self),
      """
      {"id":11,"text":"b","destroy":1,"user_id":1,"tag_ids":["x"]}
      {"id":12,"text":"c","destroy":null,"user_id":2,"tag_ids":["x"]}

      """)
  }

  func testRowsThatAreAskedForAreNestedByTheirKeysOthersInFull() async throws {
    let database = try TestDatabase("nodes: parent_id -> nodes; nodes = (1, 3), (2, 1), (3, 2)")
    let all = try await database.export("nodes")
    XCTAssertEqual(
      all,
      """
      [{"id":1,"parent":3,"nodes":[2]},{"id":2,"parent":1,"nodes":[3]},\
      {"id":3,"parent":2,"nodes":[1]}]
      """)
    let one = try await database.export("nodes", .key(1))
    XCTAssertEqual(one, #"{"id":1,"parent":{"id":3,"parent":{"id":2,"parent":1}},"nodes":[2]}"#)
  }

  func testDepthEndsWithKeys() async throws {
    let text = try await blog().export("users", .key(1)) { $0.depth = 1 }
    XCTAssertEqual(
      text,
      """
      {"id":1,"first_name":"Al","type":"admin","company":{"id":7,"name":"Apple"},\
      "notes":[{"id":10,"text":"a","destroy":null,"tags":["x","y"]},\
      {"id":11,"text":"b","destroy":1,"tags":["x"]}]}
      """)
  }

  func testALongChainIsNestedNoDeeperThanItCanBeRead() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE nodes (id INTEGER PRIMARY KEY, next_id INTEGER REFERENCES nodes);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO nodes SELECT i, nullif(i + 1, 2001) FROM n;
      """)
    let text = try await database.export("nodes", .key(1))
    let copy = try TestDatabase("nodes: next_id -> nodes")
    try await copy.sync(text, "nodes")
    XCTAssertEqual(try copy.rows("SELECT count(*) > 200, min(id) FROM nodes"), ["1|1"])
  }

  func testAKeyThatNoRowHasGivesNullAndATableWithoutRowsAnEmptyArray() async throws {
    let database = try TestDatabase("CREATE TABLE a (id INTEGER PRIMARY KEY)")
    try await assertEqual(database.export("a", .key(1)), "null")
    try await assertEqual(database.export("a"), "[]")
  }

  func testRowsFollowTheirPositions() async throws {
    let database = try TestDatabase(
      """
      lists:; items: list_id -> lists, sort_order INT; tags:;
      list_tags (list_id REFERENCES lists, tag_id REFERENCES tags, position INT,
        PRIMARY KEY (list_id, tag_id));
      lists = (1); items = (1, 1, 9), (2, 1, 3), (3, 1, 5); tags = (1), (2);
      list_tags = (1, 1, 1), (1, 2, 0)
      """)
    let text = try await database.export("lists")
    XCTAssertEqual(
      text,
      """
      [{"id":1,"items":[{"id":2,"sort_order":3},{"id":3,"sort_order":5},{"id":1,"sort_order":9}],\
      "tags":[{"id":2},{"id":1}]}]
      """)
  }

  func testTextGoesOnInPieces() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, text TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
        INSERT INTO a SELECT i, hex(zeroblob(50)) FROM n;
      """)
    let store = try await RecordStore(path: database.path)
    struct Enough: Error {}
    do {
      try await store.export("a") { piece in
        XCTAssertLessThan(piece.count, 70_000)
        throw Enough()
      }
      XCTFail("the sink's error was swallowed")
    } catch is Enough {}
    try await assertEqual(store.export("a") { _ in }, 4000)
  }
}
