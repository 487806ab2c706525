import TestSupport
import XCTest

/// How much a sync may remove, and when it was.
final class LimitTests: ServedTestCase {
  func testTooManyRemovalsAreRefusedAgainAndAgainUntilSomebodySaysSo() throws {
    try makeStores()
    for id in ["a", "b", "c", "d", "e", "f"] { try documents("put", "a.db", "note", id, "{}") }
    try sync("a.db", "b.db")
    for id in ["a", "b", "c", "d"] { try documents("delete", "a.db", id) }
    try documents("put", "a.db", "note", "new", "{}")
    try sync("a.db")
    for _ in 0..<2 {
      try documents("sync", "b.db", ends: 3, says: "--max-delete 4")
      XCTAssertEqual(try documents("list", "b.db", "--count").printed, "7\n")
    }
    XCTAssertEqual(try documents("sync", "b.db", "--max-delete", "3").status, 3)
    XCTAssertEqual(try documents("sync", "b.db", "--max-delete", "4").status, 0)
    XCTAssertEqual(try documents("list", "b.db").lines, ["e", "f", "new"])
    XCTAssertEqual(try documents("sync", "b.db", "--max-delete", "many").status, 64)
  }

  /// The advice had been a number that never allows that all of them go.
  func testWhereAllWouldGoTheAdviceIsTheOneThatAllowsIt() throws {
    try makeStores()
    for id in ["a", "b"] { try documents("put", "a.db", "note", id, "{}") }
    try sync("a.db", "b.db")
    for id in ["a", "b"] { try documents("delete", "a.db", id) }
    try sync("a.db")
    let outcome = try documents("sync", "b.db")
    XCTAssertEqual(outcome.status, 3)
    XCTAssertTrue(outcome.said.contains("--max-delete all"), outcome.said)
    XCTAssertEqual(try documents("sync", "b.db", "--max-delete", "all").status, 0)
    XCTAssertEqual(try documents("list", "b.db", "--count").printed, "0\n")
  }

  func testTheLastSyncIsTheLastOneAlsoIfItFoundNothing() throws {
    try makeStores()
    try sync("a.db")
    let first = try documents("status", "a.db", "--json").object["lastSync"] as? String
    try sync("a.db")
    let second = try documents("status", "a.db", "--json").object["lastSync"] as? String
    XCTAssertLessThan(try XCTUnwrap(first), try XCTUnwrap(second))
  }
}
