import SyncDatabase
import XCTest

final class RowObserverTests: XCTestCase {
  private struct Refused: Error {}

  func testEveryRowIsToldOfWithWhatItWasAndWhatItBecomes() throws {
    let connection = try connectionWithTables()
    let told = try observing(connection) {
      try connection.run("INSERT INTO notes VALUES (1, 'one', 1.5), (2, NULL, NULL)")
      try connection.run("UPDATE notes SET text = 'zwei' WHERE id = 2")
      try connection.run("UPDATE notes SET id = 3 WHERE id = 1")
      try connection.run("DELETE FROM notes WHERE id = 2")
    }
    XCTAssertEqual(
      told,
      [
        "notes + [] [1 one 1.5]", "notes + [] [2 - -]", "notes ~ [2 - -] [2 zwei -]",
        "notes ~ [1 one 1.5] [3 one 1.5]", "notes - [2 zwei -] []",
      ])
  }

  func testRowsThatAreReplacedAndThoseOfTriggersAndForeignKeysAreToldOf() throws {
    let connection = try connectionWithTables()
    try connection.execute(
      """
      INSERT INTO notes VALUES (1, 'one', NULL);
      INSERT INTO tags VALUES (7, 1);
      CREATE TRIGGER follow AFTER INSERT ON tags BEGIN DELETE FROM notes WHERE id = 9; END;
      INSERT INTO notes VALUES (9, 'nine', NULL);
      """)
    let told = try observing(connection) {
      try connection.run("INSERT INTO tags VALUES (8, 1)")
      try connection.run("INSERT OR REPLACE INTO tags VALUES (8, NULL)")
      try connection.run("DELETE FROM notes WHERE id = 1")
    }
    XCTAssertEqual(
      told,
      [
        "tags + [] [8 1]", "notes - [9 nine -] [] indirect", "tags - [8 1] []",
        "tags + [] [8 -]", "notes - [1 one -] []", "tags - [7 1] [] indirect",
      ])
  }

  // SQLite empties a table without looking at its rows, unless somebody follows them when the
  // statement is compiled; and this one was compiled, and kept, before.
  func testADeletionOfAllRowsIsToldOfRowByRowByAKeptStatementToo() throws {
    let connection = try connectionWithTables()
    func deleteAll() throws { try connection.run("DELETE FROM alone") }
    try deleteAll()
    try connection.run("INSERT INTO alone VALUES (1), (2)")
    let told = try observing(connection) { try deleteAll() }
    XCTAssertEqual(told, ["alone - [1] []", "alone - [2] []"])
  }

  func testAnErrorOfTheObserverIsThrownByTheStatementAndEndsTheTransaction() throws {
    let connection = try connectionWithTables()
    var calls = 0
    try connection.observeRows { _ in
      calls += 1
      throw Refused()
    }
    XCTAssertThrowsError(
      try connection.transaction {
        try connection.run("INSERT INTO notes (id) VALUES (1), (2), (3)")
        XCTFail("it has thrown")
      }
    ) { XCTAssertTrue($0 is Refused, "\($0)") }
    XCTAssertEqual(calls, 1, "not called again within the statement")
    XCTAssertThrowsError(try connection.execute("INSERT INTO notes (id) VALUES (4)")) {
      XCTAssertTrue($0 is Refused, "\($0)")
    }
    XCTAssertEqual(calls, 2)
    try connection.observeRows(nil)
    let ids = try connection.rows("SELECT id FROM notes") { try $0.integer("id") }
    XCTAssertEqual(ids, [4], "alone, the statement is recorded all the same")
  }

  func testAStatementWhileARowIsObservedIsAnError() throws {
    let connection = try connectionWithTables()
    try connection.observeRows { [unowned connection] _ in
      _ = try connection.run("DELETE FROM tags")
    }
    try assertFails(.misuse) { try connection.run("INSERT INTO notes (id) VALUES (1)") }
    try connection.observeRows(nil)
    try connection.run("INSERT INTO notes (id) VALUES (2)")
  }

  func testOneCanFollowTheRowsAtATime() throws {
    let connection = try connectionWithTables()
    try connection.observeRows { _ in }
    try assertFails(.misuse) { try connection.observeRows { _ in } }
    try assertFails(.misuse) { _ = try ChangeSession(connection, tables: ["notes"]) }
    try connection.observeRows(nil)
    try connection.observeRows(nil)
    do {
      let session = try ChangeSession(connection, tables: ["notes"])
      try assertFails(.misuse) { try connection.observeRows { _ in } }
      try connection.observeRows(nil)
      try connection.run("INSERT INTO notes (id) VALUES (1)")
      XCTAssertFalse(try session.changeset().isEmpty, "the end of no observation ends no session")
    }
    try connection.observeRows { _ in }
  }

  func testAColumnThatTheTableLacksIsAnError() throws {
    let connection = try connectionWithTables()
    try connection.observeRows { _ = try $0.new(3) }
    try assertFails(.misuse) { try connection.run("INSERT INTO notes (id) VALUES (1)") }
  }

  private func observing(_ connection: Connection, _ body: () throws -> Void) throws -> [String] {
    var told: [String] = []
    try connection.observeRows { told.append(try ChangeText.of($0)) }
    try body()
    try connection.observeRows(nil)
    try connection.run("INSERT INTO notes (id) VALUES (-1)")
    return told
  }

  private func connectionWithTables() throws -> Connection {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, weight REAL) STRICT;
      CREATE TABLE tags (
        id INTEGER PRIMARY KEY, note INTEGER REFERENCES notes (id) ON DELETE CASCADE) STRICT;
      CREATE TABLE alone (id INTEGER PRIMARY KEY);
      """)
    return connection
  }
}

/// A change in one line, for comparing.
enum ChangeText {
  static func of(_ change: borrowing RowChange) throws -> String {
    var (old, new): ([String], [String]) = ([], [])
    for place in 0..<change.columnCount {
      if let part = text(try change.old(place)) { old.append(part) }
      if let part = text(try change.new(place)) { new.append(part) }
    }
    let sign =
      switch change.operation {
      case .inserted: "+"
      case .updated: "~"
      case .deleted: "-"
      }
    return "\(change.table) \(sign) [\(old.joined(separator: " "))]"
      + " [\(new.joined(separator: " "))]" + (change.isIndirect ? " indirect" : "")
  }

  private static func text(_ part: RowChange.Part) -> String? {
    switch part {
    case .absent: nil
    case .stored(nil): "-"
    case .stored(.integer(let number)?): "\(number)"
    case .stored(.real(let number)?): "\(number)"
    case .stored(.text(let text)?): text
    case .stored(.blob(let bytes)?): "\(bytes)"
    }
  }
}
