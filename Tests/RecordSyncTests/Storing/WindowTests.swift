import Foundation
import TestSupport
import XCTest

@testable import RecordSync

/// What comes of a payload doesn't depend on where its windows end: an object that came again a
/// megabyte later with another value was written twice in each sync, and a list that came again left
/// the children of the first one.
final class WindowTests: XCTestCase {
  /// So many bytes of text in a window: 1 is a window for each element.
  private static let sizes = [1, 1 << 10, 1 << 20, Int.max]

  private func sync(
    _ json: String, into table: String, of database: TestDatabase, window: Int,
    _ operations: Operations = .all, overrides: SchemaOverrides = SchemaOverrides()
  ) async throws -> RecordReport {
    var payload = RecordPayload.text(json)
    payload.bounds.window = window
    return try await database.sync(payload, table, overrides: overrides) {
      $0.operations = operations
    }
  }

  /// What a report says, without the order of what has none.
  private func content(_ report: RecordReport) -> [String: String] {
    report.tables.compactMapValues { table in
      var table = table
      let deleted = table.deleted.map(\.description).sorted()
      let moved = table.moved.map(\.description).sorted()
      let mismatched = table.mismatched.map { "\($0)" }.sorted()
      let unresolved = table.unresolved.map { "\($0)" }.sorted()
      table.updated.sort { "\($0.key)" < "\($1.key)" }
      (table.deleted, table.moved, table.mismatched, table.unresolved) = ([], [], [], [])
      let isNothing = table == TableReport() && (deleted + moved + mismatched + unresolved).isEmpty
      return isNothing ? nil : "\(table) \(deleted) \(moved) \(mismatched) \(unresolved)"
    }
  }

  /// Those that found something, and some more in every run.
  private let found: [UInt64] = [
    61, 62, 114, 160, 582, 902, 918, 1252, 1402, 1501, 1688, 1729, 1890, 1970,
  ]

  func testTablesAndReportsAreTheSameWhereverWindowsEnd() async throws {
    for seed in found + seeds(usually: 15, atLeast: 2) {
      var random = SeededGenerator(seed: seed)
      let schema = RandomSchema(using: &random)
      let steps = (0..<4).map { _ in
        let table = Int.random(in: schema.tables.indices, using: &random)
        return (schema.tables[table].name, schema.payload(for: table, using: &random).json)
      }
      var expected: [([String], [String: String])] = []
      for size in Self.sizes.reversed() {
        let database = try TestDatabase(schema.statements)
        for (number, (table, json)) in steps.enumerated() {
          let report = try await sync(json, into: table, of: database, window: size)
          let dump = try schema.tables.flatMap { try ["\($0.name):"] + database.table($0.name) }
          guard size != .max else {
            expected.append((dump, content(report)))
            continue
          }
          let story = "seed \(seed), step \(number), window \(size): \(json) into \(table)"
          XCTAssertEqual(dump, expected[number].0, story)
          let lines = { (content: [String: String]) in Set(content.map { "\($0.key): \($0.value)" })
          }
          let (now, then) = (lines(content(report)), lines(expected[number].1))
          XCTAssertEqual(now.subtracting(then).sorted(), then.subtracting(now).sorted(), story)
          if testRun?.failureCount ?? 0 > 0 { return }
        }
      }
    }
  }

  func testAValueThatComesAgainIsWrittenOnceAndThenUnchanged() async throws {
    let payload =
      "["
      + (0..<40).map {
        "{\"id\":\($0),\"tag\":{\"id\":\($0 % 5),\"n\":\"\($0 < 20 ? "old" : "new")\"}}"
      }
      .joined(separator: ",") + "]"
    for size in Self.sizes {
      let database = try TestDatabase("tags: n TEXT; posts: tag_id -> tags")
      let first = try await sync(payload, into: "posts", of: database, window: size)
      XCTAssertEqual(try database.table("tags"), (0..<5).map { "\($0)|new" })
      XCTAssertEqual(
        first.tables["posts"]?.inserted.map(\.description), (0..<40).map(String.init), "\(size)")
      let again = try await sync(payload, into: "posts", of: database, window: size)
      XCTAssertEqual(again.status, .unchanged, "\(size)")
    }
  }

  func testAnElementThatComesAgainIsUnchangedToo() async throws {
    let payload = #"[{"id":1,"n":"a"},{"id":2,"n":"c"},{"id":1,"n":"b"}]"#
    for size in Self.sizes {
      let database = try TestDatabase("CREATE TABLE tags (id INTEGER PRIMARY KEY, n TEXT)")
      _ = try await sync(payload, into: "tags", of: database, window: size)
      XCTAssertEqual(try database.table("tags"), ["1|b", "2|c"])
      let again = try await sync(payload, into: "tags", of: database, window: size)
      XCTAssertEqual(again.status, .unchanged, "\(size)")
    }
  }

  func testARowThatIsFirstAsItWasAndThenChangedIsToldWhereItIsNamedFirst() async throws {
    for size in Self.sizes {
      let database = try TestDatabase("tags: n TEXT; tags = (1, 'a'), (2, 'c')")
      let report = try await sync(
        #"[{"id":1,"n":"a"},{"id":2,"n":"x"},{"id":1,"n":"b"}]"#, into: "tags", of: database,
        window: size)
      XCTAssertEqual(try database.table("tags"), ["1|b", "2|x"], "\(size)")
      XCTAssertEqual(report.tables["tags"]?.updated.map(\.key.description), ["1", "2"], "\(size)")
    }
  }

  func testRowsHaveTheirPlacesWhereTheyAreNamedFirst() async throws {
    let overrides = SchemaOverrides.of("tags") { $0.position = "place" }
    for size in Self.sizes {
      let database = try TestDatabase("tags: n TEXT, place INTEGER")
      _ = try await sync(
        #"[{"id":1,"n":"a"},{"id":2},{"id":1,"n":"b"},{"id":3}]"#, into: "tags", of: database,
        window: size, overrides: overrides)
      XCTAssertEqual(
        try database.rows("SELECT id FROM tags ORDER BY place"), ["1", "2", "3"], "\(size)")
    }
  }

  /// Only those of one window were counted.
  func testObjectsOfARowThatWasNamedAreCountedWhereverWindowsEnd() async throws {
    let (one, other) = (#"{"id":1,"n":"a"}"#, #"{"id":2,"n":"b"}"#)
    for (objects, count) in [
      ([one, other, one, one], 2), ([one, other, #"{"id":1,"n":"c"}"#], 1), ([one, other], 0),
      ([#"{"id":9,"n":null}"#, one, #"{"id":9,"n":null}"#, other, #"{"id":9}"#], 2),
    ] {
      for size in Self.sizes {
        for table in [
          "INTEGER PRIMARY KEY)", "TEXT PRIMARY KEY)", "TEXT PRIMARY KEY) WITHOUT ROWID",
        ] {
          let database = try TestDatabase("CREATE TABLE tags (n TEXT NOT NULL, id \(table)")
          for round in 0..<2 {
            let report = try await sync(
              "[\(objects.joined(separator: ","))]", into: "tags", of: database, window: size)
            XCTAssertEqual(
              report.tables["tags"]?.duplicates ?? 0, count,
              "\(objects), \(size), \(table), \(round)")
          }
        }
      }
    }
  }

  func testAListThatComesAgainReplacesTheFirst() async throws {
    let payload = #"[{"id":8,"name":"old","notes":[{"id":5}]},{"id":8,"name":"new","notes":[]}]"#
    for size in Self.sizes {
      let database = try TestDatabase("users: name TEXT; notes: user_id -> users")
      for _ in 0..<2 {
        _ = try await sync(payload, into: "users", of: database, window: size)
        XCTAssertEqual(try database.table("users"), ["8|new"], "\(size)")
        XCTAssertEqual(try database.table("notes"), ["5|NULL"], "\(size)")
      }
    }
  }

  func testAChildHangsOnTheParentThatTheTextNamesLast() async throws {
    let parents = "CREATE TABLE users (id INTEGER PRIMARY KEY)"
    let children = """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users)
      """
    for (held, table, payload, expected) in [
      // Of the last parent there was an object before the first one's.
      (
        "", "users", #"[{"id":6},{"id":1,"notes":[{"id":9}]},{"id":6,"notes":[{"id":9}]}]"#, ["9|6"]
      ),
      // A list of a parent's counts more than what a child says itself, wherever that stands.
      (
        "INSERT INTO users VALUES (1), (2); INSERT INTO notes VALUES (2, 1), (6, 1)", "notes",
        #"[{"id":2,"user":{"id":1,"note_ids":[6]}},{"id":6,"user_id":2}]"#, ["2|1", "6|1"]
      ),
      (
        "INSERT INTO users VALUES (1), (2); INSERT INTO notes VALUES (6, 1)", "notes",
        #"[{"id":6,"user":{"id":1,"note_ids":[6]}},{"id":6,"user_id":2}]"#, ["6|1"]
      ),
      // So also where the child waits for a user who comes.
      (
        "INSERT INTO users VALUES (1); INSERT INTO notes VALUES (2, 1), (6, 1)", "notes",
        """
        [{"id":2,"user":{"id":1,"note_ids":[6]}},{"id":6,"user_id":3},{"id":7,"user":{"id":3}}]
        """, ["2|1", "6|1", "7|3"]
      ),
      // The last word is a user who isn't there.
      (
        "", "notes", #"[{"id":1,"user":{"id":6}},{"id":2},{"id":1,"user_id":3}]"#,
        ["1|NULL", "2|NULL"]
      ),
    ] {
      for size in Self.sizes {
        let database = try TestDatabase(parents, children, held)
        _ = try await sync(payload, into: table, of: database, window: size)
        XCTAssertEqual(try database.table("notes"), expected, "\(size), \(payload)")
      }
    }
  }

  func testAChildOfTwoParentsHasItsPositionUnderTheLast() async throws {
    let payloads = [
      (#"[{"id":6,"notes":[{"id":9}]},{"id":10,"notes":[{"id":9},{"id":4}]}]"#, ["10: 9 4"]),
      (
        """
        [{"id":1,"note_ids":[3,4]},{"id":7,"notes":[{"id":3},{"id":12}]},
        {"id":8,"notes":[{"id":6},{"id":2},{"id":4}]}]
        """, ["7: 3 12", "8: 6 2 4"]
      ),
    ]
    for (payload, expected) in payloads {
      for size in Self.sizes {
        let database = try TestDatabase("users:; notes: position INTEGER, user_id -> users")
        for round in 0..<2 {
          let report = try await sync(payload, into: "users", of: database, window: size)
          if round > 0 { XCTAssertEqual(report.status, .unchanged, "\(size), \(payload)") }
          XCTAssertEqual(try order(database), expected, "\(size), \(payload)")
          XCTAssertEqual(try database.rows("SELECT id FROM notes WHERE position IS NULL"), [])
        }
      }
    }
  }

  private func order(_ database: TestDatabase) throws -> [String] {
    try database.rows(
      """
      SELECT user_id || ': ' || group_concat(id, ' ') FROM
      (SELECT * FROM notes ORDER BY user_id, position) GROUP BY user_id
      """)
  }
}
