import Foundation
import TestSupport
import XCTest

/// Stores that go with plain document services and services of REST rows.
final class OtherServersTests: DocumentsTestCase {
  private let token = "token-of-the-tests"
  private var service: LoopbackService?

  override func tearDownWithError() throws { try service?.stop() }

  private func start(_ script: String) throws -> String {
    let service = try LoopbackService(
      try Programs.find("python3"), script, [token], in: folder.appending(path: ".service"))
    self.service = service
    environment["DOCUMENTS_PASSWORD"] = token
    return service.address
  }

  private func sync(_ store: String) throws -> ProgramOutcome {
    try documents("sync", store, ends: 0)
  }

  func testRowsTravelBetweenTwoStores() throws {
    let address = try start("serve-rows.py") + "/sync/"
    for store in ["a.db", "b.db"] {
      let outcome = try documents(
        "init", store, "--rest", address, "--model", "notes", "--rows", "results", "--row",
        "result", "--modified", "modified_date", "--deleted", "is_deleted", "--conflict-flag",
        "is_conflict")
      XCTAssertEqual(outcome.status, 0, outcome.said)
      XCTAssertTrue(outcome.printed.contains("types: notes"), outcome.printed)
    }
    try documents("put", "a.db", "notes", "milk", #"{"title": "Milk", "n": 1}"#)
    XCTAssertTrue(try sync("a.db").printed.contains("1 sent"))
    XCTAssertTrue(try sync("b.db").printed.contains("1 received"))
    try documents("put", "a.db", "notes", "milk", #"{"title": "Milk", "n": 2}"#)
    try documents("put", "b.db", "notes", "milk", #"{"title": "Oat milk", "n": 1}"#)
    for store in ["a.db", "b.db", "a.db"] { _ = try sync(store) }
    XCTAssertEqual(try documents("digest", "a.db").printed, try documents("digest", "b.db").printed)
    XCTAssertTrue(try documents("get", "a.db", "milk").printed.contains("Oat milk"))
    try documents("delete", "a.db", "milk")
    for store in ["a.db", "b.db"] { _ = try sync(store) }
    XCTAssertEqual(try documents("list", "b.db", "--count").printed, "0\n")
  }

  /// Edits carried no times, so that `latest` took what was no later, and the other was lost.
  func testTheLatestEditOfEachMemberStaysWhoeverSyncsFirst() throws {
    let address = try start("serve-rows.py") + "/sync/"
    let rows = [
      "--rest", address, "--model", "notes", "--rows", "results", "--row", "result", "--modified",
      "modified_date", "--deleted", "is_deleted", "--conflict-flag", "is_conflict", "--latest",
    ]
    for store in ["a.db", "b.db"] {
      let child = try start(["init", store] + rows)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
    }
    try documents("put", "a.db", "notes", "milk", #"{"m": "0", "n": "0", "k": "0"}"#)
    for store in ["a.db", "b.db"] { _ = try sync(store) }
    try documents("put", "a.db", "notes", "milk", #"{"m": "a", "n": "0", "k": "early"}"#)
    try documents("put", "b.db", "notes", "milk", #"{"m": "0", "n": "b", "k": "late"}"#)
    for store in ["a.db", "b.db", "a.db"] { _ = try sync(store) }
    for store in ["a.db", "b.db"] {
      let milk = try documents("get", store, "milk").object
      XCTAssertEqual(["m", "n", "k"].map { milk[$0] as? String }, ["a", "b", "late"], store)
    }
  }

  func testLatestIsRefusedWhereEditsCarryNoTimesUntilInitSaysSo() throws {
    let address = try start("serve-rows.py") + "/plain"
    try documents("init", "a.db", "--rest", address, "--model", "notes")
    try documents("put", "a.db", "notes", "milk", #"{"n": 1}"#)
    for command in ["sync", "watch"] {
      try documents(
        command, "a.db", "--on-conflict", "latest", ends: 64, says: "--type notes --latest")
    }
    XCTAssertEqual(try documents("status", "a.db", "--json").object["outbox"] as? Int, 1)
    try documents("init", "a.db", "--rest", address, "--type", "notes", "--latest")
    XCTAssertEqual(try documents("sync", "a.db", "--on-conflict", "latest").status, 0)
    XCTAssertEqual(try documents("init", "b.db", "--rest", address, "--latest").status, 64)
  }

  func testAPlainServiceIsSentWhatIsEdited() throws {
    let address = try start("serve-documents.py") + "/api"
    XCTAssertEqual(try documents("init", "a.db", "--service", address, "--type", "note").status, 0)
    try documents("put", "a.db", "note", "milk", #"{"docType": "note", "n": 1}"#)
    XCTAssertTrue(try sync("a.db").printed.contains("1 sent"))
    XCTAssertEqual(try documents("get", "a.db", "milk", "--base").status, 0)
    environment["DOCUMENTS_PASSWORD"] = "wrong"
    try documents("put", "a.db", "note", "milk", #"{"docType": "note", "n": 2}"#)
    let refused = try documents("sync", "a.db", ends: 1)
    XCTAssertFalse(refused.said.contains("wrong"), refused.said)
  }

  /// The one who synced last had the word, and nobody was told what that took away.
  func testWhereNoConflictIsToldTwoEditsAreMergedAllTheSame() throws {
    let address = try start("serve-rows.py") + "/plain"
    for store in ["a.db", "b.db"] {
      try documents(
        "init", store, "--rest", address, "--model", "notes", ends: 0, says: "--conflict-flag")
    }
    try documents("put", "a.db", "notes", "milk", #"{"title": "Milk", "n": 1, "k": 0}"#)
    for store in ["a.db", "b.db"] { _ = try sync(store) }
    try documents("put", "a.db", "notes", "milk", #"{"title": "Milk", "n": 2, "k": "a"}"#)
    try documents("put", "b.db", "notes", "milk", #"{"title": "Oat", "n": 1, "k": "b"}"#)
    for store in ["a.db", "b.db", "a.db"] { _ = try sync(store) }
    for store in ["a.db", "b.db"] {
      let milk = try documents("get", store, "milk").object
      XCTAssertEqual(["title", "k"].map { milk[$0] as? String }, ["Oat", "a"], store)
      XCTAssertEqual(milk["n"] as? Int, 2, store)
    }
    XCTAssertTrue(try documents("lost", "b.db").printed.contains("milk k was to be \"b\""))
  }

  func testAnotherModelIsAddedAndWhatIsKnownOfRowsStays() throws {
    let address = try start("serve-rows.py") + "/sync"
    func initialize(_ words: String...) throws -> ChildProcess.End {
      try start(["init", "a.db", "--rest", address] + words).end(within: .seconds(30))
    }
    let first = try initialize("--model", "notes", "--rows", "results", "--row", "result")
    XCTAssertEqual(first, .exited(0))
    XCTAssertEqual(try initialize("--model", "tasks"), .exited(0))
    try documents("put", "a.db", "tasks", "milk", #"{"n": 1}"#)
    XCTAssertTrue(try sync("a.db").printed.contains("1 sent"))
    XCTAssertEqual(try initialize("--model", "more", "--key", "nr"), .exited(1))
    XCTAssertEqual(try documents("put", "a.db", "more", "bread", "{}").status, 64)
  }

  func testRowsOfAnOldServiceAreReadAsItWasSaid() throws {
    let address = try start("serve-rows.py") + "/old"
    for store in ["a.db", "b.db"] {
      let outcome = try documents(
        "init", store, "--rest", address, "--model", "mute", "--rows", "items", "--row", "item",
        "--key", "nr", "--numeric-keys", "--slash", "--charset", "iso-8859-1")
      XCTAssertEqual(outcome.status, 0, outcome.said)
    }
    let refused = try documents("put", "a.db", "mute", "milk", "{}")
    XCTAssertEqual(refused.status, 1, "keys are numbers: \(refused.said)")
    XCTAssertTrue(
      refused.said.contains("of the model with 'documents init … --server-keys'"), refused.said)
    try documents("put", "a.db", "mute", "7", #"{"name": "Käse für Zoë"}"#)
    for store in ["a.db", "b.db"] { _ = try sync(store) }
    let shown = try documents("get", "b.db", "7")
    XCTAssertEqual(shown.object["name"] as? String, "Käse für Zoë")
  }

  func testWordsThatDoNotGoTogetherAreMistakes() throws {
    for words in [
      ["--rest", "http://a", "--bucket", "b"], ["--service", "http://a", "--rows", "r"],
      ["--rest", "http://a", "--service", "http://b"], ["--rest", "ftp://a"],
      ["--service", "nonsense"], ["--rest", "http://a", "--charset", "koi8-r"],
    ] {
      let child = try start(["init", "a.db"] + words)
      XCTAssertEqual(try child.end(within: .seconds(30)), .exited(64), "\(words): \(child.said)")
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path))
  }
}
