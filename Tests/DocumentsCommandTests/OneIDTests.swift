import TestSupport
import XCTest

/// An id is unique in a store.
final class OneIDTests: ServedTestCase {
  func testASecondCollectionThatBringsAnIDIsOneFailureUntilItDoesNoMore() throws {
    try makeShared()
    let place = "buckets/home/collections/todo/records/milk"
    try ask("PUT", place, #"{"data": {"done": true}}"#)
    try ask("PUT", "buckets/home/collections/todo/records/shop", #"{"data": {"done": false}}"#)
    for _ in 0..<2 {
      let outcome = try documents("sync", "a.db", "--json", ends: 2)
      let failures = try XCTUnwrap(outcome.object["failures"] as? [[String: Any]])
      XCTAssertEqual(failures.map { $0["id"] as? String }, ["milk"])
      XCTAssertEqual(failures.map { $0["collection"] as? String }, ["todo"])
      try ask("PUT", place, #"{"data": {"done": false}}"#)
    }
    XCTAssertEqual(try documents("get", "a.db", "milk").object["text"] as? String, "Milk")
    XCTAssertEqual(try documents("list", "a.db").lines, ["milk", "shop"])
    XCTAssertTrue(try documents("status", "a.db").printed.contains("milk of todo"))
    try ask("DELETE", place)
    try sync("a.db")
    XCTAssertEqual(try documents("get", "a.db", "milk").object["text"] as? String, "Milk")
  }

  func testTheCollectionIsTheTypeOfWhatSaysNoneAndIsNotSentForThat() throws {
    try makeStores()
    try ask("PUT", "buckets/home", "{}")
    try ask("PUT", "buckets/home/collections/todo", "{}")
    try ask("PUT", "buckets/home/collections/todo/records/shop", #"{"data": {"n": 1}}"#)
    try sync("a.db")
    XCTAssertEqual(try documents("get", "a.db", "shop").object["docType"] as? String, "task")
    XCTAssertEqual(try documents("list", "a.db", "task").lines, ["shop"])
    let second = try documents("sync", "a.db", "--json").object
    XCTAssertEqual((second["sent"] as? [Any])?.count, 0)
  }

  func testAPutUnderAnotherTypeStoresNothingAlsoOfOneThatWasFetched() throws {
    try makeShared()
    let put = try documents("put", "b.db", "task", "milk", "{}")
    XCTAssertEqual(put.status, 1)
    XCTAssertTrue(put.said.contains("unique"), put.said)
    XCTAssertEqual(try documents("get", "b.db", "milk").object["n"] as? Int, 1)
  }
}
