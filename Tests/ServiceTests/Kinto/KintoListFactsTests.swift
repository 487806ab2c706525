import DocumentEndpoints
import DocumentSync
import SyncTransport
import TestSupport
import XCTest

/// What a Kinto server tells in lists and batches, and how it forgets.
final class KintoListFactsTests: KintoTestCase {
  override func setUp() async throws {
    try await super.setUp()
    try await makeCollection()
  }

  func testChangesAreAfterATimeAndBringTombstonesWhichAFullListDoesNot() async throws {
    let first = try await put("a").lastModified
    try await put("b")
    try await me().ask(.delete, "\(records)/b")
    let changes = try await me().ask(.get, "\(records)?_since=\(first)")
    XCTAssertEqual(try ids(changes), ["b"])
    XCTAssertEqual(try changes.data?.elements?.first?["deleted"], true)
    await assertEqual(try ids(me().ask(.get, records)), ["a"])
    await assertEqual(try ids(me().ask(.get, "\(records)?_since=\(try changes.change)")), [])
  }

  func testATimeMoreThanADayAheadIsABadParameter() async throws {
    let now = try await put("a").lastModified
    for (ahead, status) in [(23, 200), (25, 400)] {
      let time = now + Int64(ahead) * 3_600_000
      let answer = try await me().ask(.get, "\(records)?_since=%22\(time)%22")
      XCTAssertEqual(answer.status, status)
      if status == 400 {
        XCTAssertEqual(try answer.json["details"]?.elements?.first?["name"], "_since")
      }
    }
  }

  func testTheOrderIsDownwardsUnlessItIsAskedFor() async throws {
    for id in ["a", "b", "c"] { try await put(id) }
    await assertEqual(try ids(me().ask(.get, records)), ["c", "b", "a"])
    try await assertEqual(ids(me().ask(.get, "\(records)?_sort=last_modified")), ["a", "b", "c"])
  }

  func testPagesAreLinkedByWholeAddressesAndGoOnUpwards() async throws {
    for id in ["a", "b", "c"] { try await put(id) }
    let first = try await me().ask(.get, "\(records)?_sort=last_modified&_limit=2")
    XCTAssertEqual(try ids(first), ["a", "b"])
    let next = try XCTUnwrap(first.headers["Next-Page"])
    let start = "\(try me().server.address)/v1"
    XCTAssertTrue(next.hasPrefix("\(start)\(records)?"), next)
    try await put("a")
    let second = try await me().ask(.get, String(next.dropFirst(start.count)))
    XCTAssertEqual(try ids(second), ["c", "a"])
    XCTAssertNil(second.headers["Next-Page"])
    XCTAssertGreaterThan(try second.change, try first.change)
    let invented = try await me().ask(.get, "\(records)?_sort=last_modified&_limit=2&_token=x")
    XCTAssertEqual(invented.status, 400)
  }

  /// Downwards, what changes after the first page is on no page, and behind the last page's tag.
  func testDownwardsAChangeMeanwhileIsMissed() async throws {
    for id in ["a", "b", "c"] { try await put(id) }
    let first = try await me().ask(.get, "\(records)?_limit=2")
    try await put("a")
    let next = try XCTUnwrap(first.headers["Next-Page"])
    let second = try await me().ask(
      .get, String(next.dropFirst("\(try me().server.address)/v1".count)))
    XCTAssertFalse(try ids(first).contains("a") || ids(second).contains("a"))
    await assertEqual(try ids(me().ask(.get, "\(records)?_since=\(try second.change)")), [])
    await assertEqual(try ids(me().ask(.get, "\(records)?_since=\(try first.change)")), ["a"])
  }

  func testTheBucketOfTheAccountMakesCollectionsAndItsPagesGoByItsOwnName() async throws {
    let path = "/buckets/default/collections/new/records"
    for id in ["a", "b"] {
      try await assertEqual(me().ask(.put, "\(path)/\(id)", #"{"data": {}}"#).status, 201)
    }
    let list = try await me().ask(.get, "\(path)?_limit=1")
    let next = try XCTUnwrap(list.headers["Next-Page"])
    XCTAssertFalse(next.contains("/default/"))
    XCTAssertTrue(next.contains("/collections/new/records?"), next)
  }

  func testTheFailureOfAPartOfABatchDoesNotUndoTheOthers() async throws {
    let version = try await put("a").lastModified
    let answer = try await batch([
      #"{"method": "PUT", "path": "\#(records)/b", "body": {"data": {}}}"#,
      """
      {"method": "PUT", "path": "\(records)/a", "headers": {"If-Match": "\\"1\\""},
       "body": {"data": {}}}
      """,
      """
      {"method": "DELETE", "path": "\(records)/a", "headers": {"If-Match": "\\"\(version)\\""}}
      """,
      #"{"method": "GET", "path": "\#(records)/none"}"#,
    ])
    let parts = try XCTUnwrap(try answer.json["responses"]?.elements)
    XCTAssertEqual(parts.map { $0["status"]?.integer }, [201, 412, 200, 404])
    XCTAssertEqual(
      parts.map { $0["path"]?.string },
      ["b", "a", "a", "none"].map { "/v1\(records)/\($0)" })
    XCTAssertNotNil(parts[0]["body"]?["data"]?["last_modified"])
    await assertEqual(try ids(me().ask(.get, records)), ["b"])
  }

  func testABatchOverTheLimitOrWithItsOwnNameInAPathIsRefused() async throws {
    let part = #"{"method": "GET", "path": "\#(records)"}"#
    try await assertEqual(batch(Array(repeating: part, count: 100)).status, 200)
    try await assertEqual(batch(Array(repeating: part, count: 101)).status, 400)
    try await assertEqual(batch([#"{"method": "GET", "path": "\#(records)/batch1"}"#]).status, 400)
  }

  func testAServerThatForgotKnowsNobodyAndThenHasNewerTags() async throws {
    let before = try await put("a")
    let home = "/buckets/\(bucket)/collections/\(collection)"
    let generation = try await me().ask(.get, home).lastModified
    try await me().flush()
    try await assertEqual(me().ask(.get, records).status, 401)
    try await me().register()
    try await assertEqual(me().ask(.get, records).status, 403)
    try await makeCollection()
    let list = try await me().ask(.get, records)
    XCTAssertEqual(try ids(list), [])
    XCTAssertGreaterThan(try list.change, try before.lastModified)
    let new = try await me().ask(.get, home).lastModified
    XCTAssertNotEqual(new, generation)
  }

  func testACollectionThatIsDeletedTakesItsTombstonesAlong() async throws {
    try await put("a")
    try await me().ask(.delete, "\(records)/a")
    let home = "/buckets/\(bucket)/collections/\(collection)"
    let generation = try await me().ask(.get, home).lastModified
    try await me().ask(.delete, home)
    let made = try await me().ask(.put, home, "{}")
    XCTAssertEqual(made.status, 201)
    await assertEqual(try ids(me().ask(.get, "\(records)?_since=0")), [])
    XCTAssertNotEqual(try made.lastModified, generation)
  }

  private func batch(_ parts: [String]) async throws -> HTTPAnswer {
    try await me().ask(.post, "/batch", #"{"requests": [\#(parts.joined(separator: ","))]}"#)
  }
}
