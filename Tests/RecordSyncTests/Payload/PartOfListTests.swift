@testable import RecordSync
import TestSupport
import XCTest

/// A list within an element that says itself that it goes on took all other rows with it.
final class PartOfListTests: XCTestCase {
  private let whole = """
    [{"id": 1, "subs": {"has_more": false, "data": [{"id": 1}, {"id": 2}, {"id": 3}]},
      "tags": {"pageInfo": {"hasNextPage": false}, "nodes": [{"id": 7}, {"id": 8}]}}]
    """

  private func made() async throws -> TestDatabase {
    let database = try TestDatabase()
    _ = try await database.sync(whole, "users") { $0.creates = true }
    return database
  }

  private func subs(_ members: String, _ list: String) -> String {
    #"[{"id": 1, "subs": {\#(members), "data": \#(list)}}]"#
  }

  func testNothingGoesForBeingAbsentFromAPartOfAList() async throws {
    for members in [
      #""has_more": true"#, #""next": "/subs?page=2""#, #""nextPageToken": "x""#,
      #""pageInfo": {"hasNextPage": true, "endCursor": "x"}"#,
    ] {
      for (list, held) in [
        (#"[{"id": 1}]"#, 3), (#"[{"id": 1}, {"id": 9}]"#, 4), ("[]", 3), (#"[{"id": 2}]"#, 3),
      ] {
        for creates in [false, true] {
          let database = try await made()
          let report = try await database.sync(subs(members, list), "users") {
            $0.creates = creates
          }
          XCTAssertEqual(try database.rows("SELECT count(*) FROM subs_data"), ["\(held)"], members)
          let remarks = report.remarks.filter(\.isOfRest)
          XCTAssertEqual(
            remarks, [.partial(.lists(table: "users", relation: "subs.data"))], members)
        }
      }
    }
  }

  func testAListThatSaysNothingOfThatIsAllThereIs() async throws {
    for members in [
      #""has_more": false"#, #""next": null"#, #""total": 9, "count": 9, "pages": 3"#,
      #""done": false, "offset": 0"#, #""cursor": "x", "has_more": false, "complete": true"#,
    ] {
      let database = try await made()
      let report = try await database.sync(subs(members, #"[{"id": 1}]"#), "users")
      XCTAssertEqual(try database.rows("SELECT count(*) FROM subs_data"), ["1"], members)
      XCTAssertEqual(report.remarks, [], members)
    }
  }

  func testOtherListsAndRowsOfThePayloadAreAsWholeAsEver() async throws {
    let database = try await made()
    _ = try await database.sync(
      """
      [{"id": 2}, {"id": 1, "subs": {"has_more": true, "data": [{"id": 3}]},
        "tags": {"pageInfo": {"hasNextPage": false}, "nodes": [{"id": 8}]}}]
      """, "users")
    XCTAssertEqual(try database.rows("SELECT count(*) FROM subs_data"), ["3"])
    XCTAssertEqual(try database.rows("SELECT count(*) FROM tags_nodes"), ["1"])
    _ = try await database.sync(#"[{"id": 2}]"#, "users")
    XCTAssertEqual(try database.rows("SELECT id FROM users"), ["2"])
  }

  func testNothingIsUnlinkedForItEither() async throws {
    let database = try TestDatabase()
    let tags = { (more: Bool, list: String) in
      #"{"id": 1, "tags": {"has_more": \#(more), "data": [\#(list)]}}"#
    }
    let both = #"{"id": 7}, {"id": 8}"#
    let other = #", {"id": 2, "tags": {"data": [{"id": 7}, {"id": 8}]}}"#
    _ = try await database.sync("[\(tags(false, both))\(other)]", "users") { $0.creates = true }
    let links = try XCTUnwrap(
      database.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'users_%tags%'").first)
    let count = "SELECT count(*) FROM \(links)"
    XCTAssertEqual(try database.rows(count), ["4"])
    for isPart in [true, false] {
      _ = try await database.sync("[\(tags(isPart, #"{"id": 7}"#))\(other)]", "users")
      XCTAssertEqual(try database.rows(count), [isPart ? "4" : "3"])
    }
  }

  func testItIsToldThoughAllThatItNamesIsThere() async throws {
    let database = try await made()
    let named = subs(#""has_more": true"#, #"[{"id": 1}, {"id": 2}, {"id": 3}]"#)
    for status in [RecordReport.Status.written, .unchanged] {
      let report = try await database.sync(named, "users")
      XCTAssertEqual(report.status, status)
      XCTAssertEqual(
        report.remarks, [.partial(.lists(table: "users", relation: "subs.data"))])
    }
  }

  func testStrictnessDoesNotLetItPass() async throws {
    let database = try await made()
    await assertThrows(
      (any Error).self,
      try await database.sync(subs(#""has_more": true"#, "[]"), "users") { $0.isStrict = true })
  }
}
