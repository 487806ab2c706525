import Foundation
import SyncLock
import TestSupport
import XCTest

/// Servers that answer what no Kinto does: a sentence says so, and nothing here changes.
final class StrangeServerTests: DocumentsTestCase {
  /// An answer of a server: status, fields and body.
  private struct Answer: Sendable {
    var status = "200 OK"
    var fields: [String] = []
    var body: String

    var text: String {
      let lines = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.utf8.count)"]
      return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }
  }

  private let greeting = Answer(
    body: #"{"http_api_version": "1.22", "settings": {"batch_max_requests": 25}}"#)
  private let home = Answer(body: #"{"data": {"id": "note", "last_modified": 1}}"#)
  /// What is asked for, by the end of its path.
  private let answers = Locked<[(part: String, answer: Answer)]>([])
  private var server: RawServer?

  /// A store with a document that the server has, and one that is to be sent.
  private func makeSynced(_ greeting: Answer? = nil) throws {
    let server = try RawServer { [answers] connection, request in
      _ = connection.readBody(of: request)
      let found = answers.withLock { $0 }.first { request.path.contains($0.part) }?.answer
      return connection.send((found ?? Answer(status: "500 No", body: "")).text)
    }
    addTeardownBlock { server.stop() }
    self.server = server
    let list = records(#"[{"id": "milk", "last_modified": 10, "n": 1}]"#, changed: 10)
    serve(list, greeting: greeting)
    try documents("init", "a.db", "--kinto", server.url(""), "--bucket", "home", "--type", "note")
    try documents("sync", "a.db", ends: 0)
  }

  private func records(_ list: String, changed: Int, _ fields: String...) -> Answer {
    Answer(fields: ["ETag: \"\(changed)\""] + fields, body: "{\"data\": \(list)}")
  }

  /// From now on, this is a list of records.
  private func serve(_ list: Answer, greeting: Answer? = nil) {
    answers.withLock { [self] in
      $0 = [("/records?", list), ("/collections/note", home), ("/v1/", greeting ?? self.greeting)]
    }
  }

  /// A sync that ends so, says this, and leaves the document as it was.
  private func sync(
    _ status: Int32, _ words: String, _ options: String..., file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    let child = try start(["sync", "a.db"] + options)
    XCTAssertEqual(
      try child.end(within: .seconds(60)), .exited(status), child.said, file: file, line: line)
    XCTAssertTrue(words.isEmpty || child.said.contains(words), child.said, file: file, line: line)
    let milk = try documents("get", "a.db", "milk").object
    XCTAssertEqual(milk["n"] as? Int, 1, file: file, line: line)
  }

  func testAPageOfHTMLIsNoList() throws {
    try makeSynced()
    serve(Answer(fields: ["ETag: \"11\"", "Content-Type: text/html"], body: "<html>Hello</html>"))
    try sync(1, "can't be understood")
  }

  func testAListThatIsCutOrOfAnotherTypeIsNoList() throws {
    try makeSynced()
    for list in [#"[{"id": "milk", "last_mod"#, "7", "null", #"{"a": 1}"#] {
      serve(records(list, changed: 11))
      try sync(1, "can't be understood")
    }
  }

  func testAnotherServersGreetingIsNoKintos() throws {
    try documents("init", "a.db", "--kinto", "http://127.0.0.1:9", "--bucket", "b")
    try makeSyncedWithout(greeting: Answer(body: "<html>"), "can't be understood")
    try makeSyncedWithout(greeting: Answer(body: #"{"name": "shop"}"#), "can't be understood")
    try makeSyncedWithout(greeting: Answer(status: "404 No", body: ""), "404")
  }

  private func makeSyncedWithout(greeting: Answer, _ words: String) throws {
    let server = try RawServer { connection, _ in connection.send(greeting.text) }
    defer { server.stop() }
    let store = "\(UUID().uuidString).db"
    try documents("init", store, "--kinto", server.url(""), "--bucket", "home", "--type", "note")
    try documents("put", store, "note", "milk", "{}")
    let outcome = try documents("sync", store, ends: 1)
    XCTAssertTrue(outcome.said.contains(words), outcome.said)
    XCTAssertEqual(try documents("status", store, "--json").object["outbox"] as? Int, 1)
  }

  func testRecordsThatAreNoneAreFailuresAndTheOthersAreTaken() throws {
    try makeSynced()
    serve(
      records(
        #"[7, {"last_modified": 11}, {"id": "bread", "last_modified": 12, "n": 2}]"#, changed: 12))
    try sync(2, "no id")
    XCTAssertEqual(try documents("list", "a.db").lines, ["bread", "milk"])
  }

  /// What others call a file was printed as it is: it could rewrite what stands in a terminal.
  func testWhatAServerCallsAFileCannotSteerTheTerminal() throws {
    let files = #""settings": {}, "capabilities": {"attachments": {}}"#
    try makeSynced(Answer(body: #"{"http_api_version": "1.22", \#(files)}"#))
    let digest = String(repeating: "a", count: 64)
    let file = #"[{"file": "sha256:\#(digest)", "size": 1, "name": "\u001b]0;a\u0007"}]"#
    serve(records(#"[{"id": "eggs", "last_modified": 11, "f": \#(file)}]"#, changed: 11))
    let other = #"{"data": {"attachment": {"location": "a", "hash": "b", "size": 1}}}"#
    answers.withLock { $0.insert(("/note-files/", Answer(body: other)), at: 0) }
    try sync(2, "eggs: the file \\x1B]0;a\\x07: the server has another content under its name")
  }

  func testANextPageAtAnotherServerIsNotFollowed() throws {
    try makeSynced()
    serve(records("[]", changed: 12, "Next-Page: http://127.0.0.1:1/v1/elsewhere"))
    try sync(1, "another server")
  }

  func testVersionsThatGoBackwardsAreARestoredServerAndNothingIsLost() throws {
    try makeSynced()
    serve(records(#"[{"id": "milk", "last_modified": 5, "n": 1}]"#, changed: 5))
    try sync(0, "forgotten")
    try sync(0, "")
  }

  func testAServerThatWantsToBeLeftAloneIsUntilThenUnlessSomebodySaysNow() throws {
    try makeSynced()
    serve(Answer(status: "503 Later", fields: ["Retry-After: 1000"], body: "{}"))
    try sync(1, "left alone until 20")
    let count = try XCTUnwrap(server).requests.count
    try sync(75, "--now")
    XCTAssertEqual(server?.requests.count, count, "nothing is sent")
    serve(records("[]", changed: 10))
    try sync(0, "", "--now")
  }

  func testAServerInTroubleIsTriedThreeTimes() throws {
    try makeSynced()
    serve(Answer(status: "502 No", body: ""))
    let count = try XCTUnwrap(server).requests.count
    try sync(1, "in trouble (502)")
    XCTAssertEqual(try XCTUnwrap(server).requests.count - count, 3)
  }
}
