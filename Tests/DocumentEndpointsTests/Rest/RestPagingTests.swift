import DocumentSync
import OneWaySynchronizer
import SyncTransport
import TransportTesting
import TestSupport
import XCTest

@testable import DocumentEndpoints

/// Lists of REST services that come in parts.
///
/// The first page of a list that Django REST framework gives was taken for all there is: what stood
/// on the others never came, and what was here of it was removed.
final class RestPagingTests: XCTestCase {
  private let transport = MemoryTransport()

  private func endpoint(_ rows: String? = "results") throws -> RestEndpoint {
    let transport = transport
    var dialect = RestDialect()
    dialect.rows = rows
    return try RestEndpoint(
      server: "https://example.org/api", dialect: dialect, options: ServiceOptions(over: transport))
  }

  private func serve(
    _ body: String, at path: String = "", status: Int = 200, _ fields: (String, String)...
  ) throws {
    var answer = MemoryTransport.Answer(status: status, body: Array(body.utf8))
    answer.headers = HTTPHeaders(fields)
    transport.answer(try WebAddress("https://example.org/api/task" + path), with: answer)
  }

  func testAFilterGivesAllPagesOrThrows() async throws {
    try serve("{\"results\": \(rows(1...2)), \"next\": \"?page=2\"}")
    try serve("{\"results\": \(rows(3...3)), \"next\": null}", at: "?page=2")
    let replica = try await DocumentReplica(
      .memory, endpoint: endpoint(),
      options: ReplicaOptions(
        server: "https://example.org/api", collections: [SyncedCollection("task")]))
    try await assertEqual(
      replica.filter(matching: [], in: "task").map(\.id.text), ["t1", "t2", "t3"])
    try await assertEqual(replica.count(), 3)
    try serve("{\"results\": \(rows(1...1)), \"has_more\": true}")
    do {
      _ = try await replica.filter(matching: [], in: "task")
      XCTFail("it's a part")
    } catch is DocumentSyncFailure {}
    try await assertEqual(replica.count(), 3)
  }

  private func rows(_ range: ClosedRange<Int>) -> String {
    "[" + range.map { "{\"id\": \"t\($0)\"}" }.joined(separator: ", ") + "]"
  }

  /// Its rows come, and something that nobody can read.
  private func isAPart(
    _ endpoint: RestEndpoint, _ what: String, file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let reply = try await endpoint.changes(in: "task", from: .beginning)
    guard case .page(let page) = reply.end else {
      return XCTFail("\(what): \(reply)", file: file, line: line)
    }
    XCTAssertEqual(page.documents.count, 2, what, file: file, line: line)
    XCTAssertEqual(page.unreadable.map(\.place), [2], what, file: file, line: line)
    XCTAssertEqual(page.unreadable.map(\.id), [nil], what, file: file, line: line)
    XCTAssertNil(page.checkpoint, what, file: file, line: line)
    let found = try await endpoint.documents(in: "task", matching: [])
    guard case .page(let part) = found.end else {
      return XCTFail("\(what): \(found)", file: file, line: line)
    }
    XCTAssertEqual(part.documents, page.documents, what, file: file, line: line)
    XCTAssertEqual(part.unreadable, page.unreadable, what, file: file, line: line)
  }

  func testAPartIsNeverTakenForTheWhole() async throws {
    let endpoint = try endpoint()
    for said in [
      #""count": 3"#, #""total": "3""#, #""has_more": true"#, #""hasMore": 1"#,
      #""next": 2"#, #""next": "bTAw""#, #""pagination": {"cursor": "bTAw"}"#,
      #""nextPageToken": "x""#, #""last": false"#,
      #""totalPages": 2, "page": 1"#, #""meta": {"pagination": {"total": 3}}"#,
      #""paging": {"next": {"after": "2"}}"#, #""page": {"totalElements": 3, "size": 2}"#,
      #""@odata.count": 3"#, #""response_metadata": {"next_cursor": "x"}"#, #""offset": "itrX""#,
      #""hits": 1, "total": {"value": 3}"#, #""truncated": true"#, #""incomplete_results": true"#,
      #""done": false"#, #""lastPage": false"#, #""last_page": 2"#,
      #""pageInfo": {"hasNextPage": true}"#,
      #""partial": false, "next_cursor": "abc""#, #""done": true, "nextPageToken": "x""#,
      #""incomplete_results": false, "next_cursor": "x""#, #""complete": true, "NextToken": "x""#,
      #""truncated": false, "finished": true, "next_cursor": "x""#,
      #""has_more": false, "count": 3"#, #""NextToken": "x""#, #""_meta": {"page_count": 2}"#,
    ] {
      try serve("{\"results\": \(rows(1...2)), \(said)}")
      try await isAPart(endpoint, said)
    }
  }

  func testFieldsOfTheAnswerTellAPart() async throws {
    let endpoint = try endpoint(nil)
    for (name, value) in [
      ("X-Total-Count", "3"), ("X-Total", "3"), ("X-WP-Total", "3"), ("X-Total-Pages", "2"),
      ("X-Next-Page", "2"), ("X-Has-More", "true"), ("Content-Range", "items 0-1/3"),
      ("X-Pagination", #"{"TotalCount": 3, "HasNext": true}"#), ("x-ms-continuation", "abc"),
      ("Link", "https://example.org/api/task?page=2; rel=next"),
    ] {
      try serve(rows(1...2), (name, value))
      try await isAPart(endpoint, name)
    }
    try serve(rows(1...2), status: 206)
    try await isAPart(endpoint, "206")
    try serve(rows(1...2), status: 206, ("Content-Range", "0-1/*"))
    try await isAPart(endpoint, "206 of an unknown number")
  }

  func testAListThatSaysThatItIsWholeIsTaken() async throws {
    let endpoint = try endpoint()
    for said in [
      #""count": 2, "next": null, "previous": null"#, #""total": 2, "page": 1, "pages": 1"#,
      #""has_more": false, "cursor": "bTAw""#, #""next_cursor": """#, #""last": true, "number": 0"#,
      #""links": {"next": null, "self": "/api/task"}"#, #""offset": 0, "limit": 100"#,
      #""_links": {"self": {"href": "/x"}, "next": {"href": null}}"#, #""count": 1"#,
      #""user": {"count": 500, "next": "x"}"#, #""next": false, "hasMore": false"#,
      #""message": "more", "took": 12, "truncated": false, "nextPageToken": null"#,
      #""next1": "x", "has_more2": true, "éoffset": "x""#,
      #""page": 1, "per_page": 30"#, #""cursor": "abc""#, #""more": "https://docs.example/help""#,
      #""next": "2024-06-01T00:00:00Z""#, #""next": "2024-06-01""#, #""incomplete": 3"#,
      #""meta": {"cursor": "abc"}"#,
    ] {
      try serve(
        "{\"results\": \(rows(1...2)), \(said)}", ("X-Total-Count", "2"), ("X-Next-Page", ""))
      let reply = try await endpoint.changes(in: "task", from: .beginning)
      guard case .page(let page) = reply.end else { return XCTFail(said) }
      XCTAssertEqual(page.documents.count, 2, said)
      XCTAssertNil(page.next, said)
      XCTAssertEqual(page.unreadable, [], said)
      XCTAssertEqual(page.extent, .everything, said)
    }
  }

  func testPagesAreFollowedWhereverTheirAddressStands() async throws {
    let endpoint = try endpoint()
    let address = "https://example.org/api/task?page=2"
    for said in [
      #""count": 3, "next": "\#(address)""#, #""next": "?page=2""#,
      #""nextLink": "/api/task?page=2""#,
      #""links": {"next": "\#(address)"}"#, #""_links": {"next": {"href": "\#(address)"}}"#,
      #""links": [{"rel": "self", "href": "/"}, {"rel": "next", "href": "\#(address)"}]"#,
      #""info": {"count": 3, "pages": 2, "next": "\#(address)"}"#,
      #""next_page_url": "\#(address)""#, #""has_more": true, "@odata.nextLink": "\#(address)""#,
    ] {
      try serve("{\"results\": \(rows(1...2)), \(said)}")
      try serve("{\"results\": \(rows(3...3)), \"count\": 3, \"next\": null}", at: "?page=2")
      let all = try await endpoint.documents(in: "task", matching: [])
      guard case .page(let page) = all.end else { return XCTFail(said) }
      XCTAssertEqual(page.documents.map(\.id), ["t1", "t2", "t3"].map { DocumentID($0) }, said)
      let first = try await endpoint.changes(in: "task", from: .beginning)
      guard case .page(let part) = first.end, let mark = part.next else { return XCTFail(said) }
      let rest = try await endpoint.changes(in: "task", from: .page(mark))
      guard case .page(let last) = rest.end else { return XCTFail(said) }
      XCTAssertEqual(last.documents.map(\.id), [DocumentID("t3")], said)
      XCTAssertNil(last.next, said)
    }
  }

  func testRowsThatAreMissingAtTheLastPageAreTold() async throws {
    try serve("{\"results\": \(rows(1...2)), \"count\": 4, \"next\": \"?page=2\"}")
    try serve("{\"results\": \(rows(3...3)), \"count\": 4, \"next\": null}", at: "?page=2")
    let found = try await endpoint().documents(in: "task", matching: [])
    guard case .page(let page) = found.end else { return XCTFail("\(found)") }
    XCTAssertEqual(page.documents.map(\.id.text), ["t1", "t2", "t3"])
    let reason = "its list has 4 rows (\"count\"), of which 3 came"
    XCTAssertEqual(page.unreadable, [UnreadableEntry(id: nil, place: 3, reason: reason)])
  }

  /// It was an error, and nothing of what had come was there.
  func testAPartOfAQuerysAnswerIsRememberedAndToldAsAPart() async throws {
    let options = ReplicaOptions(
      server: "https://example.org/api", account: "", collections: [SyncedCollection("task")])
    let replica = try await DocumentReplica(.memory, endpoint: endpoint(), options: options)
    try serve(#"{"results": [{"id": "t1"}, {"name": "without a key"}], "has_more": true}"#)
    let found = try await replica.remember(query: "some", matching: [], in: "task")
    XCTAssertEqual(found.map(\.id.text), ["t1"])
    try await assertEqual(replica.documents(ofQuery: "some", in: "task").map(\.id.text), ["t1"])
    var failures = try await replica.failures()
    XCTAssertEqual(failures.count, 2)
    XCTAssertTrue(failures.contains { $0.words.contains("has_more") }, "\(failures)")
    try await assertFalse(replica.isAtRest())
    try serve("{\"results\": \(rows(1...2))}")
    try await replica.sync()
    try await replica.remember(query: "some", matching: [], in: "task")
    failures = try await replica.failures()
    XCTAssertEqual(failures, [])
    try await assertTrue(replica.isAtRest())
    await replica.close()
  }

  /// It was told as a part until the next sync, though all of it had come by then.
  func testAPartOfAQuerysAnswerIsToldNoLongerOnceAllOfItCame() async throws {
    let options = ReplicaOptions(
      server: "https://example.org/api", collections: [SyncedCollection("task")])
    let replica = try await DocumentReplica(.memory, endpoint: endpoint(), options: options)
    let (part, whole) = (#"{"results": [{"id": "t1"}], "has_more": true}"#, rows(1...2))
    try serve(part)
    try await replica.sync()
    let list = try await replica.failures()
    XCTAssertEqual(list.count, 1, "it's a part of the list")
    for name in ["some", "all"] {
      try await replica.remember(query: name, matching: [], in: "task")
    }
    var failures = try await replica.failures()
    XCTAssertEqual(failures.count, 3, "\(failures)")
    try await replica.sync()
    failures = try await replica.failures()
    XCTAssertEqual(failures.count, 3, "the list says nothing of what queries told")
    try serve("{\"results\": \(whole)}")
    try await replica.remember(query: "some", matching: [], in: "task")
    failures = try await replica.failures()
    XCTAssertEqual(failures.count, 2)
    XCTAssertFalse(failures.contains { $0.name.contains("'some'") }, "\(failures)")
    try await replica.remember(query: "all", matching: [], in: "task")
    failures = try await replica.failures()
    XCTAssertEqual(failures, list, "what the list told stays until the list tells it no more")
    await replica.close()
  }

  func testPagesWithoutAnEndEnd() async throws {
    for body in ["{\"results\": \(rows(1...2)), \"next\": \"?page=2\"}"] {
      try serve(body)
      try serve("{\"results\": \(rows(3...3)), \"next\": \"?page=3\"}", at: "?page=2")
      try serve("{\"results\": \(rows(4...4)), \"next\": \"?page=2\"}", at: "?page=3")
      if let error = await thrown(
        EndpointError.self, by: try await endpoint().documents(in: "task", matching: []))
      {
        XCTAssertEqual(error.reason, .unreadable("its pages lead in a circle"))
      }
    }
    var list = RestList(extent: .everything)
    for page in 0..<999 {
      list.came(rows: 0)
      XCTAssertNil(list.goes(on: "https://example.org/api/task?page=\(page)"))
    }
    list.came(rows: 0)
    XCTAssertNotNil(list.goes(on: "https://example.org/api/task?page=1000"))
  }

  func testWhatStandsOnOtherPagesComesAndIsNeverRemoved() async throws {
    let options = ReplicaOptions(
      server: "https://example.org/api", account: "", collections: [SyncedCollection("task")])
    let replica = try await DocumentReplica(.memory, endpoint: endpoint(), options: options)
    let removes = SyncWishes(removals: .within(.unlimited))
    try serve("{\"results\": \(rows(0...9))}")
    try await replica.sync(removes)
    try serve("{\"count\": 10, \"next\": \"?page=2\", \"results\": \(rows(0...7))}")
    try serve("{\"count\": 10, \"next\": null, \"results\": \(rows(8...9))}", at: "?page=2")
    try await replica.sync(removes)
    var count = try await replica.store.read { try $0.counts().documents }
    XCTAssertEqual(count, 10)
    for (said, count) in [("\"has_more\": true", 11), ("\"total\": 199", 12)] {
      let last = "{\"id\": \"t\(count - 1)\"}"
      try serve("{\(said), \"results\": [{\"id\": \"t0\"}, \(last)]}")
      for _ in 1...2 {
        let report = try await replica.sync(removes)
        let words = report.failures.map(\.words).joined()
        XCTAssertTrue(words.contains(said.prefix { $0 != ":" }), words)
        try await assertEqual(replica.store.read { try $0.counts().documents }, count, said)
      }
    }
    try serve("{\"results\": \(rows(0...5))}")
    try await assertEqual(replica.sync(removes).failures, [])
    count = try await replica.store.read { try $0.counts().documents }
    XCTAssertEqual(count, 6)
    await replica.close()
  }
}
