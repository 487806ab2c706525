import SyncDatabase
import XCTest

final class ChangeSessionTests: XCTestCase {
  private struct Refused: Error {}

  func testAChangesetTellsEachRowOnceAndNotWhatCameAndWent() throws {
    let connection = try connectionWithNotes()
    let session = try ChangeSession(connection, tables: ["notes"])
    try connection.run("INSERT INTO notes VALUES (3, 'three', NULL), (4, 'four', x'00')")
    try connection.run("DELETE FROM notes WHERE id = 4")
    try connection.run("UPDATE notes SET text = 'eins' WHERE id = 1")
    try connection.run("UPDATE notes SET text = 'one' WHERE id = 1")
    try connection.run("UPDATE notes SET text = 'zwei' WHERE id = 2")
    try connection.run("INSERT INTO others VALUES (1)")
    XCTAssertEqual(
      try lines(try session.changeset()), ["notes + [] [3 three -]", "notes ~ [2 two] [zwei]"])
    try connection.run("DELETE FROM notes")
    XCTAssertEqual(
      try lines(try session.changeset()), ["notes - [1 one -] []", "notes - [2 two -] []"])
  }

  func testAChangesetOfNothingIsNoBytes() throws {
    let connection = try connectionWithNotes()
    let session = try ChangeSession(connection, tables: ["notes", "others"])
    try connection.run("UPDATE notes SET text = text")
    XCTAssertThrowsError(
      try connection.transaction {
        try connection.run("DELETE FROM notes")
        throw Refused()
      })
    XCTAssertTrue(try session.changeset().isEmpty)
    XCTAssertEqual(try lines(.empty), [])
    XCTAssertTrue(try Changeset.empty.inverted().isEmpty)
  }

  func testTheInverseOfAKeptChangesetTakesEachRowBack() throws {
    let connection = try connectionWithNotes()
    let session = try ChangeSession(connection, tables: ["notes"])
    try connection.run("INSERT INTO notes VALUES (3, 'three', x'0102')")
    try connection.run("UPDATE notes SET text = 'eins', bytes = x'ff' WHERE id = 1")
    try connection.run("UPDATE notes SET id = 5 WHERE id = 2")
    let kept = try Changeset(kept: try session.changeset().kept)
    XCTAssertEqual(
      try lines(kept),
      [
        "notes + [] [3 three [1, 2]]", "notes + [] [5 two -]", "notes - [2 two -] []",
        "notes ~ [1 one -] [eins [255]]",
      ])
    XCTAssertEqual(
      try lines(try kept.inverted()),
      [
        "notes + [] [2 two -]", "notes - [3 three [1, 2]] []", "notes - [5 two -] []",
        "notes ~ [1 eins [255]] [one -]",
      ])
    XCTAssertEqual(try kept.inverted().inverted(), kept)
  }

  func testAColumnThatTheTableLacksIsAnError() throws {
    let connection = try connectionWithNotes()
    let session = try ChangeSession(connection, tables: ["notes"])
    try connection.run("DELETE FROM notes WHERE id = 1")
    try assertFails(.misuse) { try session.changeset().forEach { _ = try $0.old(3) } }
  }

  // SQLite empties a table without looking at its rows, unless somebody follows them when the
  // statement is compiled; and this one was compiled, and kept, before.
  func testADeletionOfAllRowsByAKeptStatementIsFollowed() throws {
    let connection = try connectionWithNotes()
    func deleteAll() throws { try connection.run("DELETE FROM others") }
    try deleteAll()
    try connection.run("INSERT INTO others VALUES (1), (2)")
    let session = try ChangeSession(connection, tables: ["others"])
    try deleteAll()
    XCTAssertEqual(try lines(try session.changeset()), ["others - [1] []", "others - [2] []"])
  }

  func testATableThatCantBeFollowedIsRefusedBeforeAnythingIsWritten() throws {
    let connection = try connectionWithNotes()
    try connection.execute(
      """
      CREATE TABLE keyless (x);
      CREATE TABLE generated (id INTEGER PRIMARY KEY, twice AS (id * 2));
      CREATE VIEW seen AS SELECT 1;
      CREATE VIRTUAL TABLE words USING fts5 (word);
      """)
    let reasons: [(Identifier, String)] = [
      ("keyless", "no PRIMARY KEY"), ("generated", "generated columns"), ("seen", "is a view"),
      ("words", "is a virtual"), ("missing", "doesn't exist"),
    ]
    for (table, reason) in reasons {
      let error = try assertFails(.misuse) { try ChangeSession(connection, tables: [table]) }
      XCTAssertTrue("\(error)".contains("\(table.name) can't be followed"), "\(error)")
      XCTAssertTrue("\(error)".contains(reason), "\(error)")
    }
    _ = try ChangeSession(connection, tables: ["NOTES"])
  }

  func testSeveralSessionsFollowOneConnection() throws {
    let connection = try connectionWithNotes()
    let first = try ChangeSession(connection, tables: ["others"])
    try connection.run("INSERT INTO others VALUES (1)")
    var second: ChangeSession? = try ChangeSession(connection, tables: ["others"])
    try connection.run("INSERT INTO others VALUES (2)")
    XCTAssertEqual(try second.map { try lines(try $0.changeset()) }, ["others + [] [2]"])
    second = nil
    try connection.run("INSERT INTO others VALUES (3)")
    XCTAssertEqual(try lines(try first.changeset()).count, 3)
  }

  private func lines(_ changeset: Changeset) throws -> [String] {
    var lines: [String] = []
    try changeset.forEach { lines.append(try ChangeText.of($0)) }
    return lines.sorted()
  }

  private func connectionWithNotes() throws -> Connection {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB) STRICT;
      CREATE TABLE others (id INTEGER PRIMARY KEY);
      INSERT INTO notes VALUES (1, 'one', NULL), (2, 'two', NULL);
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
      + " [\(new.joined(separator: " "))]"
  }

  private static func text(_ part: StoredValue??) -> String? {
    switch part {
    case nil: nil
    case nil?: "-"
    case .integer(let number)??: "\(number)"
    case .real(let number)??: "\(number)"
    case .text(let text)??: text
    case .blob(let bytes)??: "\(bytes)"
    }
  }
}
