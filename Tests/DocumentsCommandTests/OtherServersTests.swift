import Foundation
import TestSupport
import XCTest

/// Stores that go with plain document services and services of REST rows.
final class OtherServersTests: DocumentsTestCase {
  private let token = "token-of-the-tests"
  private var service: LoopbackService?

  override func tearDownWithError() throws {
    try service?.stop()
    try super.tearDownWithError()
  }

  private func start(_ script: String) throws -> String {
    let service = try LoopbackService(
      try Programs.find("python3"), script, [token], in: folder.appending(path: ".service"))
    self.service = service
    environment["DOCUMENTS_PASSWORD"] = token
    return service.address
  }

  private func sync(_ store: String) throws -> Outcome {
    let outcome = try documents("sync", store)
    XCTAssertEqual(outcome.status, 0, outcome.said)
    return outcome
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
    XCTAssertEqual(
      try documents("digest", "a.db").printed, try documents("digest", "b.db").printed)
    XCTAssertTrue(try documents("get", "a.db", "milk").printed.contains("Oat milk"))
    try documents("delete", "a.db", "milk")
    for store in ["a.db", "b.db"] { _ = try sync(store) }
    XCTAssertEqual(try documents("list", "b.db", "--count").printed, "0\n")
  }

  func testAPlainServiceIsSentWhatIsEdited() throws {
    let address = try start("serve-documents.py") + "/api"
    XCTAssertEqual(
      try documents("init", "a.db", "--service", address, "--type", "note").status, 0)
    try documents("put", "a.db", "note", "milk", #"{"docType": "note", "n": 1}"#)
    XCTAssertTrue(try sync("a.db").printed.contains("1 sent"))
    XCTAssertEqual(try documents("get", "a.db", "milk", "--base").status, 0)
    environment["DOCUMENTS_PASSWORD"] = "wrong"
    try documents("put", "a.db", "note", "milk", #"{"docType": "note", "n": 2}"#)
    let refused = try documents("sync", "a.db")
    XCTAssertEqual(refused.status, 1, refused.said)
    XCTAssertFalse(refused.said.contains("wrong"), refused.said)
  }

  func testWordsThatDoNotGoTogetherAreMistakes() throws {
    for words in [
      ["--rest", "http://a", "--bucket", "b"], ["--service", "http://a", "--rows", "r"],
      ["--rest", "http://a", "--service", "http://b"], ["--rest", "ftp://a"],
      ["--service", "nonsense"],
    ] {
      let child = try start(["init", "a.db"] + words)
      XCTAssertEqual(try child.end(within: .seconds(30)), .exited(64), "\(words): \(child.said)")
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path))
  }
}
