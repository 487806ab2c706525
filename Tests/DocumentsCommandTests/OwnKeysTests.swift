import SyncLock
import TestSupport
import XCTest

/// Services that make the keys of their rows themselves.
///
/// The answer to a creation named another key than was sent: it counted as none, and each sync made
/// more rows of one document.
final class OwnKeysTests: DocumentsTestCase {
  /// What becomes of the next creation.
  private enum Fate: Sendable {
    /// It's made and answered.
    case answered
    /// It's made, and no answer comes.
    case lost
    /// It's made, and its answer can't be understood.
    case garbled
    /// It's made, and the answer has this status.
    case troubled(String)
    /// It isn't made, and no answer comes.
    case untaken
    /// It isn't made, and the answer has this status.
    case refused(String)
  }

  private struct Service: Sendable {
    var makesKeys = true
    var fates: [Fate] = []
    var rows: [(key: Int, row: String)] = []
    /// Its list has no rows, and says that it goes on.
    var isCut = false

    var list: String { isCut ? "[]" : "[" + rows.map(\.row).joined(separator: ",") + "]" }

    func row(_ key: Int) -> String? { rows.first { $0.key == key }?.row }

    /// The status and the body of the answer; `nil` for none.
    mutating func make(_ body: String) -> (String, String)? {
      let fate = fates.isEmpty ? .answered : fates.removeFirst()
      switch fate {
      case .untaken: return nil
      case .refused(let status): return (status, "{}")
      case .answered, .lost, .garbled, .troubled: break
      }
      let key = makesKeys ? rows.count + 1 : 7
      var row = body.replacing(#""id":"7""#, with: #""id":\#(key)"#)
      if makesKeys { row.replace(#""text":"#, with: #""colour":"white","text":"#) }
      rows.append((key, row))
      switch fate {
      case .answered: return ("201 Made", row)
      case .garbled: return ("201 Made", "<html>")
      case .troubled(let status): return (status, "{}")
      case .lost, .untaken, .refused: return nil
      }
    }
  }

  /// Answers after which nobody knows whether it was made.
  private static let troubles = ["500 No", "502 No", "503 No", "504 No", "507 No"]

  private let service = Locked(Service())
  private var server: RawServer?

  override func setUpWithError() throws {
    try super.setUpWithError()
    let server = try RawServer { [service] connection, request in
      let body = String(decoding: connection.readBody(of: request), as: UTF8.self)
      let answer = service.withLock { service -> (String, String)? in
        if request.method == "POST" { return service.make(body) }
        guard request.method == "GET" else { return ("405 No", "{}") }
        guard let key = Int(request.path.split(separator: "/").last ?? "") else {
          return ("200 OK" + (service.isCut ? "\r\nX-Has-More: true" : ""), service.list)
        }
        return service.row(key).map { ("200 OK", $0) } ?? ("404 No", "{\"error\": \"none\"}")
      }
      guard let (status, text) = answer else { return false }
      return connection.send(
        "HTTP/1.1 \(status)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
    }
    addTeardownBlock { server.stop() }
    self.server = server
    try documents("init", "a.db", "--rest", server.url("/api"), "--model", "task")
    try documents("put", "a.db", "task", "7", #"{"text": "milk"}"#)
  }

  private var creations: Int {
    server?.requests.count { $0.method == "POST" } ?? 0
  }

  /// How often its list was asked for.
  private var lists: Int {
    server?.requests.count { $0.method == "GET" && !$0.path.hasSuffix("/7") } ?? 0
  }

  private var keys: [Int] { service.withLock { $0.rows.map(\.key) } }

  private func list() throws -> String { try documents("list", "a.db").printed }

  @discardableResult
  private func sync(
    _ status: Int32, _ options: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws -> String {
    let child = try start(["sync", "a.db", "--now"] + options)
    XCTAssertEqual(
      try child.end(within: .seconds(60)), .exited(status), child.said, file: file, line: line)
    return child.printed + child.said
  }

  func testWhatAServiceMadeUnderAnotherKeyIsSetAsideAndSentOnce() throws {
    let said = try sync(2)
    XCTAssertTrue(said.contains("makes its keys itself, and made '1' of it"), said)
    XCTAssertTrue(said.contains("delete it here"), said)
    XCTAssertTrue(said.contains("as with 'documents init … --server-keys', and it's '1'"), said)
    for _ in 0..<2 {
      XCTAssertTrue(try sync(2).contains("1 set aside"))
      XCTAssertEqual(try list(), "7\n", "two documents for one")
    }
    let why = try documents("why", "a.db", "7").printed
    XCTAssertTrue(why.contains("made '1' of it"), why)
    XCTAssertTrue(why.contains("as with 'documents init … --server-keys'"), why)
    try documents("put", "a.db", "task", "7", #"{"text": "oat milk"}"#)
    try sync(2)
    XCTAssertEqual(creations, 1)
    XCTAssertTrue(try documents("get", "a.db", "7").printed.contains("oat milk"))
  }

  func testItComesUnderTheServicesKeyOnceItIsDeletedHere() throws {
    try sync(2)
    try documents("delete", "a.db", "7")
    try sync(0)
    XCTAssertEqual(try list(), "1\n")
    XCTAssertTrue(try sync(0).contains("in step"))
    XCTAssertEqual(creations, 1)
  }

  func testACreationThatLedElsewhereIsLookedForFirst() throws {
    service.withLock { $0.fates = [.troubled("302 Elsewhere")] }
    try sync(1)
    XCTAssertTrue(try sync(2).contains("1 set aside"))
    XCTAssertEqual(creations, 1)
  }

  func testItIsSentAgainOnDemand() throws {
    try sync(2)
    try sync(2, "--retry", "7")
    XCTAssertEqual(keys, [1, 2])
  }

  func testACreationWithoutAnAnswerIsFoundUnderTheServicesKey() throws {
    for fate in [Fate.lost, .garbled] + Self.troubles.map({ .troubled($0) }) {
      service.withLock { $0.fates = [fate] }
      let made = creations
      for _ in 0..<2 {
        let said = try sync(2)
        XCTAssertTrue(said.contains("1 set aside"), said)
      }
      XCTAssertEqual(creations - made, 1, "\(fate)")
      XCTAssertEqual(try list(), "7\n", "two documents for one")
      try documents("delete", "a.db", "7")
      service.withLock { $0.rows = [] }
      try sync(0)
      try documents("put", "a.db", "task", "7", #"{"text": "milk"}"#)
    }
  }

  func testACreationWithoutAnAnswerThatIsNowhereIsSentAgainAfterALook() throws {
    for fate in [Fate.untaken] + Self.troubles.map({ .refused($0) }) {
      service.withLock { ($0.makesKeys, $0.fates, $0.rows) = (false, [fate], []) }
      let before = server?.requests.count ?? 0
      XCTAssertTrue(try sync(0).contains("1 sent"))
      let requests = server?.requests.dropFirst(before).map { "\($0.method) \($0.path)" } ?? []
      XCTAssertEqual(
        requests, ["POST /api/task", "GET /api/task", "GET /api/task/7", "POST /api/task"],
        "\(fate)")
      XCTAssertEqual(keys, [7])
      service.withLock { $0.rows = [] }
      try sync(0)
      try documents("put", "a.db", "task", "7", #"{"text": "milk"}"#)
    }
  }

  /// It was sent four times: the look between began the count anew.
  func testACreationThatMeetsTroubleIsSentThreeTimesInOneSyncAtMost() throws {
    for status in Self.troubles + ["429 Slowly", "408 Late"] {
      service.withLock {
        ($0.makesKeys, $0.fates) = (false, Array(repeating: .refused(status), count: 99))
      }
      let before = creations
      XCTAssertTrue(try sync(2).contains("1 waits to be sent"), status)
      XCTAssertTrue((2...3).contains(creations - before), "\(creations - before) for \(status)")
      service.withLock { $0.fates = [] }
      XCTAssertTrue(try sync(0).contains("1 sent"), status)
      XCTAssertEqual(keys, [7])
      service.withLock { $0.rows = [] }
      try sync(0)
      try documents("put", "a.db", "task", "7", #"{"text": "milk"}"#)
    }
  }

  /// A part of the list that doesn't show it says nothing of it; nor does its own id, where the
  /// service may have given it another one.
  func testWhatMayHaveBeenMadeIsNotSentAgainAfterAPartOfTheListButOnDemand() throws {
    service.withLock { ($0.fates, $0.isCut) = ([.troubled("500 No")], true) }
    XCTAssertTrue(try sync(2).contains("1 waits to be sent"))
    let lists = lists
    XCTAssertTrue(try sync(2).contains("1 waits to be sent"))
    XCTAssertEqual(self.lists, lists + 1, "one list is one look")
    XCTAssertEqual(creations, 1)
    try sync(2, "--retry")
    XCTAssertEqual(creations, 1, "it wasn't named")
    service.withLock { $0.fates = [.troubled("500 No")] }
    try sync(2, "--retry", "7")
    XCTAssertEqual(creations, 2)
    service.withLock { $0.isCut = false }
    XCTAssertTrue(try sync(2).contains("1 set aside"))
    XCTAssertEqual(creations, 2)
  }

  func testACreationWithoutAnAnswerUnderItsOwnKeyIsKnownAgain() throws {
    service.withLock { ($0.makesKeys, $0.fates) = (false, [.lost]) }
    XCTAssertTrue(try sync(0).contains("1 sent"))
    XCTAssertEqual(creations, 1)
    XCTAssertEqual(keys, [7])
  }

  func testASyncThatOnlySendsWaitsForTheLook() throws {
    service.withLock { $0.fates = [.lost] }
    for _ in 0..<2 {
      let said = try sync(2, "--push")
      XCTAssertTrue(said.contains("1 waits to be sent"), said)
    }
    let why = try documents("why", "a.db", "7").printed
    XCTAssertTrue(why.contains("finds out whether it was"), why)
    try sync(2)
    XCTAssertEqual(creations, 1)
  }
}
