import SyncTransport
import TransportTesting
import XCTest

/// What becomes of a request that is sent elsewhere.
final class RedirectedRequestTests: XCTestCase {
  private typealias Answer = MemoryTransport.Answer
  private typealias Method = HTTPRequest.Method

  private static let conditions = [
    ("If-Match", "\"7\""), ("Content-Encoding", "gzip"), ("Idempotency-Key", "k"), ("X-One", "1"),
  ]

  /// The methods that arrive at the second address.
  private func arrivals(
    _ status: Int, _ method: Method
  ) async throws -> (second: HTTPRequest?, body: [UInt8]?, answer: HTTPAnswer) {
    let fixture = ClientFixture()
    try fixture.answer("http://h/a", [.redirect(status, to: "/b")])
    try fixture.answer("http://h/b", [.ok("there")])
    let request = try fixture.sending(method, "http://h/a", headers: Self.conditions)
    let answer = try await fixture.client.answer(to: request, limit: 100)
    let isFollowed = fixture.memory.log.count == 2
    return (
      isFollowed ? fixture.memory.log.last : nil, isFollowed ? fixture.memory.bodies.last : nil,
      answer
    )
  }

  func testTheSameRequestGoesWhereA307Or308Leads() async throws {
    for status in [307, 308] {
      for method in [Method.get, .put, .post, .patch, .delete, .report] {
        let (second, body, answer) = try await arrivals(status, method)
        XCTAssertEqual(second?.method, method)
        XCTAssertEqual(body, [1, 2, 3])
        XCTAssertEqual(second?.headersToSend["Content-Type"], "application/json")
        XCTAssertEqual(second?.headers["If-Match"], "\"7\"")
        XCTAssertEqual(answer.body, Array("there".utf8))
      }
    }
  }

  func testA303LeadsToAFetchOfWhatCameOfIt() async throws {
    for method in [Method.put, .post, .patch, .delete, .report] {
      let (second, body, answer) = try await arrivals(303, method)
      XCTAssertEqual(second?.method, .get)
      XCTAssertEqual(body, [])
      let sent = try XCTUnwrap(second).headersToSend.fields.map(\.name)
      XCTAssertEqual(sent, ["X-One"], "nothing speaks of the body or of the first resource")
      XCTAssertEqual(answer.body, Array("there".utf8))
    }
    let (second, _, _) = try await arrivals(303, .head)
    XCTAssertEqual(second?.method, .head)
  }

  func testA301Or302IsFollowedByWhatOnlyAsks() async throws {
    for status in [301, 302] {
      for method in [Method.get, .head, .options, .propfind, .report] {
        let (second, body, _) = try await arrivals(status, method)
        XCTAssertEqual(second?.method, method)
        XCTAssertEqual(body, method == .head ? [] : [1, 2, 3])
      }
    }
  }

  func testA301Or302IsTheAnswerToAnythingElse() async throws {
    for status in [301, 302] {
      for method in [Method.put, .post, .patch, .delete] {
        let (second, _, answer) = try await arrivals(status, method)
        XCTAssertNil(second, "a fetch that succeeds would pass for a write that did")
        XCTAssertEqual(answer.status, status)
        XCTAssertEqual(answer.headers["Location"], "/b")
        XCTAssertEqual(answer.body, [9, 9, 9])
      }
      let fixture = ClientFixture()
      try fixture.answer("http://h/a", [.redirect(status, to: "/b")])
      let post = try fixture.sending(.post, "http://h/a")
      do {
        _ = try await fixture.client.fetch(post, into: DiscardingReceiver())
        XCTFail("a POST was taken for done")
      } catch let error as TransportError {
        XCTAssertEqual(error.code, .badRedirect)
        XCTAssertEqual(error.detail, "a \(status) leaves open what becomes of a POST")
      }
    }
  }

  func testABodyTravelsToAnotherOriginWithoutSecrets() async throws {
    var access = OriginAccess()
    access.authorize(try WebAddress("https://home/").origin, .bearer("secret"))
    let fixture = ClientFixture(access: access)
    try fixture.answer("https://home/", [.redirect(307, to: "https://away/")])
    try fixture.answer("https://away/", [.ok("")])
    let request = try fixture.sending(
      .post, "https://home/", headers: Self.conditions + [("Cookie", "secret")])
    _ = try await fixture.client.answer(to: request, limit: 100)
    let away = try XCTUnwrap(fixture.memory.log.last)
    XCTAssertEqual(away.address.host, "away")
    XCTAssertEqual(
      away.headersToSend.fields.map(\.name),
      ["If-Match", "Content-Encoding", "Idempotency-Key", "Content-Type"])
    XCTAssertEqual(fixture.memory.bodies.last, [1, 2, 3])
  }
}
