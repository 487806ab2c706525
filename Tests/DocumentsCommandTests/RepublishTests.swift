import TestSupport
import XCTest

/// A real Kinto that lost its data is given again what it had; and what it answered is shown.
final class RepublishTests: ServedTestCase {
  /// The server has nothing any more, but for the account.
  private func flush() throws {
    try ask("POST", "__flush__", as: nil)
    try ask("PUT", "accounts/ann", #"{"data": {"password": "secret"}}"#, as: nil)
  }

  private func makeUsed() throws {
    try makeStores()
    for id in ["bread", "eggs", "tea"] {
      try documents("put", "a.db", "note", id, "{\"text\": \"\(id)\"}")
    }
    for id in ["list", "wishes"] { try documents("put", "a.db", "task", id, "{}") }
    try share()
  }

  func testAFlushedServerHasAllOfItAgainWhoeverSendsIt() throws {
    try makeUsed()
    let digest = try documents("export", "a.db").printed
    try flush()
    let held = try documents("sync", "a.db", ends: 3)
    XCTAssertTrue(held.said.contains("'documents republish' sends them again"), held.said)
    let report = try documents("republish", "a.db", "--json", ends: 0).object
    let sent = report["sent"] as? [[String: Any]]
    XCTAssertEqual(
      sent?.compactMap { $0["id"] as? String }.sorted(),
      ["bread", "eggs", "list", "milk", "tea", "wishes"])
    let second = try documents("republish", "b.db", "--json", ends: 0).object
    XCTAssertEqual((second["sent"] as? [Any])?.count, 0)
    try sync("a.db", "b.db")
    XCTAssertEqual(try documents("export", "a.db").printed, digest)
    XCTAssertEqual(try documents("digest", "a.db").printed, try documents("digest", "b.db").printed)
  }

  /// A record that is made over its tombstone comes to life again at a Kinto.
  func testWhatWasDeletedThereIsNotMadeAgain() throws {
    try makeUsed()
    try ask("DELETE", "buckets/home/collections/note/records/eggs")
    let report = try documents("republish", "a.db", "--json", ends: 0).object
    XCTAssertEqual((report["sent"] as? [Any])?.count, 0)
    try sync("a.db")
    XCTAssertEqual(try documents("get", "a.db", "eggs").status, 1)
  }

  /// As from a backup: other times, older than what is here.
  func testWhatIsOlderIsListedAndSentOnDemand() throws {
    try makeUsed()
    try flush()
    try ask("PUT", "buckets/home")
    try ask("PUT", "buckets/home/collections/note")
    let old = #"{"data": {"text": "old", "last_modified": 1000}}"#
    try ask("PUT", "buckets/home/collections/note/records/milk", old)
    let first = try documents("republish", "a.db", ends: 2)
    XCTAssertTrue(first.said.contains("milk of note is at the server in the older version 1000"))
    XCTAssertTrue(first.said.contains("--newer"), first.said)
    XCTAssertEqual(try documents("get", "a.db", "milk").object["text"] as? String, "Milk")
    try documents("republish", "a.db", "--newer", ends: 0)
    let lost = try documents("lost", "a.db", "milk", "--json").object
    XCTAssertEqual((lost["value"] as? [String: Any])?["text"] as? String, "old")
    try sync("a.db", "b.db")
    XCTAssertEqual(try documents("get", "b.db", "milk").object["text"] as? String, "Milk")
  }

  func testWhyShowsTheServersLastAnswerWithoutThePassword() throws {
    try makeShared()
    try ask(
      "PATCH", "buckets/home/collections/note",
      #"{"data": {"schema": {"properties": {"n": {"type": "integer"}}}}}"#)
    try documents("put", "a.db", "note", "milk", #"{"n": "secret"}"#)
    try documents("sync", "a.db", ends: 2)
    let told = try documents("why", "a.db", "milk", "--answers", ends: 0).printed
    XCTAssertTrue(told.contains("the server's last answer, at "), told)
    XCTAssertTrue(told.contains("\nPUT http://127.0.0.1:"), told)
    XCTAssertTrue(told.contains("/records/milk\n400\n"), told)
    XCTAssertTrue(told.contains(#""errno":107"#), told)
    XCTAssertFalse(told.contains("secret"), told)
    XCTAssertFalse(try documents("why", "a.db", "milk").printed.contains("errno"))
    try documents("why", "a.db", "none", "--answers", ends: 1)
  }
}
