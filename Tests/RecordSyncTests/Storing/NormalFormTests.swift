import XCTest

/// A composed and a decomposed "é" are two texts for SQLite, and one for Swift.
final class NormalFormTests: XCTestCase {
  private let (composed, decomposed) = ("\u{E9}", "e\u{301}")

  func testRowsWhoseKeysDifferOnlyInTheirNormalFormAreTwo() async throws {
    for table in ["WITHOUT ROWID", ""] {
      let database = try TestDatabase(
        "CREATE TABLE words (id TEXT PRIMARY KEY) \(table)",
        "INSERT INTO words VALUES ('\(composed)'), ('\(decomposed)')")
      try await database.sync(#"[{"id": "\#(decomposed)"}]"#, "words")
      XCTAssertEqual(try database.rows("SELECT hex(id) FROM words"), ["65CC81"])
    }
  }

  func testParentsWhoseKeysDifferOnlyInTheirNormalFormAreTwo() async throws {
    let database = try TestDatabase(
      "words (id TEXT PRIMARY KEY); uses: word_id TEXT REFERENCES words(id)",
      "INSERT INTO words VALUES ('\(composed)'), ('\(decomposed)')",
      "INSERT INTO uses VALUES (1, '\(composed)'), (2, '\(decomposed)')")
    try await database.sync(
      #"[{"id": "\#(composed)", "uses": []}, {"id": "\#(decomposed)", "uses": []}]"#, "words")
    XCTAssertEqual(try database.table("uses"), [])
  }
}
