import TestSupport
import XCTest

/// Edits of both sides under each policy, and what is done by hand afterwards.
final class DecidingTests: ServedTestCase {
  /// Both stores have changed one member of a document; what `a.db` made of it is at the server.
  private func dispute() throws {
    try makeShared()
    try documents("put", "a.db", "note", "milk", #"{"text": "Oat", "n": 1}"#)
    try documents("put", "b.db", "note", "milk", #"{"text": "Soy", "n": 2}"#)
    try sync("a.db")
  }

  private func milk(_ store: String = "b.db") throws -> String {
    let milk = try documents("get", store, "milk").object
    return "\(milk["text"] ?? "") \(milk["n"] ?? "")"
  }

  func testEachPolicyDecidesAndTellsWhatGaveWay() throws {
    let rows: [(policy: String, result: String, path: [String])] = [
      ("server", "Oat 1", []), ("local", "Soy 2", []), ("merge", "Oat 2", ["text"]),
    ]
    try makeStores()
    for row in rows {
      try documents("put", "a.db", "note", "milk", #"{"text": "Milk", "n": 1}"#)
      try sync("a.db", "b.db")
      try documents("put", "a.db", "note", "milk", #"{"text": "Oat", "n": 1}"#)
      try documents("put", "b.db", "note", "milk", #"{"text": "Soy", "n": 2}"#)
      try sync("a.db")
      let outcome = try documents("sync", "b.db", "--on-conflict", row.policy, ends: 0)
      XCTAssertTrue(outcome.printed.contains("1 gave way"), outcome.printed)
      XCTAssertEqual(try milk(), row.result, row.policy)
      let lost = try documents("lost", "b.db", "--json").object
      XCTAssertEqual(lost["path"] as? [String], row.path, row.policy)
      try sync("a.db")
      XCTAssertEqual(try milk("a.db"), row.result, row.policy)
    }
  }

  func testAskParksEditsOfDifferentMembersTooAndSaysWhichDocument() throws {
    try makeShared()
    try documents("put", "a.db", "note", "milk", #"{"text": "Oat", "n": 1}"#)
    try documents("put", "b.db", "note", "milk", #"{"text": "Milk", "n": 2}"#)
    try sync("a.db")
    let outcome = try documents("sync", "b.db", "--on-conflict", "ask")
    XCTAssertEqual(outcome.status, 2)
    XCTAssertTrue(outcome.said.contains("'documents resolve': milk"), outcome.said)
    XCTAssertTrue(try documents("status", "b.db").printed.contains("'documents resolve': milk"))
    XCTAssertEqual(try milk(), "Milk 2", "what is here is seen")
    XCTAssertEqual(try documents("export", "b.db").object["n"] as? Int, 2)
    // It waits until somebody decides.
    XCTAssertEqual(try documents("sync", "b.db").status, 2)
  }

  func testAWholeDocumentMayBeTheDecisionAndNothingIsSentByIt() throws {
    try dispute()
    try documents("sync", "b.db", "--on-conflict", "ask")
    try documents("resolve", "b.db", "milk", "--with", #"{"id": "x"}"#, ends: 64)
    XCTAssertEqual(try documents("resolve", "b.db", "milk").status, 64)
    XCTAssertEqual(
      try documents("resolve", "b.db", "milk", "--with", #"{"text": "Rye", "n": 3}"#).status, 0)
    try sync("a.db")
    XCTAssertEqual(try milk("a.db"), "Oat 1")
    try sync("b.db", "a.db")
    XCTAssertEqual(try milk("a.db"), "Rye 3")
  }

  /// The type became a member of what had none, only since it was printed with it.
  func testADecisionThatIsWrittenAsItWasPrintedHasNoTypeMoreThanBefore() throws {
    try makeStores()
    try ask("PUT", "buckets/home")
    try ask("PUT", "buckets/home/collections/note")
    let record = "buckets/home/collections/note/records/milk"
    try ask("PUT", record, #"{"data": {"n": 1}}"#)
    try sync("b.db")
    try documents("put", "b.db", "note", "milk", #"{"n": 2}"#)
    try ask("PUT", record, #"{"data": {"n": 3}}"#)
    try documents("sync", "b.db", "--on-conflict", "ask", ends: 2)
    let printed = try documents("get", "b.db", "milk").printed
    XCTAssertTrue(printed.contains("docType"), printed)
    try documents("resolve", "b.db", "milk", "--with", printed, ends: 0)
    try documents("sync", "b.db", ends: 0)
    let rows = try documents("export", "b.db").printed
    XCTAssertTrue(rows.contains(#""n":2"#), rows)
    let base = try documents("why", "b.db", "milk", "--answers").printed
    XCTAssertFalse(base.contains("docType"), base)
  }

  func testADeletionThereWinsUnlessThePolicyMakesItAgainOrAsks() throws {
    let rows: [(policy: String, status: Int32, found: Int32)] = [
      ("merge", 0, 1), ("local", 0, 0), ("ask", 2, 0),
    ]
    try makeStores()
    for row in rows {
      let id = "milk-\(row.policy)"
      try documents("put", "a.db", "note", id, "{}")
      try sync("a.db")
      // What an earlier row left open is no matter of this one.
      try documents("sync", "b.db")
      try documents("delete", "a.db", id)
      try documents("put", "b.db", "note", id, #"{"n": 2}"#)
      try sync("a.db")
      let outcome = try documents("sync", "b.db", "--on-conflict", row.policy)
      XCTAssertEqual(outcome.status, row.status, "\(row.policy): \(outcome.said)")
      XCTAssertEqual(try documents("get", "b.db", id).status, row.found, row.policy)
    }
    XCTAssertEqual(try documents("lost", "b.db", "milk-merge").lines.count, 1)
  }
}
