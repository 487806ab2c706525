import DocumentEndpoints
import DocumentSync
import SyncTransport
import TestSupport
import XCTest

/// Lists of what a filter lets through, by a real server.
final class KintoFilterTests: KintoTestCase {
  private let open = CollectionFilter([.init("status", "open")])

  private func page(
    _ endpoint: KintoEndpoint, _ place: ChangesPlace, ids: Bool = false,
    _ filter: CollectionFilter? = nil
  ) async throws -> ChangePage {
    let filter = try XCTUnwrap(filter ?? open)
    let reply =
      try await ids
      ? endpoint.ids(in: collection, from: place, matching: filter)
      : endpoint.changes(in: collection, from: place, matching: filter)
    guard case .page(let page) = reply.end else { throw OtherReply(text: "\(reply.end)") }
    return page
  }

  private func say(_ id: String, _ status: String, n: Int = 1) async throws {
    try await put(id, "{\"status\": \"\(status)\", \"n\": \(n)}")
  }

  func testChangesAreOfWhatTheFilterLetsThroughNow() async throws {
    try await makeCollection()
    for id in ["a", "b", "c"] { try await say(id, "open") }
    try await say("d", "closed")
    let endpoint = try endpoint()
    let first = try await page(endpoint, .beginning)
    XCTAssertEqual(first.documents.map(\.id.text), ["a", "b", "c"])
    let checkpoint = try XCTUnwrap(first.checkpoint)
    let filter = try XCTUnwrap(open)
    let again = try await endpoint.changes(
      in: collection, from: .since(checkpoint), matching: filter)
    XCTAssertEqual(again.end, .unchanged)
    try await say("a", "closed")
    try await me().ask(.delete, "\(records)/b")
    try await say("d", "open")
    let news = try await page(endpoint, .since(checkpoint))
    XCTAssertEqual(news.documents.map(\.id.text), ["d"], "filters hide what left, and deletions")
    let later = try XCTUnwrap(news.checkpoint)
    let rest = try await endpoint.changes(in: collection, from: .since(later), matching: filter)
    XCTAssertEqual(rest.end, .unchanged)
  }

  func testIdsComeWithoutWhatDocumentsSayPageByPage() async throws {
    try await makeCollection()
    for id in ["a", "b", "c", "d", "e"] { try await say(id, "open") }
    try await say("b", "closed")
    try await me().ask(.delete, "\(records)/d")
    let endpoint = try endpoint(pageSize: 2)
    let first = try await page(endpoint, .beginning, ids: true)
    XCTAssertEqual(first.named.map(\.text), ["a", "c"])
    XCTAssertEqual(first.documents, [])
    XCTAssertNil(first.checkpoint, "what it doesn't tell isn't known")
    XCTAssertEqual(first.extent, .everything)
    let last = try await page(endpoint, .page(try XCTUnwrap(first.next)), ids: true)
    XCTAssertEqual(last.named.map(\.text), ["e"])
    XCTAssertNil(last.next)
    XCTAssertNil(last.checkpoint)
  }

  func testConditionsAreTheServersOwn() async throws {
    try await makeCollection()
    for n in 1...4 { try await say("\(n)", n == 4 ? "a & b" : "open", n: n) }
    let endpoint = try endpoint()
    let filters: [([(String, String)], [String])] = [
      ([("min_n", "3")], ["3", "4"]), ([("in_n", "1,4")], ["1", "4"]),
      ([("status", "a & b")], ["4"]), ([("status", "open"), ("max_n", "1")], ["1"]),
    ]
    for (conditions, ids) in filters {
      let filter = CollectionFilter(conditions.map { .init($0.0, $0.1) })
      let page = try await page(endpoint, .beginning, ids: true, filter)
      XCTAssertEqual(page.named.map(\.text), ids, "\(conditions)")
    }
  }

  /// It would be another list than the one that is asked for.
  func testParametersOfTheServersOwnAreNoFilter() async throws {
    let endpoint = try endpoint()
    let filter = try XCTUnwrap(CollectionFilter([.init("_since", "1")]))
    XCTAssertNotNil(endpoint.problem(with: filter))
    do {
      _ = try await endpoint.changes(in: collection, from: .beginning, matching: filter)
      XCTFail("a list")
    } catch let error as EndpointError {
      guard case .impossible = error.reason else { return XCTFail("\(error)") }
    }
  }
}
