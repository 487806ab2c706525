import DocumentSync
import OneWaySynchronizer
import SyncTransport
import TransportTesting
import TestSupport
import XCTest

@testable import DocumentEndpoints

/// Lists whose pages don't say the address of the next one: by a cursor, an offset, a page number.
final class RestPagesTests: XCTestCase {
  private let transport = MemoryTransport()

  private func endpoint(_ paging: RestPaging, dates: Bool = false) throws -> RestEndpoint {
    let transport = transport
    var dialect = RestDialect(rows: "results", paging: paging)
    if dates { (dialect.modified, dialect.deleted) = ("at", "gone") }
    return try RestEndpoint(
      server: "https://example.org/api", dialect: dialect, options: ServiceOptions(over: transport))
  }

  private func serve(_ body: String, at path: String = "") throws {
    transport.answer(
      try WebAddress("https://example.org/api/task" + path),
      with: MemoryTransport.Answer(status: 200, body: Array(body.utf8)))
  }

  private func page(_ keys: ClosedRange<Int>?, _ said: String = "") -> String {
    let rows = (keys.map(Array.init) ?? []).map { "{\"id\": \($0), \"at\": \($0)}" }
    return "{\"results\": [\(rows.joined(separator: ", "))]\(said)}"
  }

  private func pages(_ endpoint: RestEndpoint, from place: ChangesPlace = .beginning) async throws
    -> [ChangePage]
  {
    var (all, place) = ([ChangePage](), Optional(place))
    while let next = place {
      guard case .page(let page) = try await endpoint.changes(in: "task", from: next).end else {
        break
      }
      all.append(page)
      place = page.next.map { .page($0) }
    }
    return all
  }

  private func keys(_ pages: [ChangePage]) -> [String] { pages.flatMap(\.documents).map(\.id.text) }

  func testACursorIsSaidInTheNextRequest() async throws {
    try serve(page(1...2, #", "meta": {"cursor": "b&c"}"#))
    try serve(page(3...3, #", "meta": {"cursor": null}"#), at: "?after=b%26c")
    let pages = try await pages(endpoint(.cursor(["meta", "cursor"], parameter: "after")))
    XCTAssertEqual(keys(pages), ["1", "2", "3"])
    XCTAssertEqual(pages.flatMap(\.unreadable), [])
    XCTAssertEqual(pages.map(\.order), [.firm, .firm])
  }

  func testANamedMemberHasTheAddress() async throws {
    try serve(page(1...2, #", "where": {"more": "/api/task?p=2"}"#))
    try serve(page(3...3, #", "where": {"more": null}"#), at: "?p=2")
    try await assertEqual(keys(pages(endpoint(.next(["where", "more"])))), ["1", "2", "3"])
    try serve(page(1...2, #", "where": {"more": true}"#))
    try await assertEqual(pages(endpoint(.next(["where", "more"]))).flatMap(\.unreadable).count, 1)
  }

  /// Whoever is asked there would be told the token.
  func testAPageAtAnotherPlaceThanTheServiceIsNotAskedFor() async throws {
    for place in ["https://elsewhere.example/api/task?p=2", "/other/task?p=2"] {
      try serve(page(1...2, #", "next": "\#(place)""#))
      do {
        _ = try await pages(endpoint(.links))
        XCTFail(place)
      } catch let error as EndpointError {
        XCTAssertEqual(
          error.reason, .unreadable("its next page is at another place than the service"), place)
      }
    }
  }

  func testAnOffsetCountsTheRowsAndANumberThePages() async throws {
    for (paging, addresses) in [
      (RestPaging.offset(parameter: "start"), ["?start=2", "?start=3"]),
      (.page(parameter: "p"), ["?p=2", "?p=3"]),
    ] {
      try serve(page(1...2))
      try serve(page(3...3), at: addresses[0])
      try serve(page(nil), at: addresses[1])
      let pages = try await pages(endpoint(paging))
      XCTAssertEqual(keys(pages), ["1", "2", "3"])
      XCTAssertEqual(pages.map(\.order), Array(repeating: .shifting(total: nil), count: 3))
      XCTAssertEqual(pages.flatMap(\.unreadable), [])
      let found = try await endpoint(paging).documents(in: "task", matching: [])
      guard case .page(let all) = found.end else { return XCTFail("\(found)") }
      XCTAssertEqual(all.documents.count, 3)
    }
  }

  /// Django REST framework has no page behind the last: 404.
  func testNothingIsAskedForBehindTheLastRow() async throws {
    try serve(page(1...2, #", "count": 3"#))
    try serve(page(3...3, #", "count": 3"#), at: "?p=2")
    let pages = try await pages(endpoint(.page(parameter: "p")))
    XCTAssertEqual(keys(pages), ["1", "2", "3"])
    XCTAssertEqual(pages.map(\.order), Array(repeating: .shifting(total: 3), count: 2))
    XCTAssertEqual(transport.log.count, 2)
  }

  func testRowsThatAreMissingAtTheEndAreTold() async throws {
    try serve(page(1...2, #", "count": 4"#))
    try serve(page(3...3, #", "count": 4"#), at: "?p=2")
    try serve(page(nil, #", "count": 4"#), at: "?p=3")
    try await assertEqual(pages(endpoint(.page(parameter: "p"))).flatMap(\.unreadable).count, 1)
  }

  func testAServiceThatTakesNoNoticeIsNotAskedForEver() async throws {
    try serve(page(1...2))
    try serve(page(1...2), at: "?p=2")
    do {
      _ = try await pages(endpoint(.page(parameter: "p")))
      XCTFail("two pages are the same")
    } catch let error as EndpointError {
      XCTAssertTrue("\(error)".contains("takes no notice"), "\(error)")
    }
  }

  /// What was missed would never come, once the checkpoint is past it.
  func testWhatMayBeMissedOfChangesIsAskedForAgain() async throws {
    for (said, hasCheckpoint) in [("", false), (#", "count": 3"#, true), (#", "count": 4"#, false)]
    {
      try serve(page(1...2, said))
      try serve(page(3...3, said.replacing("4", with: "3")), at: "?p=2")
      try serve(page(nil), at: "?p=3")
      let pages = try await pages(endpoint(.page(parameter: "p"), dates: true))
      XCTAssertEqual(pages.last?.checkpoint != nil, hasCheckpoint, said)
    }
  }
}
