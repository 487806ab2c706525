import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// Named steps, each done once, in order, and as a whole.
final class RecordMigrationTests: XCTestCase {
  private struct Refused: Error {}
  private let first = RecordMigration(
    "first",
    """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users ON DELETE CASCADE)
    """)
  private let second = RecordMigration("second", "ALTER TABLE users ADD COLUMN age INTEGER")

  private func open(_ path: String, _ migrations: RecordMigration...) async throws -> RecordStore {
    try await RecordStore(
      .file(path, ifMissing: .make), options: StoreOptions(migrations: migrations))
  }

  func testEachIsDoneOnceAndInOrder() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    for _ in 1...2 { try await assertEqual(open(path, first).appliedMigrations(), ["first"]) }
    let store = try await open(path, first, second)
    try await assertEqual(store.appliedMigrations(), ["first", "second"])
    _ = try await store.sync(.text(#"[{"id": 1, "age": 7}]"#), into: "users")
    try await assertEqual(store.schema().tables.map(\.name), ["notes", "users"])
  }

  func testOneThatFailsLeavesTheDatabaseAsItWas() async throws {
    let broken = [
      RecordMigration("broken", "INSERT INTO users VALUES (1, 'Ann', 3); CREATE TABL x"),
      RecordMigration("broken", "DELETE FROM notes; COMMIT; BEGIN"),
      RecordMigration("broken") { step in
        try step.run("INSERT INTO users (id) VALUES (?)", [9])
        try step.run("INSERT INTO users (id) VALUES (?)", [9])
      },
      RecordMigration("broken") { step in
        try step.execute("DROP TABLE users")
        throw Refused()
      },
      RecordMigration("broken", "INSERT INTO notes VALUES (2, 5)"),
      RecordMigration("broken", "DELETE FROM users; DELETE FROM recordsync_migrations; ROLLBACK"),
    ]
    for migration in broken {
      let folder = try TestFolder()
      let path = folder.path + "/app.sqlite"
      _ = try await open(path, first).sync(
        .text(#"[{"id": 1, "notes": [{"id": 1}]}]"#), into: "users")
      let before = try Data(contentsOf: URL(filePath: path))
      await assertThrows(try await open(path, first, migration, second)) { error in
        switch error {
        case is Refused: break
        case RecordError.opening(.migrationFailed(let name, _)),
          RecordError.opening(.migrationBreaksReferences(let name, _)):
          XCTAssertEqual(name, "broken")
          XCTAssertTrue("\(error)".contains("is as it was before it"), "\(error)")
        default: XCTFail("\(error)")
        }
      }
      XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before)
    }
  }

  func testManyWhoOpenAtOnceDoEachOnce() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    let third = RecordMigration("third", "INSERT INTO users (name) VALUES ('Ann')")
    try await withThrowingTaskGroup(of: Void.self) { [self] group in
      for _ in 1...8 {
        group.addTask { [first, second] in
          let options = StoreOptions(migrations: [first, second, third])
          _ = try await RecordStore(.file(path, ifMissing: .make), options: options)
        }
      }
      try await group.waitForAll()
    }
    let text = try await open(path, first, second, third).exported("users")
    XCTAssertEqual(String(decoding: text, as: UTF8.self).filter { $0 == "{" }.count, 1)
  }

  func testThoseBeforeOneThatFailsStay() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    let broken = RecordMigration("broken", "nonsense")
    await assertThrows(try await open(path, first, broken, second)) { error in
      guard case RecordError.opening(.migrationFailed("broken", let reason)) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertTrue(reason.contains("syntax error"), reason)
    }
    try await assertEqual(open(path, first, second).appliedMigrations(), ["first", "second"])
  }

  func testATableIsMadeAnewUnderTheRowsThatReferToIt() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    _ = try await open(path, first).sync(
      .text(#"[{"id": 1, "name": "Ann", "notes": [{"id": 1}]}]"#), into: "users")
    let anew = RecordMigration("anew") { step in
      try step.execute(
        """
        CREATE TABLE fresh (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO fresh SELECT id, name FROM users;
        DROP TABLE users; ALTER TABLE fresh RENAME TO users
        """)
      let rows = try step.rows("SELECT id, name, NULL FROM users WHERE id = ?", [1])
      XCTAssertEqual(rows, [[1, "Ann", nil]])
    }
    let store = try await open(path, first, anew)
    try await assertEqual(
      String(decoding: store.exported("users"), as: UTF8.self),
      "[{\"id\":1,\"name\":\"Ann\",\"notes\":[{\"id\":1}]}]\n")
    // And they are checked again.
    let report = try await store.sync(.text(#"[{"id": 2, "user_id": 7}]"#), into: "notes")
    XCTAssertEqual(report.tables["notes"]?.unresolved.count, 1)
  }

  func testADatabaseOfANewerProgramIsLeftAsItIs() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    _ = try await open(path, first, second)
    let before = try Data(contentsOf: URL(filePath: path))
    let third = RecordMigration("third", "DROP TABLE users")
    await assertThrows(
      RecordError.opening(.newerDatabase(migrations: ["second"])),
      try await open(path, first, third))
    await assertThrows(
      RecordError.opening(.migrationsOfOneName("second")),
      try await open(path, first, second, second))
    XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before)
  }

  /// The program knows none of an app's migrations, and said that a newer version had written it.
  func testWhoNamesNoMigrationsTakesTheTablesAsTheyAre() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/app.sqlite"
    _ = try await open(path, first, second)
    let before = try Data(contentsOf: URL(filePath: path))
    let store = try await open(path)
    let names = try await store.schema().tables.map(\.name)
    XCTAssertFalse(names.isEmpty)
    XCTAssertFalse(names.contains("recordsync_migrations"))
    XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before)
    let third = RecordMigration("third", "DROP TABLE users")
    await assertThrows(
      saying: "another one, or a newer version of this one", try await open(path, first, third))
  }
}
