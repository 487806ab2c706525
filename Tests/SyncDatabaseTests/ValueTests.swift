import SyncDatabase
import XCTest

final class ValueTests: XCTestCase {
  func testEveryValueComesBackAsItWasBound() throws {
    let connection = try connectionWithTable()
    let text = "nul \0 inside, é composed, e\u{301} decomposed, 🗂"
    try connection.run(
      "INSERT INTO v VALUES (?1, ?2, ?3, ?4, ?5)", Int64.min, -0.5, text,
      [0, 255, 0] as [UInt8], true)
    try connection.query("SELECT * FROM v") { row in
      XCTAssertEqual(try row.integer(0), .min)
      XCTAssertEqual(try row.real(1), -0.5)
      XCTAssertEqual(Array(try row.text(2).utf8), Array(text.utf8))
      XCTAssertEqual(try row.blob(3), [0, 255, 0])
      XCTAssertTrue(try row.flag(4))
    }
  }

  func testEmptyTextAndEmptyBlobAreNotNull() throws {
    let connection = try connectionWithTable()
    try connection.run("INSERT INTO v (t, b) VALUES (?1, ?2)", "", [] as [UInt8])
    try connection.run("INSERT INTO v (t, b) VALUES (?1, ?2)", nil, nil)
    let texts = try connection.rows("SELECT t FROM v ORDER BY rowid") { try $0.optionalText(0) }
    let blobs = try connection.rows("SELECT b FROM v ORDER BY rowid") { try $0.optionalBlob(0) }
    XCTAssertEqual(texts, ["", nil])
    XCTAssertEqual(blobs, [[], nil])
  }

  func testNullIsReadAsNilOfEveryType() throws {
    let connection = try connectionWithTable()
    try connection.run("INSERT INTO v (i) VALUES (NULL)")
    try connection.query("SELECT i, r, t, b FROM v") { row in
      XCTAssertNil(try row.optionalInteger(0))
      XCTAssertNil(try row.optionalReal(1))
      XCTAssertNil(try row.optionalText(2))
      XCTAssertNil(try row.optionalBlob(3))
      XCTAssertTrue(try row.isNull(0))
    }
  }

  func testReadingAnotherTypeIsAnErrorThatNamesTheColumn() throws {
    let connection = try connectionWithTable()
    try connection.run("INSERT INTO v (i, t) VALUES (7, 'seven')")
    let error = try assertFails(.wrongType) {
      try connection.row("SELECT i, t FROM v") { try $0.integer(1) }
    }
    XCTAssertEqual(error.message, "column t: a text instead of an integer")
    try assertFails(.wrongType) { try connection.row("SELECT i FROM v") { try $0.text(0) } }
    try assertFails(.wrongType) { try connection.row("SELECT i FROM v") { try $0.flag(0) } }
    try assertFails(.wrongType) { try connection.row("SELECT r FROM v") { try $0.real(0) } }
    try assertFails(.wrongType) { try connection.row("SELECT t FROM v") { try $0.blob(0) } }
  }

  func testAColumnThatDoesNotExistIsNotNull() throws {
    let connection = try connectionWithTable()
    try connection.run("INSERT INTO v (i) VALUES (7)")
    try assertFails(.misuse) { try connection.row("SELECT i FROM v") { try $0.optionalText(1) } }
    try assertFails(.misuse) { try connection.row("SELECT i FROM v") { try $0.isNull(-1) } }
  }

  func testTextThatIsNotUTF8IsAnError() throws {
    let connection = try connectionWithTable()
    // The last is as long as the sign that stands for it when it is mended.
    for bytes in [[0x61, 0xff], [0xc0, 0x80], [0xf0, 0x90, 0x80]] as [[UInt8]] {
      try connection.run("DELETE FROM v")
      try connection.run("INSERT INTO v (t) VALUES (CAST(?1 AS TEXT))", bytes)
      try assertFails(.wrongType) { try connection.row("SELECT t FROM v") { try $0.text(0) } }
      try assertFails(.wrongType) { try connection.row("SELECT t FROM v") { try $0.value(0) } }
    }
  }

  func testNotANumberIsRefusedInsteadOfBecomingNull() throws {
    let connection = try connectionWithTable()
    try assertFails(.misuse) { try connection.run("INSERT INTO v (r) VALUES (?1)", Double.nan) }
    try connection.run("INSERT INTO v (r) VALUES (?1)", -Double.infinity)
    XCTAssertEqual(try connection.row("SELECT r FROM v") { try $0.real(0) }, -.infinity)
  }

  private func connectionWithTable() throws -> Connection {
    let connection = try Connection(path: try temporaryDatabasePath())
    try connection.execute("CREATE TABLE v (i INTEGER, r REAL, t TEXT, b BLOB, f INTEGER) STRICT")
    return connection
  }
}
