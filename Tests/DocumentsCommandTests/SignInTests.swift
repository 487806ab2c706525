import Foundation
import TestSupport
import XCTest

/// A store that is used without an account at a real Kinto that everybody may read, and then with
/// one.
///
/// All that had been pulled vanished with the first sign-in, and only what had been edited stayed.
final class SignInTests: ServedTestCase {
  private func initialize(_ store: String, _ account: String?) throws {
    var words = ["init", store, "--kinto", try XCTUnwrap(server).address, "--bucket", "home"]
    words += ["--type", "note"]
    if let account { words += ["--account", account, "--password-file", "password"] }
    let child = try start(words)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  /// What everybody may read was pulled by nobody, who edited a document and made another.
  private func makePublic() throws {
    try makeStores()
    try documents("put", "a.db", "note", "bread", #"{"text": "Bread"}"#)
    try documents("put", "a.db", "note", "eggs", #"{"text": "Eggs"}"#)
    try share()
    try ask("PATCH", "buckets/home", #"{"permissions": {"read": ["system.Everyone"]}}"#)
    try initialize("c.db", nil)
    try sync("c.db")
    XCTAssertEqual(try documents("list", "c.db").lines, ["bread", "eggs", "milk"])
    try documents("put", "c.db", "note", "bread", #"{"text": "Rye"}"#)
    try documents("put", "c.db", "note", "tea", #"{"text": "Tea"}"#)
  }

  func testAllThatWasThereIsTheirsWhoSignInFirst() throws {
    try makePublic()
    let list = try documents("list", "c.db", "--json").printed
    try initialize("c.db", "ann")
    XCTAssertEqual(try documents("list", "c.db", "--json").printed, list)
    XCTAssertEqual(
      try documents("get", "c.db", "bread", "--base").object["text"] as? String, "Bread")
    let synced = try documents("sync", "c.db", "--json", ends: 0)
    let sent = synced.object["sent"] as? [[String: Any]]
    XCTAssertEqual(sent?.compactMap { $0["id"] as? String }.sorted(), ["bread", "tea"])
    XCTAssertEqual((synced.object["received"] as? [Any])?.count, 0)
    try sync("a.db")
    XCTAssertEqual(try documents("digest", "c.db").printed, try documents("digest", "a.db").printed)
    try initialize("c.db", nil)
    XCTAssertEqual(try documents("list", "c.db").printed, "")
    try initialize("c.db", "ann")
    XCTAssertEqual(try documents("list", "c.db").lines, ["bread", "eggs", "milk", "tea"])
  }

  func testWhatWentMeanwhileGoesAndWhatCameComes() throws {
    try makePublic()
    try documents("delete", "a.db", "eggs")
    try documents("put", "a.db", "note", "salt", "{}")
    try sync("a.db")
    try initialize("c.db", "ann")
    try sync("c.db")
    XCTAssertEqual(try documents("list", "c.db").lines, ["bread", "milk", "salt", "tea"])
  }

  func testAnEditOfWhatTheServerDoesNotShowThemStaysAndTheRestIsHeldBack() throws {
    try makePublic()
    try ask("DELETE", "buckets/home/collections/note/records")
    try initialize("c.db", "ann")
    try documents("sync", "c.db", "--pull", ends: 3)
    XCTAssertEqual(try documents("list", "c.db").lines, ["bread", "eggs", "milk", "tea"])
    try documents("sync", "c.db", "--max-delete", "all", ends: 0)
    XCTAssertEqual(try documents("list", "c.db").lines, ["bread", "tea"])
    XCTAssertEqual(try documents("get", "c.db", "bread").object["text"] as? String, "Rye")
  }
}
