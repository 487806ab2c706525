import TestSupport
import XCTest

/// A store that holds a part of a real Kinto's collection.
final class FilterCommandTests: ServedTestCase {
  private func say(_ id: String, _ status: String) throws {
    let body = "{\"data\": {\"status\": \"\(status)\", \"docType\": \"note\"}}"
    try ask("PUT", "buckets/home/collections/note/records/\(id)", body)
  }

  /// Sets the filter, or another one.
  private func filter(_ words: String...) throws {
    let server = try XCTUnwrap(server).address
    let all =
      ["init", "a.db", "--kinto", server, "--bucket", "home", "--account", "ann"]
      + ["--password-file", "password", "--type", "note"] + words
    let child = try start(all)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  /// Five notes, of which four are open; and a store of the open ones.
  private func makeUsed() throws {
    try makeStores()
    try sync("b.db")
    for id in ["bread", "eggs", "milk", "tea"] { try say(id, "open") }
    try say("salt", "closed")
    try filter("--filter", "status=open")
    try sync("a.db")
  }

  private func list() throws -> [String] {
    try documents("list", "a.db", ends: 0).printed.split(separator: "\n").map(String.init)
  }

  func testWhatHasLeftGoesOnDemandAndIsToldAsThat() throws {
    try makeUsed()
    XCTAssertEqual(try list(), ["bread", "eggs", "milk", "tea"])
    try say("milk", "closed")
    let first = try documents("sync", "a.db", ends: 0)
    XCTAssertTrue(
      first.printed.hasPrefix("in step with what the filter lets through:"), first.printed)
    let second = try documents("sync", "a.db", "--list", "--json", ends: 0).object
    let received = try XCTUnwrap(second["received"] as? [[String: Any]])
    XCTAssertEqual(received.compactMap { $0["id"] as? String }, ["milk"])
    XCTAssertEqual(received.first?["leftFilter"] as? Bool, true)
    XCTAssertEqual(received.first?["gone"] as? Bool, false, "nobody knows that")
    XCTAssertEqual(second["sentence"] as? String, "done: 1 left the filter")
    XCTAssertEqual(try list(), ["bread", "eggs", "tea"])
    let status = try documents("status", "a.db", ends: 0).printed
    XCTAssertTrue(
      status.contains("of note only status=open; what has left that was looked for"), status)
    let digest = try documents("digest", "a.db", ends: 0)
    XCTAssertTrue(digest.said.contains("the digest is of what is held here: status=open"))
  }

  func testEditsOfWhatHasLeftAreSent() throws {
    try makeUsed()
    try documents("put", "a.db", "note", "milk", #"{"status": "open", "n": 2}"#, ends: 0)
    try say("milk", "closed")
    try documents("sync", "a.db", "--pull", "--list", ends: 0)
    XCTAssertEqual(try documents("get", "a.db", "milk").object["n"] as? Int, 2)
    try documents("sync", "a.db", ends: 0)
    try sync("b.db")
    let there = try documents("get", "b.db", "milk").object
    XCTAssertEqual(there["n"] as? Int, 2)
    XCTAssertEqual(there["status"] as? String, "closed")
    try documents("sync", "a.db", "--list", ends: 0)
    XCTAssertEqual(try list(), ["bread", "eggs", "tea"])
  }

  func testAnotherFilterIsComparedAnewWithinTheLimit() throws {
    try makeUsed()
    try filter("--filter", "status=closed")
    let held = try documents("sync", "a.db", ends: 3)
    XCTAssertTrue(
      held.said.contains("4 of 5 documents of note aren't among what its filter lets through"),
      held.said)
    XCTAssertFalse(held.said.contains("republish"), held.said)
    try documents("sync", "a.db", "--max-delete", "4", ends: 0)
    XCTAssertEqual(try list(), ["salt"])
    try filter("--no-filter")
    try documents("sync", "a.db", ends: 0)
    XCTAssertEqual(try list(), ["bread", "eggs", "milk", "salt", "tea"])
    XCTAssertEqual(
      try documents("digest", "a.db").printed,
      try {
        try sync("b.db")
        return try documents("digest", "b.db").printed
      }())
  }

  func testAFilterThatIsNoneIsRefused() throws {
    for (words, reason) in [
      (["--kinto", "http://127.0.0.1:9", "--bucket", "b", "--filter", "_since=1"], "no filter"),
      (["--kinto", "http://127.0.0.1:9", "--bucket", "b", "--filter", "open"], "NAME=VALUE"),
      (["--service", "http://127.0.0.1:9", "--filter", "a=b"], "has no lists"),
    ] {
      let child = try start(["init", "c.db", "--type", "note"] + words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(64), child.said)
      XCTAssertTrue(child.said.contains(reason), child.said)
    }
  }
}
