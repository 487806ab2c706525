@testable import RecordSync
import TestSupport
import XCTest

/// What `--create` takes for one only where something says so.
final class KeptApartTests: XCTestCase {
  func testAChildOfAForeignKeyThatWasThereMoves() async throws {
    let payload = #"[{"id": 2, "notes": [{"id": 1}]}]"#
    for creates in [false, true] {
      let database = try TestDatabase(
        "CREATE TABLE posts (id INTEGER PRIMARY KEY)",
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, post_id INTEGER REFERENCES posts)",
        "INSERT INTO posts VALUES (1), (2)", "INSERT INTO notes VALUES (1, 1)")
      if creates {
        try await database.create(payload, "posts") { $0.operations = .keep }
      } else {
        try await database.sync(payload, "posts") { $0.operations = .keep }
      }
      XCTAssertEqual(try database.table("notes"), ["1|2"], "\(creates)")
    }
  }
}
