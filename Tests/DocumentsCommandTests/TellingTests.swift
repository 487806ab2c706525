import SyncLock
import TestSupport
import XCTest

/// What is told of documents that don't get to their server: by the name that somebody gave them,
/// in one way, with what to do about it.
final class TellingTests: DocumentsTestCase {
  /// What the service answers to creations, and to everything.
  private let statuses = Locked((creation: "422 No", all: ""))
  private let rows = Locked("[]")

  private func serve() throws -> String {
    let server = try RawServer { [statuses, rows] connection, request in
      _ = connection.readBody(of: request)
      let (creation, all) = statuses.withLock { $0 }
      let isList = request.method == "GET"
      let text = isList ? rows.withLock { $0 } : #"{"detail": "no such thing"}"#
      let status = all.isEmpty ? (isList ? "200 OK" : creation) : all
      return connection.send(
        "HTTP/1.1 \(status)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
    }
    addTeardownBlock { server.stop() }
    return server.url("/api")
  }

  private func initialize(_ store: String, _ words: String..., at address: String) throws {
    let child = try start(["init", store, "--rest", address, "--model", "task"] + words)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  // MARK: - By which name

  /// The id that was made for it until the server makes one was all that was told.
  func testADocumentIsToldByTheNameThatItWasSavedUnder() throws {
    try initialize("a.db", "--server-keys", at: serve())
    try documents("put", "a.db", "task", "milk", "{}")
    try documents("put", "a.db", "task", "tea", "{}", "--after", "milk")
    let circle = try documents("put", "a.db", "task", "milk", "{}", "--after", "tea", ends: 1)
    XCTAssertTrue(circle.said.contains("each other: milk, tea, milk"), circle.said)
    let synced = try documents("sync", "a.db", ends: 2)
    XCTAssertTrue(synced.said.contains("milk: the server refused it (422)"), synced.said)
    XCTAssertTrue(synced.said.contains("--retry': milk."), synced.said)
    let status = try documents("status", "a.db").printed
    XCTAssertTrue(status.contains("'documents sync --retry': milk\n"), status)
    let tea = try documents("status", "a.db", "tea").printed
    XCTAssertTrue(tea.contains("it waits for milk (set aside)"), tea)
  }

  // MARK: - In one way

  func testWhatMetTroubleIsToldAlikeWhoeverAsks() throws {
    statuses.withLock { $0.creation = "501 No" }
    try initialize("a.db", "--server-keys", at: serve())
    try documents("put", "a.db", "task", "milk", "{}")
    let sentence = "the server is in trouble (501); it waits, and a later sync tries it again"
    let synced = try documents("sync", "a.db", ends: 2)
    XCTAssertTrue(synced.said.contains("milk: \(sentence)."), synced.said)
    XCTAssertEqual(
      try documents("status", "a.db", "milk").lines, ["milk is created: \(sentence)"])
    let why = try documents("why", "a.db", "milk")
    XCTAssertEqual(why.lines.last, "what is here isn't at the server: \(sentence)")
    XCTAssertFalse(why.printed.contains("no answer came"), why.printed)
  }

  func testWhatIsSetAsideIsntCountedAmongWhatWaits() throws {
    try initialize("a.db", at: serve())
    try documents("put", "a.db", "task", "milk", "{}")
    try documents("sync", "a.db", ends: 2)
    var lines = try documents("status", "a.db").lines
    XCTAssertTrue(lines[2].hasPrefix("1 not sent yet, the oldest for "), lines[2])
    XCTAssertTrue(lines[2].hasSuffix("; none of them wait for a sync"), lines[2])
    try documents("put", "a.db", "task", "tea", "{}")
    lines = try documents("status", "a.db").lines
    XCTAssertTrue(lines[2].hasSuffix("; 1 of them waits for a sync"), lines[2])
    XCTAssertTrue(lines[3].hasPrefix("1 set aside; "), lines[3])
  }

  func testALifeIsToldToPrograms() throws {
    try initialize("a.db", at: serve())
    try documents("put", "a.db", "task", "milk", #"{"n": 1}"#)
    try documents("sync", "a.db", ends: 2)
    let outcome = try documents("why", "a.db", "milk", "--json", ends: 0)
    XCTAssertEqual(outcome.lines.count, 1)
    let life = outcome.object
    let moments = try XCTUnwrap(life["moments"] as? [[String: Any]])
    XCTAssertEqual(moments.map { $0["what"] as? String }, ["made", "sent", "refused"])
    XCTAssertEqual(
      moments.last?["sentence"] as? String, "the server refused it (422): no such thing")
    XCTAssertEqual(moments.compactMap { $0["when"] as? String }.count, 3)
    XCTAssertNil(life["answer"])
    let status = try documents("status", "a.db", "milk", "--json").object
    for member in ["id", "type", "state", "problem", "reason"] {
      XCTAssertEqual(life[member] as? String, status[member] as? String, member)
    }
    let whole = try documents("why", "a.db", "milk", "--json", "--answers").object
    let answer = try XCTUnwrap(whole["answer"] as? [String: Any])
    XCTAssertEqual(answer["status"] as? Int, 422)
    XCTAssertEqual(answer["body"] as? String, #"{"detail": "no such thing"}"#)
    try documents("why", "a.db", "tea", "--json", ends: 1)
    try documents("put", "a.db", "task", "tea", "{}")
    let none = try documents("why", "a.db", "tea", "--json", "--answers").object
    XCTAssertTrue(none["answer"] is NSNull, "\(none)")
  }

  /// "Documents are kept in the collection", it said, where none was.
  func testWhatStillWaitsOfATypeIsToldWhereItIsGivenAnotherCollection() throws {
    rows.withLock { $0 = #"[{"id": "milk", "n": 1}]"# }
    let address = try serve()
    try initialize("a.db", at: address)
    try documents("sync", "a.db", ends: 0)
    let words = ["init", "a.db", "--rest", address, "--type", "task=todo"]
    try start(words).outcome().check(ends: 1, says: "are kept in the collection 'task'")
    try documents("delete", "a.db", "milk", ends: 0)
    try start(words).outcome().check(ends: 1, says: "a deletion or a file of the type 'task' waits")
  }

  func testAKeyThatIsNoNumberIsToldWithTheOptionThatSaysSo() throws {
    rows.withLock { $0 = #"[{"id": "milk", "n": 1}]"# }
    try initialize("a.db", "--numeric-keys", at: serve())
    let said = try documents("sync", "a.db", ends: 2).said
    XCTAssertTrue(said.contains(#"its key "id", "milk", is no whole number"#), said)
    XCTAssertTrue(said.contains("--numeric-keys"), said)
  }

  // MARK: - With what to do

  func testWhoIsntLetInIsToldWhatTheStoreUses() throws {
    statuses.withLock { $0.all = "401 No" }
    let address = try serve()
    try initialize("ann.db", "--account", "ann", "--password-file", "pw", at: address)
    try initialize("nobody.db", at: address)
    try writePrivately("secret", to: "pw")
    let ann = try documents("sync", "ann.db", ends: 1).said
    XCTAssertTrue(ann.contains("the password of 'ann'"), ann)
    XCTAssertTrue(ann.contains("the file \(folder.appending(path: "pw").path);"), ann)
    XCTAssertFalse(ann.contains("--header"), ann)
    let nobody = try documents("sync", "nobody.db", ends: 1).said
    XCTAssertTrue(nobody.contains("--account NAME"), nobody)
    XCTAssertTrue(nobody.contains("--password-file"), nobody)
    for command in ["sync", "fetch"] {
      let words = [command, "nobody.db"] + (command == "fetch" ? ["milk"] : [])
      let header = try start(words + ["--header", "X-Key: 7"]).outcome().said
      XCTAssertTrue(header.contains("what --header gives"), header)
    }
    environment["DOCUMENTS_PASSWORD"] = "secret"
    let token = try documents("fetch", "nobody.db", "milk", ends: 1).said
    XCTAssertTrue(token.contains("doesn't accept the token"), token)
    XCTAssertTrue(token.contains("taken from DOCUMENTS_PASSWORD"), token)
  }

  /// They ended as if all had gone well.
  func testADocumentThatNobodyKnowsIsToldAsThat() throws {
    try initialize("a.db", at: serve())
    try documents("put", "a.db", "task", "milk", "{}")
    let unknown = "nothing is known of a document 'nonsense'"
    try documents("lost", "a.db", "nonsense", ends: 1, says: unknown)
    try documents("lost", "a.db", "milk", ends: 0)
    try documents("sync", "a.db", "--retry", "nonsense", ends: 1, says: unknown)
    try documents("sync", "a.db", "--retry", "milk", ends: 2, says: "of 'milk' is set aside")
    try documents("detach", "a.db", "nonsense", "picture", ends: 1, says: "no document 'nonsense'")
    try documents("detach", "a.db", "milk", "picture", ends: 1, says: "no file in its member")
  }

  /// SQLite says that the disk fails.
  func testAFolderIsNoStore() throws {
    for words in [["get", ".", "milk"], ["init", ".", "--kinto", "http://a", "--bucket", "b"]] {
      let outcome = try start(words).outcome()
      XCTAssertEqual(outcome.status, 1)
      XCTAssertTrue(outcome.said.contains("it's a folder; name a file"), outcome.said)
    }
  }
}
