import TestSupport
import XCTest

@testable import RecordSync

/// What one place of a payload says of a name counts for what another says, too.
final class SeveralPlacesTests: XCTestCase {
  /// Where a row is named by its key alone under another parent, a column of its own could name
  /// one parent only, and the other link would be lost.
  func testAKeyAloneUnderAnotherParentIsALink() async throws {
    let database = try TestDatabase()
    let payload =
      #"[{"id":1,"tags":[{"id":"x","n":5},"y"]},{"id":2,"tags":["x",{"id":"y","n":6}]}]"#
    try await database.create(payload, "posts")
    XCTAssertEqual(try database.table("posts_tags"), ["1|x|0", "1|y|1", "2|x|0", "2|y|1"])
    XCTAssertEqual(try database.table("tags"), ["x|5", "y|6"])
    let again = try await database.create(payload, "posts")
    XCTAssertEqual(again.status, .unchanged)
  }

  func testAKeyTwiceInAnArrayIsNoLink() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id":1,"tags":[{"id":"x","n":5},"x"]}]"#, "posts")
    XCTAssertEqual(try database.table("posts"), [#"1|[{"id":"x","n":5},"x"]"#])
  }

  /// Each of these objects differs from the first in a member that no third one has.
  func testOfSeveralPlacesThatDifferOneExampleIsToldInEachRun() async throws {
    let members = (1...8).map { "m\($0)" }
    let first = members.map { "\"\($0)\":1" }.joined(separator: ",")
    let others = members.enumerated().map { number, member in
      #""o\#(number)":{"id":\#(number),"user":{"id":7,"\#(member)":2}}"#
    }
    let database = try TestDatabase()
    let report = try await database.create(
      #"[{"id":1,"user":{"id":7,\#(first)},\#(others.joined(separator: ","))}]"#, "tops")
    let told = report.relations.filter { $0.contains("differ") }
    XCTAssertEqual(told.count, 9, "\(report.relations)")
    for relation in told {
      XCTAssertTrue(relation.hasSuffix("objects with the key 7 differ in “m1”"), relation)
    }
  }

  func testAnEmptyArrayWhereAnObjectStandsElsewhereIsKept() async throws {
    for (payload, object) in [
      (#"[{"id":1,"a":{"x":1},"tops":[{"id":2,"a":[]}]}]"#, #"{"x":1}"#),
      (#"[{"id":1,"a":{"id":5},"tops":[{"id":2,"a":[]}]}]"#, #"{"id":5}"#),
    ] {
      let database = try TestDatabase()
      let report = try await database.create(payload, "tops")
      XCTAssertEqual(report.tables["tops"]?.mismatched, [])
      XCTAssertEqual(
        try database.rows("SELECT id, a FROM tops ORDER BY id"), ["1|\(object)", "2|[]"])
    }
  }

  /// Rows that were made as parts of another can't stay without it.
  func testNullInPlaceOfPartsOfARowRemovesThem() async throws {
    let database = try TestDatabase()
    try await database.create(
      """
      [{"id":1,"tags":[{"id":1,"a":1},{"id":2,"a":5}]},{"id":2,"tags":[{"id":1,"a":2}]},
       {"id":3,"tags":[{"id":1,"a":4}]}]
      """, "posts")
    let payload = #"[{"id":1,"tags":[{"id":1,"a":1}]},{"id":2,"tags":null},{"id":3,"tags":[]}]"#
    let report = try await database.create(payload, "posts")
    XCTAssertEqual(report.tables["tags"]?.refused, [])
    XCTAssertEqual(report.tables["tags"]?.deleted.map(\.description), ["[1,2]", "[2,1]", "[3,1]"])
    XCTAssertEqual(try database.table("tags"), ["1|1|1|0"])
    let again = try await database.create(payload, "posts")
    XCTAssertEqual(again.status, .unchanged)
  }
}
