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
    try connection.apply(.empty) { _ in .skip }
  }

  func testTheInverseTakesAllBackAlsoInAnotherConnection() throws {
    let path = try temporaryDatabasePath()
    let changeset = try {
      let connection = try connectionWithNotes(at: path)
      let session = try ChangeSession(connection, tables: ["notes"])
      try connection.run("INSERT INTO notes VALUES (3, 'three', x'0102')")
      try connection.run("UPDATE notes SET text = 'eins', bytes = x'ff' WHERE id = 1")
      try connection.run("UPDATE notes SET id = 5 WHERE id = 2")
      return try session.changeset()
    }()
    let connection = try Connection(path: path)
    let kept = try Changeset(kept: changeset.kept)
    try connection.apply(try kept.inverted()) { _ in throw Refused() }
    XCTAssertEqual(try notes(connection), ["1 one", "2 two"])
    try connection.apply(kept) { _ in throw Refused() }
    XCTAssertEqual(try notes(connection), ["1 eins", "3 three", "5 two"])
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
    try connection.observeRows { _ in }
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

  private func notes(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT id, text FROM notes ORDER BY id") {
      "\(try $0.integer("id")) \(try $0.text("text"))"
    }
  }

  private func connectionWithNotes(at path: String? = nil) throws -> Connection {
    let connection = try Connection(path: try path ?? temporaryDatabasePath())
    try connection.execute(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB) STRICT;
      CREATE TABLE others (id INTEGER PRIMARY KEY);
      INSERT INTO notes VALUES (1, 'one', NULL), (2, 'two', NULL);
      """)
    return connection
  }
}
