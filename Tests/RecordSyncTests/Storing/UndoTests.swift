@testable import RecordSync
import TestSupport
import XCTest

/// A sync is taken back as a whole, or not at all.
final class UndoTests: XCTestCase {
  private let tables = ["users", "posts", "tags", "post_tags", "log"]

  private func library() throws -> TestDatabase {
    try TestDatabase(
      """
      users: name TEXT UNIQUE; posts: title TEXT, user_id -> users ON DELETE CASCADE;
      tags (id TEXT PRIMARY KEY NOT NULL);
      post_tags (post_id -> posts ON DELETE CASCADE, tag_id TEXT REFERENCES tags,
        PRIMARY KEY (post_id, tag_id)) WITHOUT ROWID;
      log: name TEXT; users = (1, 'Ann'), (2, 'Ben'), (3, 'Cid');
      posts = (1, 'One', 1), (2, 'Two', 1), (3, 'Three', 2); tags = ('a'), ('b');
      post_tags = (1, 'a'), (2, 'a'), (3, 'b')
      """)
  }

  private let payload = """
    [{"id": 1, "name": "Ben"}, {"id": 2, "name": "Ann", "posts": [{"id": 3, "tag_ids": ["a"]}]},
     {"id": 4, "name": "New", "posts": [{"id": 1, "title": "Moved"}, {"id": 9, "tags": [{"id": "c"}]}]}]
    """

  private func state(_ database: TestDatabase) throws -> [[String]] {
    try tables.map { try database.rows("SELECT * FROM \($0)").sorted() }
  }

  private func synced(_ database: TestDatabase) async throws -> RecordUndo {
    let report = try await database.sync(payload, "users") { $0.recordsUndo = true }
    XCTAssertEqual(report.status, .written)
    return try RecordUndo(bytes: try XCTUnwrap(report.undo).bytes)
  }

  func testEveryRowIsWhatItWas() async throws {
    let database = try library()
    let before = try state(database)
    let undo = try await synced(database)
    XCTAssertNotEqual(try state(database), before)
    let report = try await RecordStore(path: database.path).undo(undo)
    XCTAssertEqual(try state(database), before)
    XCTAssertEqual(report.tables["users"]?.deleted.map(\.integer), [4])
    XCTAssertEqual(report.tables["users"]?.inserted.map(\.integer), [3])
    await assertRefused(undo, in: database)
    XCTAssertEqual(try state(database), before)
  }

  func testWhatATriggerWroteIsTakenBackToo() async throws {
    let database = try library()
    try database.run(
      "CREATE TRIGGER t AFTER INSERT ON users BEGIN INSERT INTO log (name) VALUES (NEW.name); END")
    let before = try state(database).dropLast()
    let undo = try await synced(database)
    XCTAssertEqual(try database.rows("SELECT name FROM log"), ["New"])
    try await RecordStore(path: database.path).undo(undo)
    XCTAssertEqual(try state(database).dropLast(), before)
    XCTAssertEqual(try database.rows("SELECT name FROM log WHERE name = 'New'"), [])
  }

  func testRowsThatHaveChangedSinceAreNotTouched() async throws {
    for change in [
      "UPDATE users SET name = 'X' WHERE id = 1", "DELETE FROM posts WHERE id = 9",
      "INSERT INTO users VALUES (3, 'Y')", "INSERT INTO posts VALUES (10, 'Late', 4)",
    ] {
      let database = try library()
      let undo = try await synced(database)
      try database.run(change)
      let before = try state(database)
      await assertRefused(undo, in: database)
      XCTAssertEqual(try state(database), before, change)
    }
  }

  func testRowsThatTheSyncDidNotTouchMayChange() async throws {
    let database = try library()
    let undo = try await synced(database)
    try database.run("INSERT INTO users VALUES (7, 'Gus')")
    try database.run("INSERT INTO tags VALUES ('z')")
    try await RecordStore(path: database.path).undo(undo)
    XCTAssertEqual(
      try database.rows("SELECT name FROM users ORDER BY 1"), ["Ann", "Ben", "Cid", "Gus"])
  }

  func testWhatCanNotBeFollowedIsRefusedBeforeAnythingIsWritten() async throws {
    let database = try library()
    try database.run("CREATE TABLE notes (text TEXT, user_id INTEGER REFERENCES users)")
    let before = try state(database)
    await assertThrows(
      RecordError.undo(.unfollowable(table: "notes", .noPrimaryKey)), try await synced(database))
    XCTAssertEqual(try state(database), before)
  }

  func testNothingChangedIsNothingToTakeBack() async throws {
    let database = try library()
    let report = try await database.sync(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, "users") {
      $0.recordsUndo = true
    }
    let bytes = try XCTUnwrap(report.undo?.bytes)
    let undone = try await RecordStore(path: database.path).undo(RecordUndo(bytes: bytes))
    XCTAssertEqual(undone, RecordReport(status: .unchanged))
    XCTAssertThrowsError(try RecordUndo(bytes: [1, 2, 3]))
  }

  private func assertRefused(
    _ undo: RecordUndo, in database: TestDatabase, line: UInt = #line
  ) async {
    if let error = await thrown(
      RecordError.self, by: try await RecordStore(path: database.path).undo(undo), line: line)
    {
      guard case .undo = error else { return XCTFail("\(error)", line: line) }
    }
  }

  func testBytesThatWereEmptiedAreNoUndo() {
    assertThrows(RecordError.undo(.unreadable), try RecordUndo(bytes: []))
  }

  func testVerifyTellsDifferencesAndWritesNothing() async throws {
    let database = try library()
    let before = try state(database)
    let store = try await RecordStore(path: database.path)
    let unequal = try await store.verify(.text(payload), against: "users")
    XCTAssertFalse(unequal.isEqual)
    XCTAssertEqual(unequal.tables["users"]?.inserted.map(\.integer), [4])
    XCTAssertEqual(try state(database), before)
    let equal = try await store.verify(
      .text(#"[{"id": 1}, {"id": 2}, {"id": 3, "shoe": 4}, {"x": 1}]"#), against: "users")
    XCTAssertTrue(equal.isEqual)
  }
}

extension Error {
  fileprivate var isOfUndo: Bool { if case .undo? = self as? RecordError { true } else { false } }
}
