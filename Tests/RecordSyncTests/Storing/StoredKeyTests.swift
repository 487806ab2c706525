@testable import RecordSync
import XCTest

/// Keys that another program stored in a form of its own: rows are found and stay what they are.
final class StoredKeyTests: XCTestCase {
  private let id = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"

  private func people(_ type: String, _ stored: String) throws -> TestDatabase {
    try TestDatabase(
      """
      CREATE TABLE people (id \(type) PRIMARY KEY NOT NULL, name TEXT);
      CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT,
        person_id \(type) REFERENCES people ON DELETE CASCADE);
      INSERT INTO people VALUES (\(stored), 'Ann');
      INSERT INTO pets VALUES (1, 'Rex', \(stored))
      """)
  }

  func testARowWhoseKeyIsStoredInAnotherFormIsUpdatedAndKeepsItsChildren() async throws {
    let plain = id.replacing("-", with: "").uppercased()
    for (type, stored, json) in [
      ("UUID", "'\(id.uppercased())'", "\"\(id)\""), ("UUID", "'{\(id)}'", "\"\(id)\""),
      ("UUID_TEXT", "'\(plain)'", "\"\(id)\""), ("UUID", "X'\(plain)'", "\"\(id)\""),
      ("DATETIME", "'2014-01-02 00:00:00'", "\"2014-01-02\""),
      ("DATE", "'2014-01-02'", "\"2014-01-02T00:00:00Z\""),
      ("DATETIME", "'Thu, 02 Jan 2014 10:30:00 +0100'", "\"2014-01-02T09:30:00Z\""),
      ("DATETIME", "1388658600", "\"2014-01-02T10:30:00Z\""), ("", "'1'", "1"), ("", "1", "\"1\""),
      ("BLOB", "'abc'", "\"YWJj\""), ("TEXT COLLATE NOCASE", "'ann'", "\"ann\""),
    ] {
      let database = try people(type, stored)
      let report = try await database.sync(#"[{"id": \#(json), "name": "Bea"}]"#, "people")
      let story = "\(type) \(stored) and \(json): \(report)"
      XCTAssertEqual(report.tables["people"]?.updated.map(\.columns), [["name"]], story)
      XCTAssertEqual(
        try database.rows(
          "SELECT p.name, pets.name FROM pets JOIN people AS p ON person_id = p.id"),
        ["Bea|Rex"], story)
      XCTAssertEqual(
        try database.rows("SELECT count(*) FROM people WHERE id = \(stored)"), ["1"], story)
      let again = try await database.sync(#"[{"id": \#(json), "name": "Bea"}]"#, "people")
      XCTAssertEqual(again.status, .unchanged, story)
    }
  }

  func testAReferenceTakesTheFormInWhichTheOtherRowHasItsKey() async throws {
    let database = try people("UUID", "'\(id.uppercased())'")
    let report = try await database.sync(
      #"[{"id": 1, "person_id": "\#(id)"}, {"id": 2, "person_id": "\#(id)"}]"#, "pets")
    XCTAssertEqual(
      try database.rows("SELECT id, person_id FROM pets ORDER BY 1"),
      ["1|\(id.uppercased())", "2|\(id.uppercased())"])
    XCTAssertEqual(report.tables["pets"]?.updated, [])
    try await database.sync(
      #"[{"id": "\#(id)", "pets": [{"id": 1, "name": "Rex"}, {"id": 3, "name": "Tom"}]}]"#,
      "people")
    XCTAssertEqual(
      try database.rows("SELECT id, person_id FROM pets ORDER BY 1"),
      ["1|\(id.uppercased())", "3|\(id.uppercased())"])
  }

  func testOneKeyInTwoFormsIsOneRowOfAPayload() async throws {
    let database = try people("UUID", "'\(id.uppercased())'")
    let report = try await database.sync(
      #"[{"id": "\#(id.uppercased())", "name": "A"}, {"id": "{\#(id)}", "name": "B"}]"#, "people")
    XCTAssertEqual(report.tables["people"]?.duplicates, 1)
    XCTAssertEqual(try database.rows("SELECT name FROM people"), ["B"])
  }

  func testLinksLeadToTheFormThatIsStored() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE users (id INTEGER PRIMARY KEY);
      CREATE TABLE tags (id UUID PRIMARY KEY, name TEXT);
      CREATE TABLE user_tags (user_id INTEGER REFERENCES users, tag_id UUID REFERENCES tags,
        PRIMARY KEY (user_id, tag_id));
      INSERT INTO users VALUES (1);
      INSERT INTO tags VALUES ('\(id.uppercased())', 'red');
      INSERT INTO user_tags VALUES (1, '\(id.uppercased())')
      """)
    for payload in [
      #"[{"id": 1, "tag_ids": ["\#(id)"]}]"#,
      #"[{"id": 1, "tags": [{"id": "\#(id)", "name": "red"}]}]"#,
    ] {
      let report = try await database.sync(payload, "users")
      XCTAssertEqual(report.status, .unchanged, "\(report)")
    }
  }
}
