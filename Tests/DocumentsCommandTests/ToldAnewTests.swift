import Foundation
import TestSupport
import XCTest

/// Stores that are told something else with `init`, at a moment or by somebody where that matters.
///
/// As long as nothing was fetched, `init` changed collections and forms of rows also while a first
/// sync was under way, which then kept rows of the old ones.
final class ToldAnewTests: DocumentsTestCase {
  private let arrived = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)
  private var server: RawServer?

  override func setUpWithError() throws {
    try super.setUpWithError()
    let server = try RawServer { [arrived, gate] connection, request in
      _ = connection.readBody(of: request)
      arrived.signal()
      gate.wait()
      // Once it's open, it stays so.
      gate.signal()
      let rows = request.path.contains("/task") ? #"[{"id": "milk", "n": 1}]"# : "[]"
      return connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(rows.utf8.count)\r\n\r\n\(rows)")
    }
    addTeardownBlock { [gate] in
      gate.signal()
      server.stop()
    }
    self.server = server
    XCTAssertEqual(try initialize("--model", "task").status, 0)
  }

  private func initialize(_ words: String...) throws -> ProgramOutcome {
    let address = try XCTUnwrap(server).url("/api")
    return try start(["init", "a.db", "--rest", address] + words).outcome()
  }

  func testAStoreIsntToldAnewWhileItsFirstPageIsUnderWay() throws {
    let sync = try start(["sync", "a.db"])
    XCTAssertEqual(arrived.wait(timeout: .now() + 60), .success, sync.said)
    for words in [
      ["--type", "task=todo"], ["--model", "task", "--key", "nr"], ["--model", "task", "--latest"],
      ["--rest", "http://127.0.0.1:9/api", "--model", "task"], ["--account", "ann"],
    ] {
      let address = words[0] == "--rest" ? [] : ["--rest", try XCTUnwrap(server).url("/api")]
      let refused = try start(["init", "a.db"] + address + words).outcome()
      refused.check(ends: 75, says: "another sync or watch of this store is under way")
    }
    // Nothing of that concerns what is under way.
    XCTAssertEqual(try initialize("--model", "task").status, 0)
    XCTAssertEqual(try initialize("--type", "note").status, 0)
    gate.signal()
    XCTAssertEqual(try sync.end(within: .seconds(60)), .exited(0), sync.said)
    XCTAssertEqual(try documents("list", "a.db").lines, ["milk"])
    let late = try initialize("--type", "task=todo")
    late.check(ends: 1, says: "kept in the collection 'task'")
    try documents("sync", "a.db", ends: 0)
    XCTAssertEqual(try documents("get", "a.db", "milk", ends: 0).object["n"] as? Int, 1)
  }

  /// The store of somebody who has nothing in it isn't empty where somebody else has.
  func testAStoreInWhichAnotherAccountHasDocumentsIsInUse() throws {
    gate.signal()
    environment["DOCUMENTS_PASSWORD"] = "secret"
    XCTAssertEqual(try initialize("--model", "task", "--account", "ann").status, 0)
    try documents("sync", "a.db", ends: 0)
    XCTAssertEqual(try initialize("--model", "task", "--account", "bob").status, 0)
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "0\n")
    let words = ["init", "a.db", "--rest", "http://127.0.0.1:9/api", "--model", "task"]
    for account in ["ann", "bob"] {
      let refused = try start(words + ["--account", account]).outcome()
      refused.check(ends: 1, says: "nothing was changed")
    }
    try initialize("--type", "task=todo", "--account", "bob").check(ends: 1, says: "nothing was")
    try initialize("--no-type", "task", "--account", "bob").check(
      ends: 1, says: "a document of the type 'task', those of other accounts included")
    XCTAssertEqual(try initialize("--model", "task", "--account", "ann").status, 0)
    XCTAssertEqual(try documents("list", "a.db").lines, ["milk"])
  }

  /// What was deleted before it was sent has left its file for a while.
  func testAStoreWithAFileInItIsInUse() throws {
    try makeStore("b.db")
    try documents("put", "b.db", "note", "milk", "{}", ends: 0)
    try Data("content".utf8).write(to: folder.appending(path: "a.txt"))
    try documents("attach", "b.db", "milk", "file", "a.txt", ends: 0)
    try documents("delete", "b.db", "milk", ends: 0)
    try documents(
      "init", "b.db", "--kinto", "http://127.0.0.1:8", "--bucket", "home", "--type", "note",
      ends: 1, says: "nothing was changed")
  }

  /// To add a type, or nothing at all, took the filter away that wasn't named again.
  func testAFilterStaysThatIsntNamedAgain() throws {
    gate.signal()
    let filter = ["--filter", "status=open"]
    XCTAssertEqual(try initialize("--model", "task", filter[0], filter[1]).status, 0)
    XCTAssertEqual(try initialize("--model", "task").status, 0)
    try documents("sync", "a.db", ends: 0)
    let paths = try XCTUnwrap(server).requests.map(\.path)
    XCTAssertTrue(!paths.isEmpty && paths.allSatisfy { $0.contains("status=open") }, "\(paths)")
  }
}
