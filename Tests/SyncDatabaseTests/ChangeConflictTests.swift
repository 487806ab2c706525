import SyncDatabase
import XCTest

/// Changes that meet other rows than those that they were recorded of.
final class ChangeConflictTests: XCTestCase {
  private struct Refused: Error, Equatable {}

  func testEveryConflictTellsItsReasonAndWhatStandsInTheWay() throws {
    let (connection, changeset) = try changedElsewhere()
    var told: [String] = []
    try connection.apply(changeset) { conflict in
      let present = try conflict.present(1)
      told.append("\(conflict.reason) \(try ChangeText.of(conflict.change)) \(present)")
      return .skip
    }
    let text = { (text: String) in "stored(Optional(SyncDatabase.StoredValue.text(\"\(text)\")))" }
    XCTAssertEqual(
      told.sorted(),
      [
        "constraint notes + [] [6 six] absent",
        "rowChanged notes - [2 two] [] \(text("deux"))",
        "rowChanged notes ~ [1 one] [eins] \(text("un"))",
        "rowExists notes + [] [4 four] \(text("quatre"))",
        "rowMissing notes ~ [3 three] [drei] absent",
      ])
    XCTAssertEqual(try notes(connection), ["1 un", "2 deux", "4 quatre", "5 five", "7 six"])
  }

  func testWhatIsReplacedIsAsRecordedAndTheRestIsLeftOut() throws {
    let (connection, changeset) = try changedElsewhere()
    try connection.apply(changeset) { conflict in
      switch conflict.reason {
      case .rowChanged, .rowExists: .replace
      case .rowMissing, .constraint: .skip
      }
    }
    XCTAssertEqual(try notes(connection), ["1 eins", "4 four", "5 five", "7 six"])
  }

  func testARuleThatThrowsLeavesNothingApplied() throws {
    let (connection, changeset) = try changedElsewhere()
    let before = try notes(connection)
    XCTAssertThrowsError(
      try connection.apply(changeset) { conflict in
        if conflict.reason == .rowMissing { throw Refused() }
        return conflict.reason == .constraint ? .skip : .replace
      }
    ) { XCTAssertEqual($0 as? Refused, Refused()) }
    XCTAssertEqual(try notes(connection), before)
  }

  func testNothingIsReplacedWhereNothingStandsInTheWay() throws {
    let (connection, changeset) = try changedElsewhere()
    let before = try notes(connection)
    try assertFails(.misuse) { try connection.apply(changeset) { _ in .replace } }
    XCTAssertEqual(try notes(connection), before)
  }

  func testARefusalWithinATransactionLeavesTheRestOfIt() throws {
    let (connection, changeset) = try changedElsewhere()
    try connection.transaction {
      try connection.run("INSERT INTO notes VALUES (9, 'nine')")
      XCTAssertThrowsError(try connection.apply(changeset) { _ in throw Refused() })
      try connection.run("INSERT INTO notes VALUES (10, 'ten')")
    }
    XCTAssertEqual(
      try notes(connection), ["1 un", "10 ten", "2 deux", "4 quatre", "7 six", "9 nine"])
  }

  // SQLite passes over the changes of a table that it doesn't find as it was.
  func testATableThatIsAnotherNowIsAnErrorAndNothingIsApplied() throws {
    let schemas: [StaticString] = [
      "DROP TABLE notes", "ALTER TABLE notes ADD COLUMN more",
      "DROP TABLE notes; CREATE TABLE notes (id INTEGER, text TEXT PRIMARY KEY)",
    ]
    for schema in schemas {
      let (connection, changeset) = try changedElsewhere()
      try connection.execute(schema)
      let error = try assertFails(.statement) {
        try connection.apply(changeset) { _ in .skip }
      }
      XCTAssertTrue("\(error)".contains("the table notes isn't the one"), "\(error)")
    }
  }

  func testForeignKeysThatWouldLeadNowhereAreAnError() throws {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (
        id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id));
      """)
    let session = try ChangeSession(connection, tables: ["parents"])
    try connection.run("INSERT INTO parents VALUES (1)")
    let undo = try session.changeset().inverted()
    try connection.run("INSERT INTO children VALUES (1, 1)")
    try assertFails(.constraint) { try connection.apply(undo) { _ in .skip } }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM parents"), 1)
    try connection.run("DELETE FROM children")
    try connection.apply(undo) { _ in .skip }
    XCTAssertEqual(try connection.number("SELECT count(*) FROM parents"), 0)
  }

  // SQLite itself believed such bytes: with one bit flipped, it was busy for minutes.
  func testAKeptChangesetWithAFlippedBitOrCutShortIsDamage() throws {
    let (connection, changeset) = try changedElsewhere()
    let kept = changeset.kept
    for bit in 0..<kept.count * 8 {
      var bytes = kept
      bytes[bit / 8] ^= 1 << (bit % 8)
      try assertFails(.damaged) { try Changeset(kept: bytes) }
    }
    for count in 0..<kept.count {
      try assertFails(.damaged) { try Changeset(kept: Array(kept.prefix(count))) }
    }
    XCTAssertEqual(try Changeset(kept: kept), changeset)
    XCTAssertEqual(try Changeset(kept: Changeset.empty.kept), .empty)
    XCTAssertNoThrow(try connection.apply(try Changeset(kept: kept)) { _ in .skip })
  }

  private func notes(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT id || ' ' || text AS line FROM notes ORDER BY line") {
      try $0.text("line")
    }
  }

  /// A file, and changes that were made in another one that was like it once.
  private func changedElsewhere() throws -> (Connection, Changeset) {
    func make() throws -> Connection {
      let connection = try Connection(path: try temporaryDatabasePath())
      try connection.execute(
        """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE);
        INSERT INTO notes VALUES (1, 'one'), (2, 'two'), (3, 'three');
        """)
      return connection
    }
    let elsewhere = try make()
    let session = try ChangeSession(elsewhere, tables: ["notes"])
    try elsewhere.execute(
      """
      UPDATE notes SET text = 'eins' WHERE id = 1; DELETE FROM notes WHERE id = 2;
      UPDATE notes SET text = 'drei' WHERE id = 3;
      INSERT INTO notes VALUES (4, 'four'), (5, 'five'), (6, 'six');
      """)
    let connection = try make()
    try connection.execute(
      """
      UPDATE notes SET text = 'un' WHERE id = 1; UPDATE notes SET text = 'deux' WHERE id = 2;
      DELETE FROM notes WHERE id = 3; INSERT INTO notes VALUES (4, 'quatre'), (7, 'six');
      """)
    return (connection, try session.changeset())
  }
}
