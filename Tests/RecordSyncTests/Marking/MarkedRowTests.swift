@testable import RecordSync
import SyncText
import XCTest

/// With a column for it, rows are marked in place of being deleted, and count as gone.
final class MarkedRowTests: XCTestCase {
  private var marking: SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.deletedAt = "gone"
    return overrides
  }

  private func users() throws -> TestDatabase {
    try TestDatabase(
      """
      users: name TEXT, email TEXT UNIQUE, gone TIMESTAMP;
      users = (1, 'Ann', 'a', NULL), (2, 'Bob', 'b', NULL), (3, 'Cid', 'c', NULL)
      """)
  }

  private func keys(_ report: RecordReport) -> [Int64?] {
    report.tables["users"]?.deleted.map(\.integer) ?? []
  }

  func testARowIsMarkedOnceAndItsMarkClearedWhenItComesBack() async throws {
    let database = try users()
    let two = #"[{"id": 1, "name": "Ann"}, {"id": 3, "name": "Cid"}]"#
    let before = Timestamp(milliseconds: 1_700_000_000_000)
    let first = try await database.sync(two, "users", overrides: marking)
    XCTAssertEqual(keys(first), [2])
    XCTAssertEqual(first.tables["users"]?.marked, 1)
    let marked = try database.table("users")
    XCTAssertEqual(marked.map { $0.hasSuffix("|NULL") }, [true, false, true])
    let text = try database.rows("SELECT gone FROM users WHERE id = 2")[0]
    let moment = try XCTUnwrap(Timestamp(text))
    XCTAssertGreaterThan(moment, try XCTUnwrap(before))
    XCTAssertTrue(moment.text.hasSuffix("Z"))

    let again = try await database.sync(two, "users", overrides: marking)
    XCTAssertEqual(again.status, .unchanged)
    XCTAssertEqual(try database.table("users"), marked)

    let back = try await database.sync(
      #"[{"id": 1}, {"id": 2, "name": "Bob"}, {"id": 3}]"#, "users", overrides: marking)
    XCTAssertEqual(
      back.tables["users"]?.updated, [UpdatedRow(key: RecordKey([.integer(2)]), columns: ["gone"])])
    XCTAssertEqual(try database.table("users"), ["1|Ann|a|NULL", "2|Bob|b|NULL", "3|Cid|c|NULL"])
  }

  func testItIsReadAndCountedAsGone() async throws {
    let database = try users()
    try await database.sync(#"[{"id": 1}, {"id": 3}]"#, "users", overrides: marking)
    let store = try await RecordStore(path: database.path, overrides: marking)
    let gone = try await store.row(2, of: "users")
    XCTAssertNil(gone)
    let counts = [
      try await store.count(of: "users"), try await store.count(of: "users", .key(2)),
      try await store.count(of: "users", .condition("id > ?", values: [1])),
    ]
    XCTAssertEqual(counts, [2, 0, 1])
    let rows = try await store.rows(of: "users", order: [.descending("id")])
    XCTAssertEqual(rows.map(\.key.integer), [3, 1])
    let nothing = [
      try await store.delete(2, from: "users"),
      try await store.update(2, of: "users", with: .text(#"{"name": "X"}"#)),
    ]
    XCTAssertEqual(nothing.map(\.status), [.unchanged, .unchanged])
    // Whoever doesn't ask for marks sees the row as it is.
    let all = try await RecordStore(path: database.path).count(of: "users")
    XCTAssertEqual(all, 3)
  }

  func testALiveQueryTellsThatARowIsGone() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path, overrides: marking)
    var rows = store.live("users").makeAsyncIterator()
    let first = try await rows.next()
    XCTAssertEqual(first?.count, 3)
    _ = try await store.sync(.text(#"[{"id": 1}, {"id": 3}]"#), into: "users")
    let next = try await rows.next()
    XCTAssertEqual(next?.map(\.key.integer), [1, 3])
  }

  func testADeletionByKeyMarksAndAPutClears() async throws {
    let database = try users()
    let store = try await RecordStore(path: database.path, overrides: marking)
    let report = try await store.delete(2, from: "users")
    XCTAssertEqual(keys(report), [2])
    XCTAssertEqual(report.tables["users"]?.marked, 1)
    XCTAssertEqual(try database.rows("SELECT name FROM users WHERE gone IS NOT NULL"), ["Bob"])
    try await store.put(.text(#"{"id": 2, "name": "Bea"}"#), into: "users")
    XCTAssertEqual(try database.rows("SELECT * FROM users WHERE id = 2"), ["2|Bea|b|NULL"])
  }

  func testAPlanSaysWhatWouldBeMarkedAndAVerifiedTableIsEqualAfterwards() async throws {
    let database = try users()
    let two = #"[{"id": 1}, {"id": 3}]"#
    let before = try database.table("users")
    let plan = try await database.sync(two, "users", overrides: marking) { $0.isPlan = true }
    XCTAssertEqual(keys(plan), [2])
    XCTAssertEqual(plan.tables["users"]?.marked, 1)
    XCTAssertEqual(try database.table("users"), before)
    let store = try await RecordStore(path: database.path, overrides: marking)
    let unequal = try await store.verify(.text(two), against: "users")
    XCTAssertFalse(unequal.isEqual)
    _ = try await store.sync(.text(two), into: "users")
    let equal = try await store.verify(.text(two), against: "users")
    XCTAssertTrue(equal.isEqual)
  }

  func testTheLimitCountsAMarkOnceAndSharesAreOfTheRowsThatAreThere() async throws {
    let database = try users()
    let one = #"[{"id": 1}]"#
    do {
      try await database.sync(one, "users", overrides: marking) { $0.removalLimit = .count(1) }
      XCTFail("two were marked")
    } catch RecordError.removalRefused(_, let count, let all, _, _) {
      XCTAssertEqual([count, all], [2, 3])
    }
    XCTAssertEqual(try database.rows("SELECT count(*) FROM users WHERE gone IS NULL"), ["3"])
    try await database.sync(one, "users", overrides: marking) { $0.removalLimit = .count(2) }
    let again = try await database.sync(one, "users", overrides: marking) {
      $0.removalLimit = .count(0)
    }
    XCTAssertEqual(again.status, .unchanged)
    // One of one: more than half.
    do {
      try await database.sync("[]", "users", overrides: marking) { $0.removalLimit = .share(0.5) }
      XCTFail("all were marked")
    } catch RecordError.removalRefused(_, let count, let all, _, _) {
      XCTAssertEqual([count, all], [1, 1])
    }
  }

  func testAPartialPayloadMarksNothingAndStillClears() async throws {
    let database = try users()
    try await database.sync(#"[{"id": 1}]"#, "users", overrides: marking)
    let report = try await database.sync(#"[{"id": 2}]"#, "users", overrides: marking) {
      $0.operations = .keep
    }
    XCTAssertEqual(keys(report), [])
    XCTAssertEqual(try database.rows("SELECT id FROM users WHERE gone IS NULL"), ["1", "2"])
  }

  func testOnlyRowsOfTheConditionAreMarked() async throws {
    let database = try users()
    let report = try await database.sync("[]", "users", overrides: marking) {
      $0.scope = RecordScope(condition: "id > ?", values: [1])
    }
    XCTAssertEqual(keys(report), [2, 3])
    // They aren't in its scope any more, however it is said.
    let again = try await database.sync("[]", "users", overrides: marking) {
      $0.scope = RecordScope(condition: "id > 1 OR 1")
      $0.removalLimit = .count(1)
    }
    XCTAssertEqual(keys(again), [1])
  }

  func testWhatThePayloadSaysOfTheColumnCounts() async throws {
    let database = try users()
    let payload = """
      [{"id": 1, "gone": null}, {"id": 2, "gone": "2026-01-02T03:04:05Z"}, {"id": 3}]
      """
    try await database.sync(payload, "users", overrides: marking) { $0.removalLimit = .count(0) }
    XCTAssertEqual(
      try database.rows("SELECT gone FROM users"), ["NULL", "2026-01-02T03:04:05.000Z", "NULL"])
    let again = try await database.sync(payload, "users", overrides: marking)
    XCTAssertEqual(again.status, .unchanged)
    let count = try await RecordStore(path: database.path, overrides: marking).count(of: "users")
    XCTAssertEqual(count, 2)
  }

  func testAnUndoTakesMarksBack() async throws {
    let database = try users()
    let before = try database.table("users")
    let report = try await database.sync(#"[{"id": 1}]"#, "users", overrides: marking) {
      $0.recordsUndo = true
    }
    XCTAssertNotEqual(try database.table("users"), before)
    try await RecordStore(path: database.path).undo(try XCTUnwrap(report.undo))
    XCTAssertEqual(try database.table("users"), before)
  }

  func testAValueThatAMarkedRowHasIsSaidToBeTaken() async throws {
    let database = try users()
    let report = try await database.sync(
      #"[{"id": 1}, {"id": 3}, {"id": 4, "name": "Dee", "email": "b"}]"#, "users",
      overrides: marking)
    XCTAssertEqual(
      report.tables["users"]?.refused.map(\.reason),
      ["UNIQUE constraint failed: users.email: a row that is marked as gone has it"])
    XCTAssertEqual(try database.rows("SELECT id FROM users WHERE gone IS NULL"), ["1", "3"])
  }

  func testOfRowsThatShareAKeyTheOneThatIsThereCounts() async throws {
    let database = try TestDatabase(
      """
      things (id TEXT, name TEXT, gone TEXT);
      things = ('a', 'old', '2026-01-01T00:00:00.000Z'), ('a', 'new', NULL)
      """)
    let report = try await database.sync(
      #"[{"id": "a", "name": "newer"}]"#, "things", overrides: marking)
    XCTAssertEqual(report.tables["things"]?.updated.count, 1)
    XCTAssertEqual(
      try database.rows("SELECT name, gone FROM things"),
      ["old|2026-01-01T00:00:00.000Z", "newer|NULL"])
  }
}
