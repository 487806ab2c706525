import SyncLock
import TestSupport
import XCTest

/// What a sync says it has done, and how it ends.
///
/// A document whose every send was answered with 500 was "in step: nothing to send", status 0; so
/// were documents that were held back, hidden, or waited for others.
final class InStepTests: DocumentsTestCase {
  private struct Answer: Sendable {
    var status = "200 OK"
    var fields: [String] = []
    var body = "[]"

    var text: String {
      (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields)
        .joined(separator: "\r\n") + "\r\n\r\n" + body
    }
  }

  private let list = Locked(Answer())
  private let write = Locked(Answer())
  private var server: RawServer?

  override func setUpWithError() throws {
    try super.setUpWithError()
    let server = try RawServer { [list, write] connection, request in
      _ = connection.readBody(of: request)
      let answer = (request.method == "GET" ? list : write).withLock { $0 }
      return connection.send(answer.text)
    }
    addTeardownBlock { server.stop() }
    self.server = server
    try documents("init", "a.db", "--rest", server.url("/api"), "--model", "task")
  }

  private func rows(_ count: Int) -> Answer {
    Answer(body: "[" + (0..<count).map { "{\"id\": \"\($0)\"}" }.joined(separator: ",") + "]")
  }

  /// A sync that ends so, says this, and isn't in step.
  private func sync(
    _ status: Int32, _ words: String, _ options: String..., file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    let child = try start(["sync", "a.db"] + options)
    XCTAssertEqual(
      try child.end(within: .seconds(60)), .exited(status), child.said, file: file, line: line)
    let text = child.printed + child.said
    XCTAssertTrue(text.contains(words), text, file: file, line: line)
    XCTAssertFalse(text.contains("in step: nothing"), text, file: file, line: line)
    XCTAssertTrue(text.contains("'documents status' shows them"), text, file: file, line: line)
  }

  func testTroubleOfWhatIsSentIsTwoAndIsToldWithTheNextTry() throws {
    for status in ["500 No", "502 No", "507 Full", "429 Slowly"] {
      write.withLock { $0 = Answer(status: status, body: "{}") }
      try documents("put", "a.db", "task", "bad", "{\"n\": \"\(status)\"}")
      for options in [[], ["--push"]] {
        let child = try start(["sync", "a.db"] + options)
        XCTAssertEqual(try child.end(within: .seconds(60)), .exited(2), child.said)
        XCTAssertTrue(child.said.contains("a later sync tries it again"), child.said)
        XCTAssertTrue(child.printed.contains("1 waits to be sent"), child.printed)
      }
    }
    for n in 0..<4 { try documents("put", "a.db", "task", "more \(n)", "{}") }
    try sync(2, "5 wait to be sent")
  }

  func testTroubleOfTheListIsOne() throws {
    write.withLock { $0 = Answer(status: "500 No", body: "{}") }
    list.withLock { $0 = Answer(status: "500 No", body: "{}") }
    try documents("put", "a.db", "task", "bad", "{}")
    try sync(1, "1 waits to be sent")
  }

  func testAWaitThatTheListIsAnsweredIsTheServersTroubleInThatSync() throws {
    list.withLock {
      $0 = Answer(status: "429 Slowly", fields: ["Retry-After: 1000"], body: "{}")
    }
    for status in [1, 75] as [Int32] {
      let child = try start(["sync", "a.db"])
      XCTAssertEqual(try child.end(within: .seconds(60)), .exited(status), child.said)
      XCTAssertTrue(child.said.contains("left alone until 20"), child.said)
    }
  }

  func testAWaitThatASendIsAnsweredIsItsTroubleAndOnlyALaterSyncWaits() throws {
    write.withLock {
      $0 = Answer(status: "429 Slowly", fields: ["Retry-After: 1000"], body: "{}")
    }
    try documents("put", "a.db", "task", "bad", "{}")
    try sync(2, "left alone until 20")
    let count = try XCTUnwrap(server).requests.count
    try sync(75, "left alone until 20")
    XCTAssertEqual(server?.requests.count, count)
  }

  func testWhatIsHeldBackIsToldByASyncThatOnlySends() throws {
    list.withLock { $0 = rows(10) }
    XCTAssertEqual(try documents("sync", "a.db").status, 0)
    list.withLock { $0 = rows(1) }
    try sync(3, "9 held back")
    try sync(3, "9 held back", "--push")
    list.withLock { $0 = rows(10) }
    let last = try documents("sync", "a.db", ends: 0)
    XCTAssertTrue(last.printed.contains("in step"), last.printed)
  }

  func testWhatWaitsForAnotherIsNotInStep() throws {
    try documents("put", "a.db", "task", "child", "{}", "--after", "parent")
    try sync(0, "1 waits to be sent")
  }

  func testWhatCouldNotBeStoredIsToldByASyncThatOnlySends() throws {
    list.withLock { $0 = Answer(body: "[{\"text\": \"without a key\"}]") }
    try sync(2, "1 not stored here")
    try sync(2, "1 not stored here", "--push")
  }
}
