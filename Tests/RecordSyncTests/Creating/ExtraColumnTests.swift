@testable import RecordSync
import TestSupport
import XCTest

/// Which column keeps what no other one takes, and which only has such a name.
final class ExtraColumnTests: XCTestCase {
  func testValuesThatAColumnWouldNotHoldAreLeftAsTheyAre() async throws {
    let database = try TestDatabase("t: n INTEGER, b BOOLEAN")
    try database.run("INSERT INTO t VALUES (1, x'00ff', 'yes'), (2, 5, 1)")
    try await database.create(#"[{"id": 3, "n": "many", "b": "maybe"}]"#, "t") {
      $0.operations = .keep
    }
    XCTAssertEqual(try database.columns("t"), ["id INTEGER", "n TEXT", "b TEXT"])
    XCTAssertEqual(
      try database.rows("SELECT id, hex(n), b FROM t WHERE id < 3"), ["1|00FF|yes", "2|35|true"])
  }
}
