import XCTest

@testable import RecordSync

/// Relations that a table of ours names, orders or hides.
final class MadeRelationTests: XCTestCase {
  /// A comment has two foreign keys, so that nothing derives a position.
  private let posts = """
    posts: title TEXT;
    people: name TEXT;
    comments: body TEXT, post_id INTEGER REFERENCES posts ON DELETE CASCADE,
      author_id INTEGER REFERENCES people ON DELETE SET NULL, position INTEGER
    """
  private let talk = """
    [{"id":1,"title":"t","comments":[\
    {"id":9,"body":"a","author":{"id":5,"name":"Ann"}},{"id":4,"body":"b","author":5}]}]
    """

  private func made() throws -> TestDatabase {
    let database = try TestDatabase(posts)
    try database.name("comments", in: "posts", "post_id", of: "comments", position: "position")
    try database.name(nil, in: "people", "author_id", of: "comments")
    return database
  }

  func testTheDeclaredOrderIsKeptThoughThereIsAnotherForeignKey() async throws {
    let derived = try TestDatabase(posts)
    try await derived.sync(talk, "posts")
    XCTAssertEqual(try derived.rows("SELECT DISTINCT position FROM comments"), ["NULL"])

    let database = try made()
    try await database.sync(talk, "posts")
    XCTAssertEqual(
      try database.rows("SELECT id, position FROM comments ORDER BY position"), ["9|0", "4|1"])
    let again = try await database.sync(talk, "posts")
    XCTAssertEqual(again.status, .unchanged)
    let text = try await database.export("posts")
    XCTAssertEqual(text, talk)
    // At the top nothing else tells it.
    let comments = try await database.export("comments") { $0.relations = .keys }
    XCTAssertEqual(
      comments,
      #"[{"id":4,"body":"b","post_id":1,"author_id":5,"position":1},"#
        + #"{"id":9,"body":"a","post_id":1,"author_id":5,"position":0}]"#)
  }

  func testTheOrderIsKeptWhereASchemaFileDeclaresIt() async throws {
    let database = try TestDatabase(posts)
    let overrides = SchemaOverrides.of("posts") {
      $0.relation("comments") { $0.position = "position" }
    }
    try await database.sync(talk, "posts", overrides: overrides)
    XCTAssertEqual(
      try database.rows("SELECT id, position FROM comments ORDER BY position"), ["9|0", "4|1"])
  }

  func testWhatIsHiddenIsNeitherReadNorExported() async throws {
    let database = try made()
    try await database.sync(talk, "posts")
    let report = try await database.sync(
      #"[{"id": 5, "name": "Ann", "comments": [], "comment_ids": []}]"#, "people")
    XCTAssertEqual(report.tables["people"]?.unknown, ["comments": 1, "comment_ids": 1])
    XCTAssertEqual(try database.table("comments").count, 2)
    let text = try await database.export("people")
    XCTAssertEqual(text, #"[{"id":5,"name":"Ann"}]"#)
  }

  func testAHiddenToOneTakesItsColumnWithIt() async throws {
    let database = try TestDatabase(
      "people: name TEXT; posts: title TEXT, author -> people, author_id INTEGER, author_name TEXT",
      "people = (5, 'Ann'); posts = (1, 't', 5, NULL, NULL)")
    try database.name(nil, in: "posts", "author")
    try database.name(nil, in: "people", "author", of: "posts")
    try database.name(columns: [
      "posts.author_id": "author.id", "posts.author_name": "author.name",
    ])
    let payload = #"[{"id":1,"title":"t","author":{"id":7,"name":"Ben"}}]"#
    try await database.sync(payload, "posts")
    XCTAssertEqual(try database.table("posts"), ["1|t|5|7|Ben"])
    XCTAssertEqual(try database.table("people"), ["5|Ann"])
    let again = try await database.sync(payload, "posts")
    XCTAssertEqual(again.status, .unchanged)
    let text = try await database.export("posts")
    XCTAssertEqual(text, payload)
  }

  func testLinksAreNamedAndOrderedAndTheirOtherSideIsHidden() async throws {
    let database = try TestDatabase(
      """
      issues: title TEXT; labels: name TEXT;
      issues_labels (issue_id INTEGER NOT NULL REFERENCES issues ON DELETE CASCADE,
        label_id INTEGER NOT NULL REFERENCES labels ON DELETE CASCADE, place INTEGER,
        added TEXT, PRIMARY KEY (issue_id, label_id))
      """)
    try database.name(
      "labels.nodes", in: "issues", "issue_id", of: "labels", through: "issues_labels",
      position: "place")
    try database.name(nil, in: "labels", "label_id", of: "issues", through: "issues_labels")
    try database.name(nil, in: "issues", "issue_id", of: "issues_labels")
    try database.name(nil, in: "labels", "label_id", of: "issues_labels")
    let payload =
      #"[{"id":1,"title":"a","labels":{"nodes":[{"id":47,"name":"x"},{"id":46,"name":"y"}]}},"#
      + #"{"id":2,"title":"b","labels":{"nodes":[46,47]}}]"#
    try await database.sync(payload, "issues")
    XCTAssertEqual(
      try database.rows("SELECT issue_id, label_id, place FROM issues_labels ORDER BY 1, 3"),
      ["1|47|0", "1|46|1", "2|46|0", "2|47|1"])
    let again = try await database.sync(payload, "issues")
    XCTAssertEqual(again.status, .unchanged, "\(again)")
    let text = try await database.export("issues")
    XCTAssertEqual(text, payload)
    let labels = try await database.export("labels")
    XCTAssertEqual(labels, #"[{"id":46,"name":"y"},{"id":47,"name":"x"}]"#)
  }

  func testOfSeveralWaysToOneTableTheOneThatIsNotHiddenHasTheName() async throws {
    let database = try TestDatabase(
      "people: name TEXT; films: director_id -> people, star_id -> people")
    try database.name(nil, in: "people", "director_id", of: "films")
    let payload = #"[{"id": 1, "name": "A", "films": [{"id": 2}]}]"#
    try await database.sync(payload, "people")
    XCTAssertEqual(try database.table("films"), ["2|NULL|1"])
    try database.name(nil, in: "people", "star_id", of: "films")
    let store = try await RecordStore(path: database.path)
    let warnings = try await store.schema().warnings
    XCTAssertEqual(warnings, [])
  }

  func testWhatTheProgramSaysGoesBefore() async throws {
    let database = try made()
    try database.name(columns: ["posts.title": "head.title"])
    var overrides = SchemaOverrides()
    overrides.table("posts") { posts in
      posts.column("title") { $0.name = "name" }
      posts.relation("comments") { $0.name = "talk.list" }
    }
    overrides.table("people") { $0.relation("comments") { $0.name = "written" } }
    overrides.table("comments") { $0.column("position") { $0.export = true } }
    let payload = #"[{"id":1,"name":"t","talk":{"list":[{"id":9,"body":"b"},{"id":4}]}}]"#
    try await database.sync(payload, "posts", overrides: overrides)
    XCTAssertEqual(try database.table("posts"), ["1|t"])
    XCTAssertEqual(
      try database.rows("SELECT id, position FROM comments ORDER BY position"), ["9|0", "4|1"])
    let text = try await database.export("posts", overrides: overrides)
    XCTAssertTrue(text.contains(#""talk":{"list":[{"id":9,"body":"b","position":0"#), text)
    try await database.sync(
      #"[{"id": 5, "name": "Ann", "written": [{"id": 9}]}]"#, "people", overrides: overrides)
    XCTAssertEqual(try database.rows("SELECT author_id FROM comments WHERE id = 9"), ["5"])
    // A relation goes by its made name, too.
    let other = try TestDatabase(posts)
    try other.name("talk.all", in: "posts", "post_id", of: "comments")
    let ordered = SchemaOverrides.of("posts") {
      $0.relation("talk.all") { $0.position = "position" }
    }
    try await other.sync(
      #"[{"id": 1, "talk": {"all": [{"id": 9}, {"id": 4}]}}]"#, "posts", overrides: ordered)
    XCTAssertEqual(
      try other.rows("SELECT id, position FROM comments ORDER BY position"), ["9|0", "4|1"])
  }

  func testOwnedRowsLeaveInFullWhereverTheyStand() async throws {
    let database = try TestDatabase(OwnedRowsTests.orders)
    try database.name("lines", in: "orders", "order_id", of: "lines", position: "position")
    let payload = #"""
      [{"id": 1, "lines": [{"sku": "a", "n": 1, "product": {"id": 5, "name": "Pen"}},
        {"sku": "b", "n": 2, "product": 5}]}]
      """#
    try await database.sync(payload, "orders")
    for options in [ExportOptions.Relations.arrays, .nested, .keys, .none] {
      for table in ["orders", "products", "lines"] {
        for depth in [nil, 0, 1, 2] {
          let text = try await database.export(table) {
            ($0.relations, $0.depth) = (options, depth)
          }
          let report = try await database.sync(text, table)
          XCTAssertEqual(report.status, .unchanged, "\(options) \(table): \(text)")
        }
      }
    }
    // Its rows know their places themselves at the top.
    let lines = try await database.export("lines") { $0.relations = .keys }
    XCTAssertEqual(
      lines,
      #"[{"order_id":1,"position":0,"sku":"a","n":1,"product_id":5},"#
        + #"{"order_id":1,"position":1,"sku":"b","n":2,"product_id":5}]"#)
  }
}
