import TestSupport
import XCTest

/// What is done to documents without a server.
final class EditingTests: DocumentsTestCase {
  func testADocumentIsPrintedAsItWasStoredAndItsIDAloneWhenItIs() throws {
    try makeStore()
    let put = try documents("put", "a.db", "note", "milk", #"{"n": 1.50, "text": "Milk"}"#)
    XCTAssertEqual(put.printed, "milk\n", put.said)
    let got = try documents("get", "a.db", "milk")
    XCTAssertEqual(got.object["id"] as? String, "milk")
    XCTAssertEqual(got.object["docType"] as? String, "note")
    XCTAssertTrue(got.printed.contains("1.50"), got.printed)
  }

  func testJSONComesFromStandardInputAndAnIDIsMadeWhereNoneIsNamed() throws {
    try makeStore()
    let put = try documents("put", "a.db", "note", input: #"{"text": "Milk"}"#, ends: 0)
    let id = try XCTUnwrap(put.lines.first)
    XCTAssertEqual(try documents("get", "a.db", id).object["text"] as? String, "Milk")
    XCTAssertEqual(try documents("put", "a.db", "note", "-", input: #"{"id": "b"}"#).printed, "b\n")
  }

  func testWordsThatContradictTheJSONStoreNothing() throws {
    try makeStore()
    for json in [#"{"id": "other"}"#, #"{"docType": "task"}"#, "[1]", "{", #"{"a":1,"a":2}"#] {
      let put = try documents("put", "a.db", "note", "milk", "-", input: json)
      XCTAssertEqual(put.status, 64, "\(json): \(put.said)")
    }
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "0\n")
  }

  func testATypeThatWasNotDeclaredIsAMistakeOfTheCommandLine() throws {
    try makeStore()
    let put = try documents("put", "a.db", "task", "t", "{}")
    XCTAssertEqual(put.status, 64)
    XCTAssertTrue(put.said.contains("--type task"), put.said)
  }

  func testWhatTheServerCannotCarryIsRefusedWhenItIsStored() throws {
    try makeStore()
    _ = try documents("put", "a.db", "note", "milk", #"{"last_modified": 1}"#, ends: 1)
    XCTAssertEqual(try documents("put", "a.db", "note", "no/id", "{}").status, 1)
    XCTAssertEqual(try documents("get", "a.db", "milk").status, 1)
  }

  func testConditionsChooseAndOrderWhatIsListed() throws {
    try makeStore()
    for (id, number) in [("a", 1), ("b", 10), ("c", 2)] {
      try documents("put", "a.db", "note", id, "{\"n\": \(number)}")
    }
    XCTAssertEqual(try documents("list", "a.db", "note").lines, ["a", "b", "c"])
    XCTAssertEqual(try documents("list", "a.db", "--where", "n = 1").lines, ["a"])
    XCTAssertEqual(
      try documents("list", "a.db", "--where", "n > 1", "--order", "-n").lines, ["b", "c"])
    XCTAssertEqual(try documents("list", "a.db", "--where", "n > 1", "--count").printed, "2\n")
    XCTAssertEqual(try documents("list", "a.db", "--json", "--limit", "1").object["n"] as? Int, 1)
    XCTAssertEqual(try documents("list", "a.db", "--where", "n ~ 1").status, 64)
  }

  func testStatusTellsWhatWaitsAndOfOneDocumentWhy() throws {
    try makeStore()
    try documents("put", "a.db", "note", "a", "{}")
    try documents("stash", "a.db", "note", "b", "{}")
    let status = try documents("status", "a.db", "--json").object
    XCTAssertEqual(status["documents"] as? Int, 2)
    XCTAssertEqual(
      status["types"] as? [[String: String]], [["type": "note", "collection": "note"]])
    XCTAssertEqual(status["outbox"] as? Int, 1)
    XCTAssertTrue(status["lastSync"] is NSNull)
    let one = try documents("status", "a.db", "a", "--json").object
    XCTAssertEqual(one["state"] as? String, "created")
    XCTAssertEqual(one["type"] as? String, "note")
    XCTAssertEqual(one["pending"] as? Bool, true)
    XCTAssertEqual(try documents("status", "a.db", "none").status, 1)
    XCTAssertEqual(try documents("why", "a.db", "none").status, 1)
    XCTAssertEqual(try documents("why", "a.db", "a").lines.count, 2)
  }

  func testStatusNamesServerAccountAndTypes() throws {
    try documents(
      "init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "note",
      "--type", "list", "--account", "ann", ends: 0)
    XCTAssertEqual(
      try documents("status", "a.db").lines.first,
      "goes with the bucket home of http://127.0.0.1:9, as ann; types: note, list")
  }

  func testDeletingWhatWasNeverSentLeavesNothingToSendAndAnUnknownIDIsNoMistake() throws {
    try makeStore()
    try documents("put", "a.db", "note", "a", "{}")
    XCTAssertEqual(try documents("delete", "a.db", "a").status, 0)
    XCTAssertEqual(try documents("delete", "a.db", "none").status, 0)
    let status = try documents("status", "a.db", "--json").object
    XCTAssertEqual(status["outbox"] as? Int, 0)
  }

  func testACircleOfDocumentsThatWaitForEachOtherIsRefused() throws {
    try makeStore()
    try documents("put", "a.db", "note", "a", "{}", "--after", "b")
    try documents("put", "a.db", "note", "b", "{}", "--after", "a", ends: 1)
    XCTAssertEqual(try documents("get", "a.db", "b").status, 1)
  }

  func testWhatADocumentWaitsForIsSaidWhereItIsNotHere() throws {
    try makeStore()
    let put = try documents("put", "a.db", "note", "a", "{}", "--after", "b", "--after", "\u{1B}c")
    let lines = put.said.split(separator: "\n")
    XCTAssertEqual(lines.count, 2, put.said)
    XCTAssertFalse(put.said.contains("\u{1B}"))
    XCTAssertTrue(put.said.contains("'a' waits for 'b', which isn't here yet"), put.said)
    try documents("put", "a.db", "note", "d", "{}")
    let known = try documents("put", "a.db", "note", "e", "{}", "--after", "d")
    XCTAssertEqual(known.said, "")
  }

  func testAnIDIsOfOneTypeOnly() throws {
    try makeStore()
    try documents(
      "init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--type", "task=todo")
    try documents("put", "a.db", "note", "a", "{}")
    XCTAssertEqual(try documents("put", "a.db", "task", "a", "{}").status, 1)
  }

  func testExportedDocumentsAreImportedAllOrNone() throws {
    try makeStore()
    try documents("put", "a.db", "note", "a", #"{"n": 1}"#)
    try documents("put", "a.db", "note", "b", #"{"n": 2}"#)
    let lines = try documents("export", "a.db").printed
    try makeStore("b.db")
    let bad = try documents("import", "b.db", input: lines + "{\n")
    XCTAssertEqual(bad.status, 1)
    XCTAssertTrue(bad.said.contains("line 3"), bad.said)
    XCTAssertEqual(try documents("list", "b.db", "--count").printed, "0\n")
    XCTAssertEqual(try documents("import", "b.db", input: lines).status, 0)
    XCTAssertEqual(try documents("export", "b.db").printed, lines)
  }
}
