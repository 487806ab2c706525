import Foundation
import OneWaySynchronizer
@testable import RecordSync
import SynchronizerTesting
import TestSupport
import XCTest

/// Payloads that come over HTTP, from a server that says what its script says.
final class AddressTests: XCTestCase {
  private func serve(_ script: @escaping FaultServer.Script) throws -> FaultServer {
    let server = try FaultServer(script)
    addTeardownBlock { server.stop() }
    return server
  }

  /// Answers each path with its page: the body, and its further headers.
  private func serve(_ pages: [String: (String, [(String, String)])]) throws -> FaultServer {
    try serve { request, _ in
      guard let (body, headers) = pages[request.path] else { return FaultAnswer(status: 404) }
      return FaultAnswer(text: body, headers: headers)
    }
  }

  private func database() throws -> TestDatabase {
    try TestDatabase("users: name TEXT; users = (1, 'Ann'), (2, 'Ben'), (3, 'Cid')")
  }

  private func sync(
    _ database: TestDatabase, _ url: String, items: String? = nil, next: String? = nil,
    _ change: (inout RecordOptions) -> Void = { _ in }
  ) async throws -> RecordReport {
    var address = RecordAddress(url)
    address.retries = 0
    if let path = next.flatMap({ PayloadPath($0) }) { address.paging = .next(path) }
    var payload = RecordPayload.address(address)
    if let path = items.flatMap({ PayloadPath($0) }) { payload.form = .items(path) }
    return try await database.sync(payload, "users", change)
  }

  private func next(_ target: String) -> (String, String) { ("Link", "<\(target)>; rel=\"next\"") }

  func testPagesThatTheHeaderNamesAreOnePayload() async throws {
    let server = try serve([
      "/a": (#"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bea"}]"#, [next("/b?x=1")]),
      "/b?x=1": ("[]", [next("c")]),
      "/c": (#"[{"id": 4, "name": "Dan"}]"#, []),
    ])
    let database = try database()
    try await assertEqual(sync(database, server.url("/a")).tables["users"]?.deleted.count, 1)
    XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Bea", "4|Dan"])
    XCTAssertEqual(server.requests.map(\.path), ["/a", "/b?x=1", "/c"])
  }

  func testPagesThatAMemberNamesAreOnePayload() async throws {
    let server = try serve([
      "/a": (#"{"paging": {"next": "/b"}, "data": [{"id": 1, "name": "Ann"}]}"#, []),
      "/b": (#"{"data": [{"id": 4, "name": "Dan"}], "paging": {"next": null}}"#, []),
    ])
    let database = try database()
    _ = try await sync(database, server.url("/a"), items: "data", next: "paging.next")
    XCTAssertEqual(try database.table("users"), ["1|Ann", "4|Dan"])
  }

  /// A wrong path, `@odata.nextLink` for one, which was read as two names, took the first page for
  /// all.
  func testAPathThatNoPageHasMakesAPartOfIt() async throws {
    let first = #"{"data": [{"id": 1, "name": "Ann"}], "@odata.nextLink": "/b"}"#
    let second = #"{"data": [{"id": 4, "name": "Dan"}]}"#
    let server = try serve([
      "/a": (first, []), "/b": (second, []),
      "/c": (#"{"data": [{"id": 1}], "has_more": false}"#, []),
      "/d": (#"{"data": [{"id": 1}], "total": 1}"#, []),
    ])
    let wrong = try database()
    let report = try await sync(wrong, server.url("/b"), items: "data", next: "nextLnk")
    XCTAssertEqual(report.remarks, [.partial(.noNext("nextLnk"))])
    XCTAssertEqual(try wrong.table("users").count, 4)
    for page in ["/c", "/d"] {
      let last = try database()
      _ = try await sync(last, server.url(page), items: "data", next: "nextLnk")
      XCTAssertEqual(try last.table("users"), ["1|Ann"], page)
    }
    let dotted = try database()
    await assertThrows(
      PayloadProblem.self,
      try await sync(dotted, server.url("/a"), items: "data", next: "@odata.nextLink")
    ) {
      if case .source(_, .nextHasDots("@odata.nextLink")) = $0 { true } else { false }
    }
    XCTAssertEqual(try dotted.table("users").count, 3)
    let right = try database()
    _ = try await sync(right, server.url("/a"), items: "data", next: #""@odata.nextLink""#)
    XCTAssertEqual(try right.table("users"), ["1|Ann", "4|Dan"])
  }

  func testWhatOnlyTheLastPageSaysOfMoreCounts() async throws {
    let server = try serve([
      "/a": (#"{"data": [{"id": 1, "name": "Ann"}], "next": "/b", "total": 2}"#, []),
      "/b": (#"{"data": [{"id": 4, "name": "Dan"}], "next": null, "total": 2}"#, []),
    ])
    let database = try database()
    try await assertEqual(sync(database, server.url("/a"), items: "data", next: "next").remarks, [])
    XCTAssertEqual(try database.table("users"), ["1|Ann", "4|Dan"])
    let part = try self.database()
    let first = try await sync(part, server.url("/a"), items: "data")
    XCTAssertEqual(first.remarks, [.partial(.total("total", 2, came: 1))])
    XCTAssertEqual(try part.table("users").count, 3)
  }

  /// One page of three isn't as it should be: nothing is written, and above all nothing deleted.
  func testAPageThatFailsChangesNothing() async throws {
    let page = #"[{"id": 7, "name": "New"}]"#
    let faults: [(FaultAnswer, (PayloadProblem) -> Bool)] = [
      (FaultAnswer(status: 500), Self.isFailed), (FaultAnswer(status: 401), Self.isFailed),
      (.cut(Array(page.utf8), after: 9, framing: .length), Self.isFailed),
      (.cut(Array(page.utf8), after: 9, framing: .chunked), Self.isFailed),
      (.cut(Array(page.utf8), after: 9, framing: .close), { Self.inner($0, is: "the middle") }),
      (FaultAnswer(text: String(page.dropLast(2))), { Self.inner($0, is: "the middle") }),
      (FaultAnswer(text: "<html>Log in</html>"), { Self.inner($0, is: "login page") }),
      (FaultAnswer(text: ""), { Self.inner($0, is: "is empty") }),
      (FaultAnswer(text: #"{"error": "slow down"}"#), { Self.inner($0, is: "key") }),
      (FaultAnswer(text: "[1, 2]"), { Self.inner($0, is: "key") }),
      (
        FaultAnswer(text: page, headers: [("Link", "</a>; rel=\"next\"")]),
        { if case .pageTwice = $0 { true } else { false } }
      ),
      (
        FaultAnswer(text: page, headers: [("Link", "<file:///etc>; rel=\"next\"")]),
        { if case .source(_, .nextPage) = $0 { true } else { false } }
      ),
    ]
    for (answer, isExpected) in faults {
      let link = next("/b")
      let server = try serve { request, _ in
        request.path == "/a" ? FaultAnswer(text: page, headers: [link]) : answer
      }
      let database = try database()
      await assertThrows(try await sync(database, server.url("/a"))) { error in
        let problem = error as? PayloadProblem
        XCTAssertTrue(problem.map(isExpected) ?? false, "\(error)")
      }
      XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Ben", "3|Cid"])
      server.stop()
    }
  }

  private static func isFailed(_ problem: PayloadProblem) -> Bool {
    if case .source(_, .failed) = problem { true } else { false }
  }

  private static func inner(_ problem: PayloadProblem, is words: String) -> Bool {
    guard case .page = problem else { return false }
    return "\(problem)".contains(words)
  }

  /// Lines whose end nobody tells may be cut between two of them.
  func testLinesWithoutAnEndDeleteNothing() async throws {
    let lines = "{\"id\": 1, \"name\": \"Ann\"}\n{\"id\": 2, \"name\": \"Bea\"}\n"
    let server = try serve { _, _ in FaultAnswer(text: lines, framing: .close) }
    let database = try database()
    await assertThrows(PayloadProblem.self, try await sync(database, server.url("/a"))) {
      if case .source(_, .unproven) = $0 { true } else { false }
    }
    XCTAssertEqual(try database.table("users").count, 3)
    _ = try await sync(database, server.url("/a")) { $0.operations = .keep }
    XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Bea", "3|Cid"])
  }

  func testAnArrayProvesItsEndByItself() async throws {
    let server = try serve { _, _ in
      FaultAnswer(text: #"[{"id": 1, "name": "Ann"}]"#, framing: .close)
    }
    let database = try database()
    _ = try await sync(database, server.url("/a"))
    XCTAssertEqual(try database.table("users"), ["1|Ann"])
  }

  func testHalfOfManyRowsMayGoUnlessMoreIsSaid() async throws {
    let database = try database()
    try database.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
      INSERT INTO users SELECT i, 'x' FROM n
      """)
    let server = try serve { _, _ in FaultAnswer(text: #"[{"id": 1, "name": "Ann"}]"#) }
    await assertThrows(try await sync(database, server.url("/a"))) { error in
      XCTAssertEqual(error as? RecordError, .removalRefused(table: "users", count: 23, of: 24))
    }
    XCTAssertEqual(try database.table("users").count, 24)
    _ = try await sync(database, server.url("/a")) { $0.removalLimit = .unlimited }
    XCTAssertEqual(try database.table("users"), ["1|Ann"])
  }

  func testNothingIsLockedWhileTheNetworkIsSlow() async throws {
    let database = try database()
    let path = database.path
    let server = try serve { [link = next("/b")] request, _ in
      guard request.path == "/b" else { return FaultAnswer(text: #"[{"id": 1}]"#, headers: [link]) }
      // Between two pages, another program writes.
      do {
        try TestDatabase.other(path, "UPDATE users SET name = 'Zoe' WHERE id = 1")
        return FaultAnswer(text: #"[{"id": 2}, {"id": 3}]"#)
      } catch {
        return FaultAnswer(text: "\(error)")
      }
    }
    try await assertEqual(sync(database, server.url("/a")).status, .unchanged)
    XCTAssertEqual(try database.table("users"), ["1|Zoe", "2|Ben", "3|Cid"])
  }

  func testAPayloadThatIsKeptInAFileIsReadFromThere() async throws {
    let name = String(repeating: "long ", count: 200)
    let pages = (0..<3).map { page in
      let users = (1...1_000).map { #"{"id": \#(page * 1_000 + $0), "name": "\#(name)"}"# }
      return "[\(users.joined(separator: ","))]"
    }
    let links = (1...3).map { next("/\($0)") }
    let server = try serve { request, _ in
      let page = Int(request.path.dropFirst()) ?? 0
      return FaultAnswer(text: pages[page], headers: page < 2 ? [links[page]] : [])
    }
    let database = try database()
    _ = try await sync(database, server.url("/0"))
    let found = try database.rows("SELECT count(*), max(id), min(length(name)) FROM users")
    XCTAssertEqual(found, ["3000|3000|1000"])
  }

  func testTheNameInAnAddressTellsThatThereAreLines() async throws {
    let server = try serve(["/users.ndjson?a=b": ("[1]\n{\"id\": 1, \"name\": \"Ann\"}\n", [])])
    let database = try database()
    let report = try await sync(database, server.url("/users.ndjson?a=b"))
    XCTAssertEqual(report.tables["users"]?.skipped, 1)
    XCTAssertEqual(try database.table("users"), ["1|Ann"])
  }

  func testAFetchThatIsCancelledEndsAtOnceAndWritesNothing() async throws {
    let server = try serve { [link = next("/b")] request, _ in
      request.path == "/a" ? FaultAnswer(text: "[]", headers: [link]) : FaultAnswer([.silence])
    }
    let database = try database()
    let (path, url) = (database.path, server.url("/a"))
    let isWaiting = Gate()
    let sync = Task {
      var options = RecordOptions()
      options.onProgress = { if $0.pages == 1 { isWaiting.open() } }
      let store = try await RecordStore(path: path)
      return try await store.sync(.url(url), into: "users", options: options)
    }
    try await isWaiting.wait()
    sync.cancel()
    let result = await sync.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
    XCTAssertEqual(try database.table("users").count, 3)
  }

  func testAnAddressThatIsNoneIsToldWithoutItsSecrets() async throws {
    let database = try database()
    for url in ["", "users.json", "file:///etc/passwd", "ftp://u:secret@example.org/"] {
      await assertThrows(try await sync(database, url)) { error in
        guard case .source(_, .badAddress)? = error as? PayloadProblem else {
          return XCTFail("\(url): \(error)")
        }
        XCTAssertFalse("\(error)".contains("secret"))
      }
    }
  }
}
