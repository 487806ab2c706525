import TestSupport
import XCTest

@testable import RecordSync

/// Rows that hold each other's values where only one row may have each, at several levels of one
/// payload. Only the highest of them were written; those below were refused until the next sync.
final class NestedSwapTests: XCTestCase {
  private let tables = """
    CREATE TABLE tops (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
    CREATE TABLE mids (id INTEGER PRIMARY KEY, top_id INTEGER REFERENCES tops, code TEXT UNIQUE);
    CREATE TABLE ends (id INTEGER PRIMARY KEY, mid_id INTEGER REFERENCES mids, code TEXT UNIQUE);
    INSERT INTO tops VALUES (1, 'a'), (2, 'b');
    INSERT INTO mids VALUES (1, 1, 'a'), (2, 2, 'b');
    INSERT INTO ends VALUES (1, 1, 'a'), (2, 2, 'b')
    """

  private func assertWritten(
    _ payload: String, _ ends: [String], line: UInt = #line
  ) async throws {
    let database = try TestDatabase(tables)
    let report = try await database.sync(payload, "tops")
    XCTAssertFalse(report.isPartial, "\(report.tables)", line: line)
    XCTAssertEqual(try database.table("ends"), ends, line: line)
    XCTAssertEqual(try database.table("mids"), ["1|1|b", "2|2|a"], line: line)
    XCTAssertEqual(try database.table("tops"), ["1|b", "2|a"], line: line)
    try await assertEqual(database.sync(payload, "tops").status, .unchanged, line: line)
  }

  func testValuesAreSwappedAtEachLevelOfOnePayload() async throws {
    try await assertWritten(
      """
      [{"id":1,"code":"b","mids":[{"id":1,"code":"b","ends":[{"id":1,"code":"b"}]}]},
       {"id":2,"code":"a","mids":[{"id":2,"code":"a","ends":[{"id":2,"code":"a"}]}]}]
      """, ["1|1|b", "2|2|a"])
  }

  func testBelowThemAValueIsTakenFromARowThatGoes() async throws {
    try await assertWritten(
      """
      [{"id":1,"code":"b","mids":[{"id":1,"code":"b","ends":[{"id":3,"code":"b"}]}]},
       {"id":2,"code":"a","mids":[{"id":2,"code":"a","ends":[{"id":4,"code":"a"}]}]}]
      """, ["3|1|b", "4|2|a"])
  }

  /// What went before and what goes once values are swapped were each within the limit.
  func testALimitHoldsForAllThatGoesTogether() async throws {
    let payload = """
      [{"id":1,"code":"b","mids":[]}, {"id":2,"code":"a"}, {"id":3,"mids":[]}]
      """
    for limit in [RemovalLimit.count(1), .count(2)] {
      let database = try TestDatabase(tables)
      try database.run("DELETE FROM ends")
      try database.run("INSERT INTO tops VALUES (3, 'c')")
      try database.run("INSERT INTO mids VALUES (3, 3, 'c')")
      do {
        try await database.sync(payload, "tops") { $0.removalLimit = limit }
        XCTAssertEqual(limit, .count(2))
        XCTAssertEqual(try database.table("mids"), ["2|2|b"])
      } catch let error as RecordError {
        XCTAssertEqual(limit, .count(1))
        XCTAssertEqual(error, .removalRefused(table: "mids", count: 2, of: 2))
        XCTAssertEqual(try database.table("mids").count, 3)
      }
    }
  }

  func testARowThatIsRefusedAllTheSameIsAlone() async throws {
    let database = try TestDatabase(tables)
    // The code of another row, which stays.
    try database.run("INSERT INTO ends VALUES (9, NULL, 'z')")
    let report = try await database.sync(
      """
      [{"id":1,"code":"b","mids":[{"id":1,"code":"b","ends":[{"id":1,"code":"z"}]}]},
       {"id":2,"code":"a","mids":[{"id":2,"code":"a","ends":[{"id":2,"code":"c"}]}]}]
      """, "tops")
    XCTAssertEqual(report.tables["ends"]?.refused.map(\.key?.integer), [1])
    XCTAssertEqual(try database.table("mids"), ["1|1|b", "2|2|a"])
    XCTAssertEqual(try database.table("ends"), ["1|1|a", "2|2|c", "9|NULL|z"])
  }
}
