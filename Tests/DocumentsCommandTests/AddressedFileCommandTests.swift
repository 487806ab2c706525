import Foundation
import TestSupport
import XCTest

/// Files where the service keeps none, and has addresses for them.
///
/// A file was accepted, a sync said "done", and it never left.
final class AddressedFileCommandTests: DocumentsTestCase {
  private let token = "token-of-the-tests"
  private var service: LoopbackService?

  override func tearDownWithError() throws { try service?.stop() }

  private func start() throws -> String {
    let service = try LoopbackService(
      try Programs.find("python3"), "serve-rows.py", [token],
      in: folder.appending(path: ".service"))
    self.service = service
    environment["DOCUMENTS_PASSWORD"] = token
    return service.address
  }

  /// The content at an address; `nil` where there is none.
  private func content(at address: String) throws -> String? {
    let curl = try ChildProcess(
      try Programs.find("curl"), ["-sf", "-H", "Authorization: Token \(token)", address],
      environment: [:], directory: folder, records: folder)
    let outcome = try curl.outcome()
    return outcome.status == 0 ? outcome.printed : nil
  }

  func testAFileGoesToItsAddressWhichItsMemberHasFromThenOn() throws {
    let address = try start()
    let template = address + "/files/{type}/{id}/{member}/{name}"
    for store in ["a.db", "b.db"] {
      try documents("init", store, "--rest", address + "/plain", "--model", "notes")
    }
    try documents("put", "a.db", "notes", "milk", #"{"n": 1, "picture": ""}"#)
    try Data("a picture".utf8).write(to: folder.appending(path: "p.png"))
    try documents(
      "attach", "a.db", "milk", "picture", "p.png", ends: 1, says: "keeps no files")
    // What is said of files may be said later.
    try documents("init", "a.db", "--rest", address + "/plain", "--files", template, ends: 0)
    try documents("attach", "a.db", "milk", "picture", "p.png", ends: 0)
    XCTAssertEqual(try documents("get", "a.db", "milk", "--file", "picture").printed, "a picture")
    let waiting = try documents("status", "a.db", "--json").object["files"] as? [String: Int]
    XCTAssertEqual(waiting?["up"], 1)

    let outcome = try documents("sync", "a.db", ends: 0)
    XCTAssertTrue(outcome.printed.contains("1 file sent"), outcome.printed)
    try documents("sync", "b.db", ends: 0)
    let there = address + "/files/notes/milk/picture/p.png"
    for store in ["a.db", "b.db"] {
      XCTAssertEqual(try documents("get", store, "milk").object["picture"] as? String, there)
    }
    XCTAssertEqual(try content(at: there), "a picture")
    XCTAssertTrue(try documents("sync", "a.db", ends: 0).printed.contains("in step"))

    try documents("detach", "a.db", "milk", "picture", ends: 0)
    XCTAssertEqual(try documents("get", "a.db", "milk").object["picture"] as? String, "")
    let removal = try documents("sync", "a.db", ends: 0)
    XCTAssertTrue(removal.printed.contains("1 file removed"), removal.printed)
    XCTAssertNil(try content(at: there))
  }

  func testATemplateIsCheckedAndGoesWithServicesAlone() throws {
    let rest = ["--rest", "https://example.org", "--model", "notes"]
    let rows: [([String], String)] = [
      (rest + ["--files", "nonsense"], "makes no address of a file"),
      (rest + ["--files", "https://f.example/{what}"], "makes no address of a file"),
      (rest + ["--files", "https://f.example/{id}/{name}"], "it takes {id} and {member}"),
      (
        rest + ["--model", "tags", "--files", "https://f.example/{id}/{member}"],
        "write {type} in it"
      ),
      (rest + ["--files-answer", "url"], "--files-answer goes with --files"),
      (
        [
          "--kinto", "https://example.org", "--bucket", "b", "--type", "notes", "--files",
          "https://f.example/{id}",
        ], "a Kinto server keeps files itself"
      ),
    ]
    for (words, sentence) in rows {
      let outcome = try start(["init", "a.db"] + words).outcome()
      XCTAssertEqual(outcome.status, 64, "\(words)")
      XCTAssertTrue(outcome.said.contains(sentence), outcome.said)
    }
    try documents(
      "init", "b.db", "--service", "https://example.org", "--type", "notes", "--files",
      "https://f.example/{id}/{member}", ends: 0)
  }
}
