import Foundation
import TestSupport
import XCTest

/// What `init` keeps, and what it refuses.
final class SetupTests: DocumentsTestCase {
  func testAStoreKeepsToItsServerHoweverTheAddressIsWritten() throws {
    try makeStore()
    let again = try documents(
      "init", "a.db", "--kinto", "http://127.0.0.1:9/", "--bucket", "home", "--type", "task")
    XCTAssertEqual(again.status, 0, again.said)
    XCTAssertTrue(again.printed.contains("note, task"), again.printed)
    let other = try documents("init", "a.db", "--kinto", "http://127.0.0.1:8", "--bucket", "home")
    XCTAssertEqual(other.status, 1, other.said)
  }

  func testAMalformedAddressMakesNoFile() throws {
    for address in ["ftp://x", "nonsense", "http://a/?b"] {
      let outcome = try documents("init", "a.db", "--kinto", address, "--bucket", "home")
      XCTAssertEqual(outcome.status, 64, "\(address): \(outcome.said)")
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "a.db").path))
  }

  func testAnotherAccountDoesNotGetUnsentEditsUnlessItIsTold() throws {
    func initialize(_ account: String, _ more: String...) throws -> Outcome {
      let words = ["init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home"]
      let child = try start(words + ["--type", "note", "--account", account] + more)
      guard case .exited(let status) = try child.end(within: .seconds(60)) else {
        return Outcome(status: -1, printed: "", said: child.said)
      }
      return Outcome(status: status, printed: child.printed, said: child.said)
    }
    XCTAssertEqual(try initialize("ann").status, 0)
    try documents("put", "a.db", "note", "a", "{}")
    let refused = try initialize("bob")
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.said.contains("'ann'"), refused.said)
    XCTAssertEqual(try initialize("bob", "--keep").status, 0)
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "1\n")
  }

  func testOptionsThatContradictEachOtherDoNothing() throws {
    try makeStore()
    try documents("put", "a.db", "note", "milk", "{}")
    for words in [
      ["sync", "a.db", "--push", "--pull"], ["get", "a.db", "milk", "--base", "--server"],
      ["resolve", "a.db", "milk", "--server", "--local"],
      ["resolve", "a.db", "milk", "--with", "{}", "--local"],
      ["init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "home", "--keep", "--drop"],
    ] {
      let child = try start(words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(64), "\(words): \(child.said)")
      XCTAssertTrue(child.said.contains("say "), child.said)
    }
  }

  func testACommandThatLacksAWordSaysWhich() throws {
    try makeStore()
    let attach = try documents("attach", "a.db", "a", "picture")
    XCTAssertEqual(attach.status, 64)
    XCTAssertTrue(attach.said.contains("FILE"), attach.said)
    XCTAssertEqual(try documents("list", "none.db").status, 1)
  }
}
