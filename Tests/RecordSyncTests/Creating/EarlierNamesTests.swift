import XCTest

@testable import RecordSync

/// Tables and columns are named by English plurals; what was named by an s alone is found still.
final class EarlierNamesTests: XCTestCase {
  private let payload = """
    [{"id":1,"closed_by":{"id":7,"login":"a"},"hero":{"id":3,"name":"h"},"statuses":[{"id":4}],\
    "movies":[{"id":5,"crew":[{"id":6}]}]}]
    """

  func testNewOnesAreEnglish() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/data.sqlite"
    let store = try await RecordStore(.file(path, ifMissing: .make))
    var options = RecordOptions()
    options.creates = true
    _ = try await store.sync(.text(payload), into: "issues", options: options)
    let schema = try await store.schema()
    XCTAssertEqual(
      schema.tableNames, ["closed_by", "crew", "heroes", "issues", "movies", "statuses"])
    let crew = try XCTUnwrap(schema.place(of: "crew"))
    XCTAssertEqual(schema.tables[crew].columns.map(\.name), ["id", "movie_id", "position"])
  }

  func testTablesAndColumnsOfTheEarlierRuleAreTaken() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE closed_bies (id INTEGER PRIMARY KEY, login TEXT);
      CREATE TABLE heros (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE issues (id INTEGER PRIMARY KEY, closed_by_id INTEGER REFERENCES closed_bies (id)
        ON DELETE SET NULL, hero_id INTEGER REFERENCES heros (id) ON DELETE SET NULL);
      CREATE TABLE statuses (id INTEGER PRIMARY KEY,
        issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE);
      CREATE TABLE movies (id INTEGER PRIMARY KEY,
        issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE);
      CREATE TABLE crew (id INTEGER PRIMARY KEY,
        movy_id INTEGER REFERENCES movies (id) ON DELETE CASCADE);
      """)
    let first = try await database.sync(payload, "issues") { $0.creates = true }
    XCTAssertEqual(first.made, [])
    XCTAssertEqual(try database.table("crew"), ["6|5"])
    XCTAssertEqual(try database.table("issues"), ["1|7|3"])
    let again = try await database.sync(payload, "issues")
    XCTAssertEqual(again.status, .unchanged)
  }

  func testATableOfTheEarlierRuleIsTakenForANewRelation() async throws {
    let database = try TestDatabase(
      "CREATE TABLE heros (id INTEGER PRIMARY KEY, name TEXT)",
      "CREATE TABLE issues (id INTEGER PRIMARY KEY)")
    let report = try await database.sync(payload, "issues") { $0.creates = true }
    XCTAssertFalse(report.made.isEmpty)
    XCTAssertEqual(try database.table("heros"), ["3|h"])
    XCTAssertEqual(try database.rows("SELECT hero_id FROM issues"), ["3"])
  }

  func testNamesOfTheEarlierSingularsAreReadAndTheEnglishOnesWritten() async throws {
    let database = try TestDatabase(
      """
      users: name TEXT; movies: title TEXT; movies_users (user_id -> users, movie_id -> movies,
      PRIMARY KEY (user_id, movie_id)); statuses: user_id INTEGER UNIQUE REFERENCES users, n TEXT;
      movies = (1, 'a'), (2, 'b')
      """)
    for name in ["movie_ids", "movy_ids", "movies_ids", "movieIDs"] {
      let status = #"{"id": 4, "n": "\#(name)"}"#
      try await database.sync(
        #"[{"id": 1, "statuse": \#(status), "\#(name)": [1, 2]}]"#, "users")
      XCTAssertEqual(try database.table("movies_users"), ["1|1", "1|2"], name)
      XCTAssertEqual(try database.rows("SELECT n FROM statuses"), [name])
      try await database.sync(#"[{"id": 1, "movies": []}]"#, "users")
    }
    let text = try await database.export("users") { $0.relations = .keys }
    XCTAssertTrue(text.contains(#""movie_ids":[]"#), text)
    let objects = try await database.export("users")
    XCTAssertTrue(objects.contains(#""status":{"#), objects)
  }
}
