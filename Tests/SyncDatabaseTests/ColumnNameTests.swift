import SyncDatabase
import XCTest

final class ColumnNameTests: XCTestCase {
  func testAColumnIsFoundByItsNameWhereverItStands() throws {
    let connection = try connectionWithNotes()
    let found = try connection.rows("SELECT text, id, id * 2 AS twice FROM notes ORDER BY id") {
      "\(try $0.integer("id")) \(try $0.text("text")) \(try $0.integer("twice"))"
    }
    XCTAssertEqual(found, ["1 one 2", "2 two 4", "3 three 6"])
  }

  func testColumnsAreFoundInWhateverOrderTheyAreAskedFor() throws {
    let connection = try connectionWithNotes()
    var found: [String] = []
    try connection.query("SELECT * FROM notes ORDER BY id") { row in
      if try row.integer("id") == 2 {
        found.append("\(try row.text("text")) \(try row.text("text")) \(try row.integer("id"))")
      } else {
        found.append("\(try row.integer("id")) \(try row.isNull("gone")) \(try row.text("text"))")
      }
    }
    XCTAssertEqual(found, ["1 true one", "two two 2", "3 true three"])
  }

  func testANameThatTheResultLacksIsAnErrorThatNamesBoth() throws {
    let connection = try connectionWithNotes()
    let error = try assertFails(.statement) {
      try connection.rows("SELECT id FROM notes") { try $0.text("txet") }
    }
    XCTAssertTrue("\(error)".contains("no column txet"), "\(error)")
    XCTAssertTrue("\(error)".contains("SELECT id FROM notes"), "\(error)")
    try assertFails(.statement) { try connection.row("SELECT 1 AS id") { try $0.isNull("ID") } }
  }

  func testANameThatTheResultHasTwiceIsAnError() throws {
    let connection = try connectionWithNotes()
    let error = try assertFails(.statement) {
      try connection.rows("SELECT * FROM notes AS a JOIN notes AS b USING (id)") {
        try $0.text("text")
      }
    }
    XCTAssertTrue("\(error)".contains("more than one column text"), "\(error)")
  }

  // SQLite compiles a kept statement anew after a change of the schema, and `*` then means other
  // columns at other places.
  func testAColumnIsFoundAfterTheSchemaHasMovedIt() throws {
    let connection = try connectionWithNotes()
    func texts() throws -> [String] {
      try connection.rows("SELECT * FROM notes ORDER BY 1") { try $0.text("text") }
    }
    XCTAssertEqual(try texts(), ["one", "two", "three"])
    try connection.execute("ALTER TABLE notes DROP COLUMN gone; ALTER TABLE notes ADD COLUMN late")
    XCTAssertEqual(try texts(), ["one", "two", "three"])
    try connection.execute("ALTER TABLE notes RENAME COLUMN text TO words")
    try assertFails(.statement) { try texts() }
  }

  func testATypeThatIsNotTheColumnsIsToldByItsName() throws {
    let connection = try connectionWithNotes()
    let error = try assertFails(.wrongType) {
      try connection.rows("SELECT id, text FROM notes") { try $0.integer("text") }
    }
    XCTAssertEqual(error.message, "column text: a text instead of an integer")
  }

  func testAnyValueIsReadAsWhatItIs() throws {
    let connection = try connectionWithNotes()
    let found = try connection.row("SELECT 1 AS i, 1.5 AS r, 'é' AS t, x'00ff' AS b, NULL AS n") {
      row in try (0..<5).map { try row.value(Column(at: $0)) }
    }
    XCTAssertEqual(found, [.integer(1), .real(1.5), .text("é"), .blob([0, 255]), nil])
  }

  private func connectionWithNotes() throws -> Connection {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute(
      """
      CREATE TABLE notes (gone TEXT, id INTEGER, text TEXT);
      INSERT INTO notes (id, text) VALUES (1, 'one'), (2, 'two'), (3, 'three')
      """)
    return connection
  }
}
