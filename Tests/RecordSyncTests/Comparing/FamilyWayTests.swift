import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// Which children go the fast way with their parents, and what is left of a window.
final class FamilyWayTests: XCTestCase {
  private static let users = "users: name TEXT"
  private static let notes = "notes: user_id INTEGER REFERENCES users (id), text TEXT;\(index)"
  private static let index = "CREATE INDEX notes_user ON notes (user_id)"

  func testChildrenGoTheFastWayWhereTheyLeadToTheirParentAlone() throws {
    for (what, notes, isFast) in [
      ("an index on the parent's key", Self.notes, true),
      ("no index", "notes: user_id -> users", false),
      (
        "another reference besides", "notes: user_id -> users, editor_id -> users; \(Self.index)",
        false
      ),
      ("an order", Self.notes.replacing("text TEXT", with: "position INTEGER"), true),
      ("a parent by default", Self.notes.replacing("INTEGER", with: "INTEGER DEFAULT 1"), false),
      ("a column of another type", Self.notes.replacing("INTEGER", with: "TEXT"), false),
    ] {
      XCTAssertEqual(try isFastForChildren(TestDatabase(Self.users, notes)), isFast, what)
    }
    let database = try TestDatabase(Self.users, Self.notes)
    try database.run("CREATE TRIGGER silent AFTER DELETE ON notes WHEN 0 BEGIN SELECT 1; END")
    XCTAssertFalse(try isFastForChildren(database), "a trigger")
  }

  func testAnElementIsDoneWithAllThatStandsInItOrLeftWhole() throws {
    let database = try TestDatabase(
      Self.users, Self.notes, "users = (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')",
      "notes = (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'z'), (4, 3, 'u'), (5, NULL, 'v')")
    let payload = """
      [{"id":1,"name":"a","notes":[{"id":2,"text":"y"},{"id":1,"text":"x"}]},
       {"id":2,"name":"b","notes":[]},
       {"id":3,"name":"c","notes":[{"id":4,"text":"other"}]},
       {"id":4,"name":"d"},
       {"id":5,"name":"e","notes":[{"id":7,"text":"new"}]},
       {"id":6,"name":"f","notes":[{"id":5,"text":"v"}]}]
      """
    let sorted = try XCTUnwrap(self.sorted(payload, over: database))
    XCTAssertEqual(sorted.elements(.same), [0, 3])
    XCTAssertEqual(sorted.elements(.new), [4])
    XCTAssertEqual(
      sorted.elements(.other), [1, 2, 5], "one child goes, one differs, one hangs elsewhere")
  }

  func testAWindowThatNamesAChildTwiceIsLeftWhole() throws {
    let database = try TestDatabase(Self.users, Self.notes)
    let payload = """
      [{"id":1,"name":"a","notes":[{"id":9,"text":"x"}]},
       {"id":2,"name":"b","notes":[{"id":9,"text":"x"}]}]
      """
    XCTAssertNil(try sorted(payload, over: database))
  }

  func testOfSharedChildrenNoneIsLeftToOneElementAloneThatSaysSomethingElse() throws {
    let database = try TestDatabase(
      Self.users, "tags: label TEXT",
      "users_tags (user_id -> users, tag_id -> tags, PRIMARY KEY (user_id, tag_id))",
      "users = (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e')",
      "tags = (1, 'x'), (2, 'y'), (3, 'z')",
      "users_tags = (1, 1), (1, 2), (2, 2), (3, 3), (4, 1), (5, 1)")
    let payload = """
      [{"id":1,"name":"a","tags":[{"id":2,"label":"y"},{"id":1,"label":"x"}]},
       {"id":2,"name":"b","tags":[{"id":2,"label":"y"}]},
       {"id":3,"name":"c","tags":[{"id":3,"label":"other"}]},
       {"id":4,"name":"d","tags":[{"id":1,"label":"x"},{"id":3,"label":"z"}]},
       {"id":5,"name":"e","tags":[]}]
      """
    let sorted = try XCTUnwrap(self.sorted(payload, over: database))
    XCTAssertEqual(sorted.elements(.same), [0, 1])
    XCTAssertEqual(
      sorted.elements(.other), [2, 3, 4], "one says something else, one links more, one less")
    let others = payload.replacingOccurrences(of: "[]", with: #"[{"id":1,"label":"w"}]"#)
    let left = try XCTUnwrap(self.sorted(others, over: database))
    XCTAssertEqual(left.elements(.same), [1], "the first and the last name one tag")
  }

  func testWhatIsNewAndSharedHasTheLastWordOfAllWhoNameIt() async throws {
    let database = try TestDatabase(
      Self.users, "tags: label TEXT",
      "users_tags (user_id -> users, tag_id -> tags, PRIMARY KEY (user_id, tag_id))",
      "users = (1, 'a'), (2, 'b'), (3, 'c')")
    // The first element goes another way, since its own row differs.
    let payload = """
      [{"id":1,"name":"other","tags":[{"id":5,"label":"earlier"}]},{"id":2,"name":"b"},
       {"id":3,"name":"c"},{"id":7,"name":"new","tags":[{"id":5,"label":"last"}]}]
      """
    let sorted = try XCTUnwrap(self.sorted(payload, over: database))
    XCTAssertEqual(sorted.elements(.other), [0, 3])
    try await database.sync(payload, "users")
    XCTAssertEqual(try database.table("tags"), ["5|last"])
    XCTAssertEqual(try database.table("users_tags"), ["1|5", "7|5"])
  }

  func testAnOrderIsComparedAndKeptWhereItAscends() async throws {
    let database = try TestDatabase(
      Self.users, Self.notes.replacing("text TEXT", with: "text TEXT, position INTEGER"),
      "users = (1, 'a'), (2, 'b')",
      "notes = (1, 1, 'x', 3), (2, 1, 'y', 9), (3, 2, 'z', 1), (4, 2, 'u', 0)")
    let payload = """
      [{"id":1,"name":"a","notes":[{"id":1,"text":"x"},{"id":2,"text":"y"}]},
       {"id":2,"name":"b","notes":[{"id":3,"text":"z"},{"id":4,"text":"u"}]}]
      """
    let sorted = try XCTUnwrap(self.sorted(payload, over: database))
    XCTAssertEqual(sorted.elements(.same), [0])
    XCTAssertEqual(sorted.elements(.other), [1], "its order is another one")
    try await database.sync(payload, "users")
    XCTAssertEqual(
      try database.rows("SELECT id FROM notes ORDER BY user_id, position"), ["1", "2", "3", "4"])
  }

  func testAChildThatIsNamedUnderTwoParentsHasTheLast() async throws {
    let database = try TestDatabase(
      Self.users, Self.notes, "users = (1, 'a'), (2, 'b')",
      "notes = (9, 1, 'x')")
    let payload = """
      [{"id":1,"name":"a","notes":[{"id":9,"text":"x"}]},
       {"id":2,"name":"b","notes":[{"id":9,"text":"x"}]}]
      """
    let report = try await database.sync(payload, "users")
    XCTAssertEqual(report.tables["notes"]?.moved.map(\.integer), [9])
    XCTAssertEqual(try database.table("notes"), ["9|2|x"])
  }

  func testAChildThatIsNamedNoMoreGoesBesideThoseThatStay() async throws {
    let database = try TestDatabase(
      Self.users, Self.notes, "users = (1, 'a'), (2, 'b')",
      "notes = (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'z')")
    let payload = """
      [{"id":1,"name":"a","notes":[{"id":1,"text":"x"}]},
       {"id":2,"name":"b","notes":[{"id":3,"text":"z"}]}]
      """
    let report = try await database.sync(payload, "users")
    XCTAssertEqual(report.tables["notes"]?.deleted.map(\.integer), [2])
    XCTAssertEqual(try database.table("notes"), ["1|1|x", "3|2|z"])
    try await assertEqual(database.sync(payload, "users").status, .unchanged)
  }

  func testOfAFamilyWithARowThatIsRefusedTheOthersAreTold() async throws {
    let strict = Self.notes.replacing("text TEXT", with: "text TEXT NOT NULL")
    let database = try TestDatabase(Self.users, strict)
    let payload = """
      [{"id":1,"name":"a","notes":[{"id":1,"text":"x"},{"id":2,"text":null}]},
       {"id":2,"name":"b","notes":[{"id":3,"text":"z"}]}]
      """
    let report = try await database.sync(payload, "users")
    XCTAssertEqual(report.tables["users"]?.inserted.map(\.integer), [1, 2])
    XCTAssertEqual(report.tables["notes"]?.inserted.map(\.integer), [1, 3])
    XCTAssertEqual(report.tables["notes"]?.refused.map { $0.key?.integer }, [2])
    XCTAssertEqual(try database.table("notes"), ["1|1|x", "3|2|z"])
  }

  /// Far more than a window holds, and the first family comes again at the end, with one child less.
  func testAFamilyThatComesAgainWindowsLaterKeepsTheChildrenNamedBefore() async throws {
    let families = (1...1_500).map {
      #"{"id":\#($0),"name":"a person","notes":[{"id":\#($0 * 2),"text":"one"},"#
        + #"{"id":\#($0 * 2 + 1),"text":"two"}]}"#
    }
    func payload(_ families: [String]) -> RecordPayload {
      var payload = RecordPayload.text("[\(families.joined(separator: ","))]")
      payload.bounds.window = 64 << 10
      return payload
    }
    let database = try TestDatabase(Self.users, Self.notes)
    let store = try await RecordStore(path: database.path)
    let first = try await store.sync(payload(families), into: "users")
    XCTAssertEqual(first.tables["notes"]?.inserted.count, 3_000)
    let last = #"{"id":1,"name":"a person","notes":[{"id":2,"text":"one"}]}"#
    try await assertEqual(store.sync(payload(families + [last]), into: "users").status, .unchanged)
    let less = [last] + families.dropFirst()
    let report = try await store.sync(payload(less), into: "users")
    XCTAssertEqual(report.tables["notes"]?.deleted.map(\.integer), [3])
    XCTAssertEqual(report.tables["users"]?.deleted, nil)
  }

  private func sorted(_ payload: String, over database: TestDatabase) throws -> ComparedWindow? {
    let connection = try Connection(path: database.path)
    var comparison = try comparison(over: connection)
    var (window, reader) = (PayloadWindow(), PayloadReader(Array(payload.utf8)))
    XCTAssertTrue(try reader.next(&window))
    var looks = 0
    let sorted = try comparison.compare(window, connection) { looks += $0 }
    if let sorted {
      XCTAssertEqual(looks, [.same, .new, .other].reduce(0) { $0 + sorted.countRows(of: $1) })
    }
    return sorted
  }

  private func isFastForChildren(_ database: TestDatabase) throws -> Bool {
    try comparison(over: Connection(path: database.path)).tree.nodes.count > 1
  }

  private func comparison(over connection: Connection) throws -> TapeComparison {
    try XCTUnwrap(tapeComparison(over: connection, of: "users"))
  }
}
