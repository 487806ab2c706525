import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

final class RetryTests: XCTestCase {
  private typealias Answer = MemoryTransport.Answer

  private func seconds(_ values: [Double]) -> [Duration] { values.map { .seconds($0) } }

  func testTransientFailuresAreTriedAgainWithDoubledWaits() async throws {
    let codes: [TransportError.Code] = [
      .couldNotConnect, .interrupted, .timedOut, .stalled, .shortBody,
    ]
    let fixture = ClientFixture()
    try fixture.answer("http://h/", codes.map { Answer(refusal: $0) } + [.ok("body")])
    let receiver = DataReceiver(limit: 100)
    try await assertEqual(fixture.fetch("http://h/", into: receiver).status, 200)
    XCTAssertEqual(receiver.bytes, Array("body".utf8))
    XCTAssertEqual(fixture.clock.sleeps, seconds([0.5, 1, 2, 4, 8]))
    let address = try WebAddress("http://h/")
    XCTAssertEqual(
      fixture.events.first,
      .retrying(
        address: address, retry: 1, wait: .milliseconds(500),
        reason: TransportError(.couldNotConnect, at: address)))
  }

  func testAStatusThatMayPassIsTriedAgainAndNoOther() async throws {
    for status in [408, 425, 429, 500, 502, 503, 504, 599] {
      let fixture = ClientFixture()
      try fixture.answer("http://h/", [Answer(status: status)])
      try await assertEqual(fixture.code("http://h/"), .status(status))
      XCTAssertEqual(fixture.memory.log.count, 6, "\(status)")
    }
    for status in [300, 305, 400, 401, 403, 404, 410, 416, 418, 501, 505] {
      let fixture = ClientFixture()
      try fixture.answer("http://h/", [Answer(status: status)])
      try await assertEqual(fixture.code("http://h/"), .status(status))
      XCTAssertEqual(fixture.memory.log.count, 1, "\(status)")
    }
  }

  func testPermanentFailuresAreNotTriedAgain() async throws {
    for code in [TransportError.Code.certificate, .addressRefused, .headersTooLarge] {
      let fixture = ClientFixture()
      try fixture.answer("http://h/", [Answer(refusal: code)])
      try await assertEqual(fixture.code("http://h/"), code)
      XCTAssertEqual(fixture.memory.log.count, 1)
    }
  }

  func testANameThatDoesNotResolveIsTriedTwiceMore() async throws {
    let fixture = ClientFixture()
    try fixture.answer("http://h/", [Answer(refusal: .couldNotResolve)])
    try await assertEqual(fixture.code("http://h/"), .couldNotResolve)
    XCTAssertEqual(fixture.memory.log.count, 3)
  }

  func testRetryAfterIsHonouredUpToACap() async throws {
    let table: [([(String, String)], Double)] = [
      ([("Retry-After", "7")], 7), ([("Retry-After", "-7")], 0), ([("Retry-After", "0")], 0),
      ([("Retry-After", "1000000000")], 120), ([("Retry-After", "nonsense")], 0.5),
      ([("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT")], 10),
      ([("Retry-After", "Sunday, 06-Nov-94 08:49:47 GMT")], 10),
      ([("Retry-After", "Sun Nov  6 08:49:47 1994")], 10),
      ([("Retry-After", "Sun Nov  6 08:49:47 1994"), ("Date", "Sun Nov  6 08:49:45 1994")], 2),
      ([("Retry-After", "Sun, 06 Nov 1994 08:00:00 GMT")], 0),
    ]
    for (headers, wait) in table {
      let fixture = ClientFixture()
      let busy = Answer(status: 503, headers: HTTPHeaders(headers))
      try fixture.answer("http://h/", [busy, .ok("")])
      _ = try await fixture.fetch("http://h/")
      XCTAssertEqual(fixture.clock.sleeps, seconds([wait]), "\(headers)")
    }
  }

  func testAUsedUpLimitOfRequestsIsWaitedFor() async throws {
    let reset = ("X-RateLimit-Reset", "784111787")
    let none = ("X-RateLimit-Remaining", "0")
    let date = ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
    let table: [(Int, [(String, String)], Double?)] = [
      (403, [none, reset, date], 10), (429, [none, reset, date], 10),
      (403, [none, reset, date, ("Retry-After", "3")], 3),
      (403, [none, ("X-RateLimit-Reset", "884111787"), date], 120),
      (403, [none, ("X-RateLimit-Reset", "5"), date], 0),
      (403, [("X-RateLimit-Remaining", "1"), reset, date], nil), (403, [reset, date], nil),
      (403, [none, date], nil), (403, [none, ("X-RateLimit-Reset", "soon"), date], nil),
      (404, [none, reset, date], nil),
    ]
    for (status, headers, wait) in table {
      let fixture = ClientFixture()
      let answer = Answer(status: status, headers: HTTPHeaders(headers))
      try fixture.answer("http://h/", [answer, .ok("")])
      if let wait {
        _ = try await fixture.fetch("http://h/")
        XCTAssertEqual(fixture.clock.sleeps, seconds([wait]), "\(headers)")
      } else {
        try await assertEqual(fixture.code("http://h/"), .status(status), "\(headers)")
        XCTAssertEqual(fixture.memory.log.count, 1, "\(headers)")
      }
    }
  }

  func testWaitsAreSpreadAndCapped() {
    let policy = RetryPolicy()
    let error = TransportError(.interrupted, at: "")
    XCTAssertEqual(policy.wait(after: error, retry: 1, random: 0), .milliseconds(250))
    XCTAssertEqual(policy.wait(after: error, retry: 5, random: 0.5), .seconds(6))
    XCTAssertNil(policy.wait(after: error, retry: 6, random: 0))
    var patient = policy
    patient.retries = 100
    XCTAssertEqual(patient.wait(after: error, retry: 100, random: 1), .seconds(30))
  }

  func testAFurtherAttemptStartsTheReceiverOver() async throws {
    var broken = Answer.ok("half")
    broken.breakage = .interrupted
    let fixture = ClientFixture()
    try fixture.answer("http://h/", [broken, .ok("whole")])
    let receiver = RecordingReceiver()
    _ = try await fixture.fetch("http://h/", into: receiver)
    XCTAssertEqual(receiver.heads.count, 2)
    XCTAssertEqual(receiver.bytes, Array("whole".utf8))
  }

  func testHeadersCanBeMadeAnewForEachAttempt() async throws {
    let fixture = ClientFixture()
    try fixture.answer("http://h/", [Answer(refusal: .interrupted), .ok("")])
    let count = Locked(0)
    var request = FetchRequest(try WebAddress("http://h/"))
    request.headersPerAttempt = {
      let start = count.withLock { count in
        count += 100
        return count
      }
      return HTTPHeaders([("Range", "bytes=\(start)-")])
    }
    _ = try await fixture.client.fetch(request, into: DiscardingReceiver())
    XCTAssertEqual(
      fixture.memory.log.map { $0.headers.all("range") }, [["bytes=100-"], ["bytes=200-"]])
  }

  func testAnErrorOfTheReceiverIsNotTriedAgain() async throws {
    let fixture = ClientFixture()
    try fixture.answer("http://h/", [.ok("body")])
    let receiver = RecordingReceiver(onReceive: { _ in throw TransportError(.shortBody, at: "x") })
    try await assertEqual(fixture.code("http://h/", into: receiver), .shortBody)
    XCTAssertEqual(fixture.memory.log.count, 1)
  }

  func testTheWaitCanBeCancelled() async throws {
    let fixture = ClientFixture(isClockHeld: true)
    try fixture.answer("http://h/", [Answer(status: 503)])
    let task = Task { try await fixture.fetch("http://h/") }
    try await fixture.clock.isSlept.wait()
    task.cancel()
    let result = await task.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertEqual(fixture.memory.log.count, 1)
  }

  func testAnOriginThatKeepsFailingIsGivenUpOn() async throws {
    let fixture = ClientFixture { ($0.failuresUntilGivenUp, $0.retry.retries) = (2, 1) }
    try fixture.answer("http://bad/", [Answer(refusal: .couldNotConnect)])
    try fixture.answer("http://bad/ok", [.ok("")])
    try fixture.answer("http://good/", [.ok("")])
    let once = try await fixture.code("http://bad/")
    let healed = try await fixture.code("http://bad/ok")
    let second = try await fixture.code("http://bad/")
    let third = try await fixture.code("http://bad/")
    XCTAssertEqual(
      [once, healed, second, third], [.couldNotConnect, nil, .couldNotConnect, .couldNotConnect])
    let count = fixture.memory.log.count
    try await assertEqual(fixture.code("http://bad/ok"), .originGivenUp)
    XCTAssertEqual(fixture.memory.log.count, count)
    try await assertNil(fixture.code("http://good/"))
  }

  /// A directory on a broken disk: its files begin well, and then the connection is cut.
  func testBodiesThatBreakSpeakForTheirDirectoryAlone() async throws {
    let fixture = ClientFixture { ($0.failuresUntilGivenUp, $0.retry.retries) = (2, 0) }
    for name in ["a", "b"] {
      var answer = Answer.ok("b")
      answer.breakage = .interrupted
      try fixture.answer("http://h/bad/\(name)", [answer])
    }
    try fixture.answer("http://h/good/a", [.ok("")])
    for name in ["a", "b"] {
      try await assertEqual(fixture.code("http://h/bad/\(name)"), .interrupted)
    }
    try await assertEqual(fixture.code("http://h/bad/a"), .directoryGivenUp)
    try await assertNil(fixture.code("http://h/good/a"))
  }

  func testADirectoryThatKeepsFailingIsLeftAloneAndTheRestOfItsOriginIsNot() async throws {
    let fixture = ClientFixture { ($0.failuresUntilGivenUp, $0.retry.retries) = (2, 1) }
    try fixture.answer("http://h/bad/a", [Answer(status: 500)])
    try fixture.answer("http://h/bad/b", [Answer(status: 500)])
    try fixture.answer("http://h/bad/c", [.ok("")])
    try fixture.answer("http://h/good/a", [.ok("")])
    for name in ["a", "b"] { _ = try await fixture.code("http://h/bad/\(name)") }
    let count = fixture.memory.log.count
    do {
      _ = try await fixture.fetch("http://h/bad/c")
      XCTFail("it was asked for")
    } catch let error as TransportError {
      XCTAssertEqual(
        error.description,
        "http://h/bad/: this directory kept failing and is left alone for the rest of this run. "
          + "Look at its first failures, then run again, or leave it out.")
    }
    XCTAssertEqual(fixture.memory.log.count, count)
    try await assertNil(fixture.code("http://h/good/a"))
  }
}
