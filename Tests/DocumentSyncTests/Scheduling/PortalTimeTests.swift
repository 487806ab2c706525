import SyncLock
import SyncText
import SyncTransport
import TransportTesting
import TestSupport
import XCTest

@testable import DocumentEndpoints
@testable import DocumentSync

/// Whose `Date` is taken for the server's.
///
/// A portal in front of a network answered each request with 511 and a page, by a clock that was a
/// day ahead. Two of its answers agreed, and so stamps were of the next day.
final class PortalTimeTests: StoreTestCase {
  private let transport = MemoryTransport()
  private let home = "https://example.org/v1/buckets/b/collections/c"
  private let request = PushRequest.create(DocumentID("a"), [:], in: "c", key: "k")
  // 20 days before the clock of the test, which is at 2023-11-14 22:13:20.
  private let date = ("Date", "Wed, 25 Oct 2023 22:13:20 GMT")
  private let behind: Int64 = -20 * 86_400_000

  private func endpoint(_ keeper: ServerTimeKeeper) throws -> ListeningEndpoint {
    let transport = transport
    return ListeningEndpoint(
      try KintoEndpoint(
        server: "https://example.org", bucket: "b", options: ServiceOptions(over: transport)),
      now: { [time] in time.withLock { $0 } },
      hear: { answer in if let time = answer.time { await keeper.heard(time) } })
  }

  /// What is believed once several requests met the same answer.
  private func believed(
    _ status: Int, _ body: String, _ fields: (String, String)...
  ) async throws -> ServerTime {
    let store = try await openStore(.memory)
    let endpoint = try endpoint(ServerTimeKeeper(store, server: notes.server))
    let answer = MemoryTransport.Answer(
      status: status, headers: HTTPHeaders([date] + fields), body: Array(body.utf8))
    for path in [home, "\(home)/records/a", "https://example.net/a"] {
      transport.answer(try WebAddress(path), with: answer)
    }
    for _ in 0..<3 {
      _ = await endpoint.push(request)
      _ = try? await endpoint.changes(in: "c", from: .beginning)
    }
    XCTAssertGreaterThan(transport.log.count, 5)
    return try await store.read { try $0.time(of: notes.server) }
  }

  func testAPageAndAnEmptyAnswerMoveNothingWhateverTheirStatus() async throws {
    for status in [200, 302, 400, 401, 403, 404, 429, 500, 503, 511] {
      for body in ["<html><body>Please sign in</body></html>", "", "\"no\"", "{oops}"] {
        let time = try await believed(status, body, ("Location", "https://example.net/a"))
        XCTAssertEqual(time, ServerTime(), "\(status) \(body)")
      }
    }
  }

  func testWhatAnotherHostSaysMovesNothing() async throws {
    let store = try await openStore()
    let endpoint = try endpoint(ServerTimeKeeper(store, server: notes.server))
    let elsewhere = "https://example.net/login"
    for path in [home, "\(home)/records/a"] {
      transport.answer(
        try WebAddress(path),
        with: MemoryTransport.Answer(status: 307, headers: HTTPHeaders([("Location", elsewhere)])))
    }
    transport.answer(
      try WebAddress(elsewhere),
      with: MemoryTransport.Answer(
        status: 403, headers: HTTPHeaders([date]), body: Array(#"{"error": "sign in"}"#.utf8)))
    for _ in 0..<3 { _ = await endpoint.push(request) }
    XCTAssertTrue(transport.log.contains { $0.address.host == "example.net" })
    try await assertEqual(store.read { try $0.time(of: notes.server) }, ServerTime())
  }

  func testTheServicesOwnAnswersCountTheRefusalsToo() async throws {
    for status in [400, 503] {
      let time = try await believed(status, #"{"code": 1, "errno": 201, "message": "busy"}"#)
      XCTAssertEqual(time.ahead, behind, "\(status)")
    }
  }

  func testAnAnswerWithoutContentCountsWhereThereIsNone() throws {
    for (status, counts) in [(204, true), (304, true), (200, false), (404, false)] {
      let answer = ServiceAnswer(
        method: "GET", address: home, status: status, headers: HTTPHeaders([date]), body: [],
        now: HTTPDate(secondsSince1970: 0), secrets: [])
      XCTAssertEqual(answer.notes().date != nil, counts, "\(status)")
    }
  }
}
