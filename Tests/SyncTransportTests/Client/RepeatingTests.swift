import SyncTransport
import TestSupport
import TransportTesting
import XCTest

/// Which requests are sent once more, and after what.
final class RepeatingTests: XCTestCase {
  private typealias Answer = MemoryTransport.Answer
  private typealias Method = HTTPRequest.Method

  private static let url = "http://h/"

  /// How often a request goes out when it always ends in this.
  private func sendings(
    of method: Method, ending answer: Answer,
    _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> Int {
    let fixture = ClientFixture { $0.retry.retries = 2 }
    try fixture.answer(Self.url, [answer])
    var request = try fixture.sending(method, Self.url)
    change(&request.request)
    _ = try await fixture.code(of: request)
    XCTAssertTrue(fixture.memory.bodies.allSatisfy { $0 == [1, 2, 3] })
    return fixture.memory.log.count
  }

  private func busy(_ status: Int) -> Answer {
    Answer(status: status, headers: HTTPHeaders([("Retry-After", "1")]))
  }

  func testWhatIsIdempotentIsSentAgainAfterEveryFailureThatMayPass() async throws {
    let endings = [
      Answer(refusal: .interrupted), Answer(refusal: .shortBody), Answer(refusal: .couldNotConnect),
      Answer(status: 500), Answer(status: 503), busy(429),
    ]
    for method in [Method.put, .delete, .propfind, .report, .options] {
      for ending in endings {
        try await assertEqual(sendings(of: method, ending: ending), 3, method.name)
      }
    }
  }

  func testOtherRequestsAreSentAgainOnlyWhenNothingOfThemWasTaken() async throws {
    let unsent: [TransportError.Code] = [.couldNotConnect, .couldNotResolve, .timedOut, .tls]
    let again = unsent.map { Answer(refusal: $0) } + [busy(429), busy(503)]
    let unknown: [TransportError.Code] = [.interrupted, .stalled, .tooSlow, .shortBody]
    let never =
      unknown.map { Answer(refusal: $0) }
      + [Answer(status: 429), Answer(status: 503), busy(500), busy(408), busy(502), busy(504)]
    for method in [Method.post, .patch, try XCTUnwrap(Method("LOCK"))] {
      for (endings, expected) in [(again, 3), (never, 1)] {
        for ending in endings {
          let count = try await sendings(of: method, ending: ending)
          XCTAssertEqual(count, expected, "\(method.name) \(ending)")
        }
      }
    }
  }

  func testWhatTheCallerVouchesForIsSentAgain() async throws {
    let lost = Answer(refusal: .interrupted)
    try await assertEqual(sendings(of: .post, ending: lost) { $0.mayBeRepeated = true }, 3)
    for (name, value) in [("If-Match", "\"7\""), ("If-None-Match", "*")] {
      try await assertEqual(sendings(of: .patch, ending: lost) { $0.headers.add(name, value) }, 3)
    }
  }

  /// A 303 says that the request was taken: what fails after it is only the fetch of what came of
  /// it, and only that is tried again.
  func testWhatWasTakenIsNotSentAgain() async throws {
    for method in [Method.post, .put, .patch] {
      let fixture = ClientFixture { $0.retry.retries = 2 }
      try fixture.answer("http://h/", [.redirect(303, to: "/made")])
      try fixture.answer("http://h/made", [Answer(refusal: .interrupted)])
      let code = try await fixture.code(of: try fixture.sending(method, "http://h/"))
      XCTAssertEqual(code, .interrupted)
      XCTAssertEqual(fixture.memory.log.map(\.method), [method, .get, .get, .get])

      try fixture.answer("http://h/made", [Answer(status: 500), .ok("made")])
      let answer = try await fixture.client.answer(
        to: try fixture.sending(method, "http://h/"), limit: 10)
      XCTAssertEqual(answer.body, Array("made".utf8))
      XCTAssertEqual(answer.address.path, "/made")
      XCTAssertEqual(fixture.memory.log.count { $0.method == method }, 2)
    }
  }

  func testAFetchThatIsTriedAgainElsewhereStillKeepsTheSecrets() async throws {
    let fixture = ClientFixture()
    try fixture.answer("https://home/", [.redirect(303, to: "https://away/")])
    try fixture.answer("https://away/", [Answer(refusal: .interrupted), .ok("")])
    let post = try fixture.sending(.post, "https://home/", headers: [("Cookie", "secret")])
    try await assertEqual(fixture.client.answer(to: post, limit: 10).status, 200)
    XCTAssertEqual(
      fixture.memory.log.map { $0.headers["Cookie"] }, ["secret", nil, nil])
  }
}
