import SyncTransport
import TestSupport
import TransportTesting
import XCTest

/// Answers of every status, with their bodies.
final class AnswerTests: XCTestCase {
  private typealias Answer = MemoryTransport.Answer

  private func body(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

  func testEveryStatusIsAnAnswerWithItsBody() async throws {
    for status in [200, 201, 206, 300, 400, 401, 403, 404, 409, 412, 413, 416, 422, 501] {
      let fixture = ClientFixture()
      let headers = HTTPHeaders([("ETag", "\"7\""), ("Backoff", "30")])
      try fixture.answer("http://h/", [Answer(status: status, headers: headers, body: body(5))])
      let answer = try await fixture.client.answer(
        to: try fixture.sending(.put, "http://h/"), limit: 5)
      XCTAssertEqual(answer.status, status)
      XCTAssertEqual(answer.body, body(5))
      XCTAssertEqual(answer.headers, headers)
      XCTAssertEqual(answer.address.text, "http://h/")
      XCTAssertEqual(fixture.memory.bodies, [[1, 2, 3]])
    }
    for status in [204, 304] {
      let fixture = ClientFixture()
      try fixture.answer("http://h/", [Answer(status: status, body: body(5))])
      let answer = try await fixture.client.answer(
        to: FetchRequest(try WebAddress("http://h/")), limit: 5)
      XCTAssertEqual(answer.status, status)
      XCTAssertEqual(answer.body, [])
    }
  }

  func testAFailureThatStaysIsTheAnswerAndOneThatPassesIsForgotten() async throws {
    let staying = ClientFixture()
    try staying.answer("http://h/", [Answer(status: 503, body: body(5))])
    let request = try staying.sending(.put, "http://h/")
    let failed = try await staying.client.answer(to: request, limit: 5)
    XCTAssertEqual(failed.status, 503)
    XCTAssertEqual(failed.body, body(5))
    XCTAssertEqual(staying.memory.log.count, 6)
    XCTAssertEqual(staying.memory.bodies, Array(repeating: [1, 2, 3], count: 6))

    let passing = ClientFixture()
    try passing.answer("http://h/", [Answer(status: 503, body: body(5)), .ok("ok")])
    let healed = try await passing.client.answer(to: request, limit: 5)
    XCTAssertEqual(healed.status, 200)
    XCTAssertEqual(healed.body, Array("ok".utf8))
  }

  func testABodyPastTheLimitIsAnErrorThatTellsTheLimit() async throws {
    for status in [200, 404] {
      let fixture = ClientFixture()
      try fixture.answer("http://h/", [Answer(status: status, body: body(5))])
      do {
        _ = try await fixture.client.answer(
          to: FetchRequest(try WebAddress("http://h/")), limit: 4)
        XCTFail("\(status) came")
      } catch let error as TransportError {
        XCTAssertEqual(error.code, .bodyTooLarge(limit: 4))
        XCTAssertTrue(error.description.contains("the limit of 4 B"), error.description)
      }
      XCTAssertEqual(fixture.memory.log.count, 1)
    }
  }

  /// Its status says more than its long page does.
  func testAFailureThatMayPassIsTriedAgainHoweverLongItsBody() async throws {
    let fixture = ClientFixture()
    try fixture.answer("http://h/", [Answer(status: 503, body: body(2_000)), .ok("ok")])
    let answer = try await fixture.client.answer(
      to: FetchRequest(try WebAddress("http://h/")), limit: 1_000)
    XCTAssertEqual(answer.body, Array("ok".utf8))
    let staying = ClientFixture()
    try staying.answer("http://h/", [Answer(status: 503, body: body(2_000))])
    try await assertEqual(staying.code(of: FetchRequest(try WebAddress("http://h/"))), .status(503))
  }

  func testAnAnswerThatBreaksOffIsNone() async throws {
    let fixture = ClientFixture()
    var broken = Answer(status: 404, body: body(5))
    broken.breakage = .interrupted
    try fixture.answer("http://h/", [broken])
    try await assertEqual(fixture.code(of: FetchRequest(try WebAddress("http://h/"))), .interrupted)
    XCTAssertEqual(fixture.memory.log.count, 6)
  }

  func testAnOriginThatAnswersIsNotGivenUpOn() async throws {
    let fixture = ClientFixture { $0.failuresUntilGivenUp = 1 }
    try fixture.answer("http://h/", [Answer(status: 412)])
    for _ in 0..<3 {
      try await assertEqual(
        fixture.client.answer(to: try fixture.sending(.put, "http://h/"), limit: 5).status, 412)
    }
    XCTAssertEqual(fixture.events, [])
  }
}
