import SyncLock
import TestSupport
import XCTest

/// The program and a service that makes the keys of its rows itself, which are numbers.
final class ServiceKeysTests: DocumentsTestCase {
  private struct Service: Sendable {
    var rows: [String: [Int: String]] = [:]
    var last = 0
    /// Whether the next row is made and its answer doesn't come.
    var losesAnswer = false
    /// How many rows a page has.
    var pageSize = 100

    /// The status and the body of the answer; `nil` for none.
    mutating func answer(_ method: String, _ path: String, _ body: String) -> (String, String)? {
      let parts = path.split(separator: "?")
      let steps = parts[0].split(separator: "/").map(String.init)
      let (model, key) = (steps[1], steps.count > 2 ? Int(steps[2]) : nil)
      switch (method, key) {
      case ("POST", nil):
        last += 1
        let made = row(last, body)
        rows[model, default: [:]][last] = made
        defer { losesAnswer = false }
        return losesAnswer ? nil : ("201 Made", made)
      case ("GET", nil): return ("200 OK", list(model, parts.count > 1 ? String(parts[1]) : ""))
      case ("GET", let key?): return rows[model]?[key].map { ("200 OK", $0) } ?? ("404 No", "{}")
      case ("PUT", let key?) where rows[model]?[key] != nil:
        let changed = row(key, body)
        rows[model]?[key] = changed
        return ("200 OK", changed)
      case ("DELETE", let key?):
        return rows[model]?.removeValue(forKey: key) == nil ? ("404 No", "{}") : ("204 Gone", "")
      default: return ("404 No", "{}")
      }
    }

    private func list(_ model: String, _ query: String) -> String {
      let page = query.split(separator: "=").last.flatMap { Int($0) } ?? 1
      let all = (rows[model] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
      let part = all.dropFirst((page - 1) * pageSize).prefix(pageSize)
      return "{\"count\": \(all.count), \"results\": [\(part.joined(separator: ","))]}"
    }

    private func row(_ key: Int, _ body: String) -> String {
      let rest = body.dropFirst().drop { $0 == " " }
      return body.contains("\"id\"") ? body : "{\"id\": \(key)\(rest == "}" ? "" : ", ")\(rest)"
    }
  }

  private let service = Locked(Service())
  private var address = ""

  override func setUpWithError() throws {
    try super.setUpWithError()
    let server = try RawServer { [service] connection, request in
      let body = String(decoding: connection.readBody(of: request), as: UTF8.self)
      let answer = service.withLock { $0.answer(request.method, request.path, body) }
      guard let (status, text) = answer else { return false }
      return connection.send(
        "HTTP/1.1 \(status)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
    }
    addTeardownBlock { server.stop() }
    address = server.url("/api")
  }

  private func begin(_ store: String, _ options: [String] = []) throws {
    let words = [
      "init", store, "--rest", address, "--rows", "results", "--model", "list", "--model", "task",
      "--server-keys", "--reference", "list=list",
    ]
    let child = try start(words + options)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  private func put(
    _ type: String, in store: String = "a.db", _ json: String
  ) throws -> String {
    String(try documents("put", store, type, json).printed.dropLast())
  }

  private func rows(_ model: String) -> [String] {
    service.withLock { $0.rows[model]?.sorted { $0.key < $1.key }.map(\.value) ?? [] }
  }

  func testADocumentHasTheServicesKeyOnceItIsSentAndIsFoundByBoth() throws {
    for (store, options) in [("a.db", [String]()), ("c.db", ["--numeric-keys"])] {
      service.withLock { $0 = Service() }
      try begin(store, options)
      let id = try put("task", in: store, #"{"text": "milk"}"#)
      XCTAssertTrue(try documents("sync", store, ends: 0).printed.contains("1 sent"))
      XCTAssertEqual(try documents("list", store).printed, "1\n")
      let shown = try documents("get", store, id).printed
      XCTAssertTrue(shown.contains(#""id":"1""#), shown)
      XCTAssertEqual(try documents("get", store, "1").printed, shown)
      try documents("put", store, "task", id, #"{"text": "oat milk"}"#)
      try documents("sync", store, ends: 0)
      XCTAssertEqual(rows("task").count, 1)
      XCTAssertTrue(rows("task")[0].contains("oat milk"))
      XCTAssertTrue(try documents("sync", store, ends: 0).printed.contains("in step"))
      try begin("b\(store)", options)
      try documents("sync", "b\(store)", ends: 0)
      XCTAssertEqual(
        try documents("digest", store).printed, try documents("digest", "b\(store)").printed)
    }
  }

  /// The digest of the same rows was another one in a store that was told that keys are numbers.
  func testADigestIsTheSameWhetherOrNotKeysAreSaidToBeNumbers() throws {
    try begin("a.db")
    try begin("c.db", ["--numeric-keys"])
    _ = try put("task", #"{"text": "milk"}"#)
    _ = try put("task", in: "c.db", #"{"text": "tea"}"#)
    for store in ["a.db", "c.db", "a.db"] { try documents("sync", store, ends: 0) }
    XCTAssertEqual(try documents("list", "c.db").lines, ["1", "2"])
    XCTAssertEqual(try documents("digest", "a.db").printed, try documents("digest", "c.db").printed)
  }

  /// Rows came with a column that no table had: a strict service refuses those.
  func testARowDoesntSayItsTypeUnlessAModelHasSeveralOrTheDocumentDoes() throws {
    try begin("a.db")
    let id = try put("task", #"{"text": "milk"}"#)
    XCTAssertTrue(try documents("get", "a.db", id).printed.contains(#""docType":"task""#))
    try documents(
      "import", "a.db", input: #"{"id": "x", "docType": "task", "text": "tea"}"#, ends: 0)
    _ = try put("task", #"{"docType": "task", "text": "oil"}"#)
    try documents("sync", "a.db", ends: 0)
    XCTAssertEqual(rows("task").map { $0.contains("docType") }, [false, false, true])
    try documents("put", "a.db", "task", "1", #"{"docType": "task", "text": "oat milk"}"#, ends: 0)
    try documents("sync", "a.db", ends: 0)
    XCTAssertFalse(rows("task")[0].contains("docType"), "what is printed may be put back")
    try begin("b.db", ["--type", "chore=task"])
    try documents("sync", "b.db", ends: 0)
    for type in ["task", "chore"] { _ = try put(type, in: "b.db", "{}") }
    try documents("sync", "b.db", ends: 0)
    XCTAssertEqual(rows("task").suffix(2).map { $0.contains("docType") }, [true, true])
  }

  /// It was told to send again what it then refused to send.
  func testWhatCannotBeSentAgainIsNotProposed() throws {
    try begin("a.db")
    for number in 1...5 { _ = try put("task", "{\"n\": \(number)}") }
    try documents("sync", "a.db", ends: 0)
    service.withLock { $0.rows = [:] }
    for words in [["sync", "a.db"], ["status", "a.db"]] {
      let outcome = try start(words).outcome()
      let said = outcome.said + outcome.printed
      XCTAssertTrue(said.contains("can't be made there again under the same keys"), said)
      XCTAssertFalse(said.contains("republish"), said)
    }
    try documents("republish", "a.db", ends: 1, says: "nothing was sent again")
  }

  func testAReferenceNamesTheServicesKey() throws {
    try begin("a.db")
    let list = try put("list", #"{"name": "shop"}"#)
    let task = try put("task", #"{"text": "milk", "list": "\#(list)"}"#)
    try documents("sync", "a.db", ends: 0)
    XCTAssertTrue(rows("task")[0].contains(#""list":1"#), rows("task")[0])
    XCTAssertTrue(try documents("get", "a.db", task).printed.contains(#""list":1"#))
    XCTAssertTrue(try documents("sync", "a.db", ends: 0).printed.contains("in step"))
  }

  func testACreationWithoutAnAnswerMakesOneRow() throws {
    try begin("a.db")
    let id = try put("task", #"{"text": "milk"}"#)
    service.withLock { $0.losesAnswer = true }
    try documents("sync", "a.db", "--push")
    try documents("put", "a.db", "task", id, #"{"text": "oat milk"}"#)
    try documents("sync", "a.db", "--now", ends: 0)
    XCTAssertEqual(rows("task").count, 1)
    XCTAssertTrue(rows("task")[0].contains("oat milk"), rows("task")[0])
    XCTAssertTrue(try documents("why", "a.db", id).printed.contains("the server made its key"))
  }

  /// A number that nobody has here is as likely somebody else's row as a name for a new document.
  func testANumberThatIsNotHereIsNoNameForANewDocument() throws {
    try begin("a.db")
    for words in [["put", "a.db", "task", "4"], ["stash", "a.db", "task", "4"]] {
      let said = try start(words + [#"{"text": "draft"}"#]).outcome()
      XCTAssertEqual(said.end, .exited(1), said.said)
      XCTAssertTrue(said.said.contains("'4' isn't here, and the service gives"), said.said)
    }
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "0\n")
    service.withLock { $0.rows["task"] = [4: #"{"id": 4, "text": "theirs"}"#] }
    try documents("fetch", "a.db", "4", ends: 0)
    try documents("put", "a.db", "task", "4", #"{"text": "mine"}"#, ends: 0)
    try documents("sync", "a.db", ends: 0)
    XCTAssertTrue(rows("task")[0].contains("mine"), rows("task")[0])
    XCTAssertEqual(try documents("put", "a.db", "task", "milk", "{}").status, 0)
  }

  func testPagesByNumberAreReadToTheEnd() throws {
    try begin("a.db", ["--page-param", "page"])
    service.withLock { service in
      service.pageSize = 2
      for number in 1...5 { service.rows["task", default: [:]][number] = "{\"id\": \(number)}" }
    }
    try documents("sync", "a.db", ends: 0)
    XCTAssertEqual(try documents("list", "a.db", "--count").printed, "5\n")
    service.withLock { _ = $0.rows["task"]?.removeValue(forKey: 4) }
    try documents("sync", "a.db", ends: 0)
    XCTAssertEqual(try documents("list", "a.db").printed, "1\n2\n3\n5\n")
  }

  func testOneDocumentIsFetched() throws {
    try begin("a.db")
    service.withLock { $0.rows["task"] = [1: #"{"id": 1, "text": "milk"}"#, 2: #"{"id": 2}"#] }
    let shown = try documents("fetch", "a.db", "1", ends: 0).printed
    XCTAssertTrue(shown.contains(#""text":"milk""#), shown)
    XCTAssertEqual(try documents("list", "a.db").printed, "1\n")
    service.withLock { $0.rows = [:] }
    let gone = try documents("fetch", "a.db", "1", ends: 1)
    XCTAssertTrue(gone.said.contains("the server has no document '1'"), gone.said)
    XCTAssertEqual(try documents("list", "a.db").printed, "1\n")
  }

  func testWhatCannotBeIsAMistakeOfTheCommandLine() throws {
    for words in [
      ["--server-keys"], ["--kinto", "http://x", "--bucket", "b", "--type", "t", "--server-keys"],
      ["--rest", "http://x", "--model", "t", "--natural-key", "n"],
      ["--rest", "http://x", "--model", "t", "--reference", "list=lists"],
      ["--rest", "http://x", "--model", "t", "--reference", "list"],
      ["--rest", "http://x", "--model", "t", "--cursor", "c"],
      ["--rest", "http://x", "--model", "t", "--page-param", "p", "--offset-param", "o"],
    ] {
      let child = try start(["init", "c.db"] + words)
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(64), "\(words): \(child.said)")
    }
  }
}
