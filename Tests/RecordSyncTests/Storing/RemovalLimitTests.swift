import OneWaySynchronizer
@testable import RecordSync
import SyncDatabase
import XCTest

/// How many rows may go from below the table that is synced.
final class RemovalLimitTests: XCTestCase {
  private let users = """
    users:; notes: user_id -> users ON DELETE CASCADE; marks: note_id -> notes;
    pets: user_id -> users ON DELETE CASCADE; users = (1), (2);
    notes = (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2); marks = (1, 1), (2, 4);
    pets = (1, 1), (2, 2)
    """

  private struct Case {
    var what: String
    var payload: String
    var limit: RemovalLimit
    /// What is refused; `nil` for a sync that is done.
    var refused: RecordError?
    var notes = ""
  }

  private let cases = [
    Case(
      what: "two of three of each parent's are four of six",
      payload: """
        [{"id": 1, "notes": [{"id": 1, "marks": [{"id": 1}]}]},
         {"id": 2, "notes": [{"id": 4, "marks": [{"id": 2}]}]}]
        """,
      limit: .count(3), refused: .removalRefused(table: "notes", count: 4, of: 6)),
    Case(
      what: "at the next depth",
      payload: """
        [{"id": 1, "notes": [{"id": 1}, {"id": 2}, {"id": 3}]},
         {"id": 2, "notes": [{"id": 4, "marks": []}]}]
        """,
      limit: .share(0.5),
      refused: .removalRefused(table: "marks", count: 1, of: 1, allowing: 2)),
    Case(
      what: "of the children of all parents, two of six",
      payload: """
        [{"id": 2, "notes": [{"id": 4}, {"id": 5}, {"id": 6}]},
         {"id": 1, "notes": [{"id": 1}, {"id": 4}]}]
        """,
      limit: .share(0.5), notes: "1|1 4|1 5|2 6|2"),
    Case(
      what: "a parent of whose children nothing is said doesn't count",
      payload: #"[{"id": 1, "notes": [{"id": 1}]}, {"id": 2}]"#,
      limit: .share(0.5), refused: .removalRefused(table: "notes", count: 2, of: 3)),
    Case(
      what: "each relation has a limit of its own",
      payload: """
        [{"id": 1, "notes": [{"id": 1}, {"id": 2}], "pets": []}, {"id": 2, "notes": [4, 5, 6]}]
        """,
      limit: .count(1), notes: "1|1 2|1 4|2 5|2 6|2"),
    Case(
      what: "who moves or only loses a parent doesn't go",
      payload: #"[{"id": 1, "notes": null}, {"id": 2, "notes": [5, 6, 3]}]"#,
      limit: .count(0), notes: "1|NULL 2|NULL 3|2 4|NULL 5|2 6|2"),
    Case(
      what: "the table itself has its own, too",
      payload: #"[{"id": 1, "notes": []}]"#,
      limit: .count(1), refused: .removalRefused(table: "notes", count: 3, of: 3)),
  ]

  /// The first of several tables was named, with a number that was refused for the next one; and
  /// new rows counted as if they had been there.
  func testTheNumberThatIsAdvisedIsEnoughForAll() async throws {
    let all = (1...10).map { #"{"id": \#($0), "kids": [{"id": \#($0 * 10)}]}"# }
    for creates in [true, false] {
      let database = try TestDatabase()
      _ = try await database.sync("[\(all.joined(separator: ","))]", "users") { $0.creates = true }
      let payload = #"[{"id": 1, "kids": []}, {"id": 12, "kids": [{"id": 20}]}]"#
      for limit in [RemovalLimit.count(0), .count(8), .share(0.2)] {
        do {
          _ = try await database.sync(payload, "users") {
            ($0.creates, $0.removalLimit) = (creates, limit)
          }
          XCTFail("nine rows went")
        } catch let error as RecordError {
          XCTAssertEqual(error, .removalRefused(table: "users", count: 9, of: 10, cascaded: 8))
        }
      }
      _ = try await database.sync(payload, "users") { $0.removalLimit = .count(9) }
      XCTAssertEqual(try database.rows("SELECT id FROM users"), ["1", "12"])
    }
  }

  func testItHoldsForEachRelationOverAllParentsTogether() async throws {
    for test in cases {
      let database = try TestDatabase(users)
      let before = try database.table("notes")
      do {
        try await database.sync(test.payload, "users") { $0.removalLimit = test.limit }
        XCTAssertNil(test.refused, test.what)
        let notes = test.notes.split(separator: " ").map(String.init)
        XCTAssertEqual(try database.table("notes"), notes, test.what)
      } catch {
        XCTAssertEqual(error as? RecordError, test.refused, test.what)
        XCTAssertEqual(try database.table("notes"), before, test.what)
      }
    }
  }

  func testRowsThatTheDatabaseDeletesWithOthersDoNotCount() async throws {
    let database = try TestDatabase(users)
    try database.run("DELETE FROM marks")
    let report = try await database.sync(#"[{"id": 2}]"#, "users") { $0.removalLimit = .count(1) }
    XCTAssertEqual(report.tables["users"]?.deleted.map(\.integer), [1])
    XCTAssertEqual(report.tables["notes"]?.deleted.compactMap(\.integer).sorted(), [1, 2, 3])
    XCTAssertEqual(report.tables["pets"]?.deleted.map(\.integer), [1])
    XCTAssertEqual(report.tables["users"]?.cascaded, 0)
    XCTAssertEqual(report.tables["notes"]?.cascaded, 3)
    XCTAssertEqual(report.tables["pets"]?.cascaded, 1)
  }

  /// Whoever allowed ten rows wasn't told that a thousand hang on them.
  func testARefusalNamesHowManyWouldHaveGoneWithTheRows() async throws {
    let database = try TestDatabase(users)
    try database.run("DELETE FROM marks")
    let before = try database.table("notes")
    do {
      try await database.sync(#"[{"id": 2}]"#, "users") { $0.removalLimit = .count(0) }
      XCTFail("a row went")
    } catch let error as RecordError {
      XCTAssertEqual(error, .removalRefused(table: "users", count: 1, of: 2, cascaded: 4))
      XCTAssertTrue(
        "\(error)".contains("4 rows that hang on them, and aren't counted"), "\(error)")
    }
    XCTAssertEqual(try database.table("notes"), before)
  }

  /// What a payload leaves out itself isn't there for its parent's sake, in whatever order they go.
  func testARowThatIsToGoItselfDoesNotCountAsOneThatGoesWithAnother() async throws {
    let nested = try TestDatabase(
      "parts: part_id -> parts ON DELETE CASCADE; parts = (1, NULL), (2, 1), (3, 2), (4, NULL)")
    let whole = try await nested.sync(#"[{"id": 4}]"#, "parts")
    XCTAssertEqual(whole.tables["parts"]?.deleted.count, 3)
    XCTAssertEqual(whole.tables["parts"]?.cascaded, 2)
    let flat = try TestDatabase(
      "parts: part_id -> parts ON DELETE CASCADE; parts = (1, NULL), (2, 1), (3, 2), (4, NULL)")
    let each = try await flat.sync(#"[{"id": 4}]"#, "parts") {
      $0.scope = RecordScope(condition: "id > ?", values: [0])
    }
    XCTAssertEqual(each.tables["parts"]?.deleted.count, 3)
    XCTAssertEqual(each.tables["parts"]?.cascaded, 0)
    // A row that the database doesn't let go has all be tried one after the other.
    let held = try TestDatabase(
      """
      parts: part_id -> parts ON DELETE CASCADE; parts = (1, NULL), (2, 1), (3, 2), (4, NULL);
      pins: part_id -> parts; parts = (5, NULL); pins = (1, 5)
      """)
    let singly = try await held.sync(#"[{"id": 4}]"#, "parts") {
      $0.scope = RecordScope(condition: "id > ?", values: [0])
    }
    XCTAssertEqual(singly.tables["parts"]?.deleted.count, 3)
    XCTAssertEqual(singly.tables["parts"]?.cascaded, 0)
    XCTAssertEqual(singly.tables["parts"]?.refused.count, 1)
  }
}
