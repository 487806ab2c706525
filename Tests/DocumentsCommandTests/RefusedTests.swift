import TestSupport
import XCTest

/// What the server refuses, and what becomes of it.
final class RefusedTests: ServedTestCase {
  /// A store whose server refuses an edit of a document that it has, and one that it hasn't.
  private func makeRefused() throws {
    try makeShared()
    try ask(
      "PATCH", "buckets/home/collections/note",
      #"{"data": {"schema": {"properties": {"n": {"type": "integer"}}}}}"#)
    try documents("put", "a.db", "note", "milk", #"{"n": "one"}"#)
    try documents("put", "a.db", "note", "bread", #"{"n": 2}"#)
  }

  func testItIsSetAsideWithTheServersWordsAndHoldsUpNobody() throws {
    try makeRefused()
    let outcome = try documents("sync", "a.db")
    XCTAssertEqual(outcome.status, 2)
    XCTAssertTrue(outcome.said.contains("milk: the server refused it (400): "), outcome.said)
    XCTAssertTrue(outcome.said.contains("1 set aside"), outcome.said)
    XCTAssertTrue(outcome.printed.contains("1 sent"), outcome.printed)
    let status = try documents("status", "a.db", "milk", "--json").object
    XCTAssertEqual(status["problem"] as? String, "rejected")
    XCTAssertTrue(try documents("status", "a.db").printed.contains("milk"))
    // As long as it's set aside, the store isn't in step.
    XCTAssertEqual(try documents("sync", "a.db").status, 2)
  }

  func testItIsTriedAgainByItsIDOrAllOrByAnEdit() throws {
    try makeRefused()
    try documents("sync", "a.db")
    let other = try documents("sync", "a.db", "--retry", "bread", "--json")
    XCTAssertEqual((other.object["failures"] as? [Any])?.count, 0)
    for words in [["milk"], []] {
      let child = try start(["sync", "a.db", "--json", "--retry"] + words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(2))
      XCTAssertTrue(child.printed.contains(#""failures":[{"id":"milk""#), child.printed)
    }
    try documents("put", "a.db", "note", "milk", #"{"n": 3}"#)
    try sync("a.db")
    XCTAssertEqual(try documents("sync", "a.db", "milk").status, 64)
  }

  func testWhatIsResignedIsAsTheServerHasItAndIsKeptApart() throws {
    try makeRefused()
    let outcome = try documents("sync", "a.db", "--on-error", "resign", "--json", ends: 0)
    XCTAssertEqual((outcome.object["lost"] as? [Any])?.count, 1)
    XCTAssertEqual(try documents("get", "a.db", "milk").object["n"] as? Int, 1)
    let lost = try documents("lost", "a.db", "milk", "--json").object
    XCTAssertEqual((lost["value"] as? [String: Any])?["n"] as? String, "one")
  }

  func testWhoIsAskedAnswersOnStandardInput() throws {
    try makeRefused()
    let left = try documents("sync", "a.db", "--on-error", "ask", input: "what\nleave\n")
    XCTAssertEqual(left.status, 2)
    XCTAssertTrue(left.said.contains("'what' is no answer"), left.said)
    XCTAssertEqual(try documents("sync", "a.db", "--on-error", "ask").status, 2, "no answer")
    let tried = try documents("sync", "a.db", "--on-error", "ask", "--json", input: "try\n")
    XCTAssertEqual((tried.object["failures"] as? [Any])?.count, 1)
    try documents("sync", "a.db", "--on-error", "ask", input: "resign\n", ends: 0)
    XCTAssertEqual(try documents("get", "a.db", "milk").object["n"] as? Int, 1)
  }

  func testRetryLeavesItAMinuteAndOtherWordsAreMistakes() throws {
    try makeRefused()
    try documents("sync", "a.db", "--on-error", "retry")
    let again = try documents("sync", "a.db", "--on-error", "retry", "--json")
    XCTAssertEqual(again.status, 2)
    XCTAssertEqual((again.object["failures"] as? [Any])?.count, 0, "it waits")
    let wrong = try documents("sync", "a.db", "--on-error", "panic")
    XCTAssertEqual(wrong.status, 64)
    XCTAssertTrue(wrong.said.contains("leave, resign, retry, ask"), wrong.said)
  }
}
