import SynchronizerTesting
import TestSupport
import SyncLock
import TransportTesting
import XCTest

@testable import SyncTransport

final class PolitenessTests: XCTestCase {
  private typealias Answer = MemoryTransport.Answer

  func testNoMoreRequestsRunAtOnceThanAllowed() async throws {
    let fixture = ClientFixture { $0.requestsPerOrigin = 2 }
    let gates = (0..<4).map { _ in Gate() }
    let arrivals = (0..<4).map { _ in Gate() }
    for index in 0..<4 {
      var answer = Answer.ok("")
      answer.headGate = gates[index]
      answer.arrival = arrivals[index]
      try fixture.answer("http://h/\(index)", [answer])
    }
    try fixture.answer("http://other/", [.ok("")])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<2 {
        group.addTask { _ = try await fixture.fetch("http://h/\(index)") }
        try await arrivals[index].wait()
      }
      let cancelled = Task { try await fixture.fetch("http://h/2") }
      group.addTask { _ = try await fixture.fetch("http://h/3") }
      try await assertEqual(fixture.fetch("http://other/").status, 200)
      XCTAssertEqual(fixture.memory.log.count, 3)
      cancelled.cancel()
      let result = await cancelled.result
      XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
      gates[1].open()
      try await arrivals[3].wait()
      XCTAssertEqual(fixture.memory.log.map(\.address.path), ["/0", "/1", "/", "/3"])
      gates[3].open()
      gates[0].open()
      try await group.waitForAll()
    }
  }

  func testHowManyCallersAreOfUseIsToldWhenTheyBecomeMore() async throws {
    for (adapts, expected) in [(false, []), (true, [12, .max])] {
      let fixture = ClientFixture { ($0.adaptsRequests, $0.requestsPerOrigin) = (adapts, 32) }
      for host in ["one", "other"] { try fixture.answer("http://\(host)/", [.ok("")]) }
      let told = Locked<[Int]>([])
      fixture.client.tellUsefulCallers { number in told.withLock { $0.append(number) } }
      for host in ["one", "one", "other", "one"] { _ = try await fixture.fetch("http://\(host)/") }
      XCTAssertEqual(told.withLock { $0 }, expected)
      XCTAssertEqual(fixture.client.adaptsRequests, adapts)
    }
  }

  func testWhereAFetchWaitsToTryAgainAnyNumberOfCallersIsOfUse() async throws {
    let fixture = ClientFixture { ($0.adaptsRequests, $0.retry.retries) = (true, 1) }
    try fixture.answer("http://h/", [Answer(status: 503), .ok("")])
    let told = Locked<[Int]>([])
    fixture.client.tellUsefulCallers { number in told.withLock { $0.append(number) } }
    _ = try await fixture.fetch("http://h/")
    XCTAssertEqual(told.withLock { $0 }, [12, .max])
  }

  /// With many workers each of 200 items was tried once before the first ten had used up their
  /// retries: each worker waited for its second attempt while the next one tried its first.
  func testAServerThatAlwaysFailsIsGivenUpOnBeforeItIsAskedForEverything() async throws {
    let fixture = ClientFixture(isClockHeld: true) { policy in
      (policy.retry.retries, policy.requestsPerOrigin) = (1, 8)
    }
    let areAllInLine = Gate()
    for index in 0..<200 {
      var answer = Answer(status: 500, body: [])
      answer.headGate = areAllInLine
      try fixture.answer("http://h/\(index)", [answer])
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask { _ = try? await fixture.fetch("http://h/\(index)") }
      }
      let gate = try await gate(of: fixture) { $0.semaphore.waitingCount == 192 }
      areAllInLine.open()
      // Their waits never end, so nobody is done; and then nobody else tries.
      while fixture.clock.sleeps.count < 24 { await Task.yield() }
      let retrying = gate.retrying
      while 24 + retrying.waitingCount + retrying.onlookerCount < 200 { await Task.yield() }
      XCTAssertTrue((24...24 + 8).contains(fixture.memory.log.count), "\(fixture.memory.log.count)")
      group.cancelAll()
    }
  }

  /// What waited took the free place for a moment each and handed it on, so that none ever saw one:
  /// they turned round and round, without end.
  func testAsSoonAsOneNoLongerTriesAgainAllThatWaitedGoOn() async throws {
    let fixture = ClientFixture(isClockHeld: true) { $0.retry.retries = 1 }
    for index in 0..<24 { try fixture.answer("http://h/bad/\(index)", [Answer(status: 500)]) }
    for index in 0..<50 { try fixture.answer("http://h/good/\(index)", [.ok("")]) }
    let arrived = Locked(0)
    let bad = (0..<24).map { index in
      Task { try await fixture.fetch("http://h/bad/\(index)") }
    }
    while fixture.clock.sleeps.count < 24 { await Task.yield() }
    let good = (0..<50).map { index in
      Task {
        _ = try await fixture.fetch("http://h/good/\(index)")
        arrived.withLock { $0 += 1 }
      }
    }
    _ = try await gate(of: fixture) { $0.retrying.onlookerCount == 50 }
    XCTAssertEqual(arrived.withLock { $0 }, 0, "they wait")
    bad[0].cancel()
    for task in good { try await task.value }
    XCTAssertEqual(arrived.withLock { $0 }, 50)
    for task in bad { task.cancel() }
  }

  /// The gate of the host, once those who come to it stand as `condition` wants them to.
  private func gate(
    of fixture: ClientFixture, _ condition: (OriginGate) -> Bool
  ) async throws -> OriginGate {
    let origin = try WebAddress("http://h/").origin
    while true {
      if let gate = fixture.limits[origin], condition(gate) { return gate }
      await Task.yield()
    }
  }

  func testABodyIsHeldToItsRate() async throws {
    let fixture = ClientFixture { $0.bytesPerSecond = 1000 }
    var answer = Answer(body: [UInt8](repeating: 1, count: 5000))
    answer.pieceSize = 500
    try fixture.answer("http://h/", [answer])
    let receiver = RecordingReceiver()
    _ = try await fixture.fetch("http://h/", into: receiver)
    XCTAssertEqual(receiver.bytes.count, 5000)
    // The first second's worth goes at once; the last piece is followed by nothing to hold back.
    let waited = fixture.clock.sleeps.reduce(.zero, +)
    XCTAssertGreaterThanOrEqual(waited, .milliseconds(3499))
    XCTAssertLessThanOrEqual(waited, .milliseconds(4001))
  }

  func testManySmallBodiesTogetherAreHeldToTheRate() async throws {
    let fixture = ClientFixture { policy in
      (policy.bytesPerSecond, policy.requestsPerOrigin) = (10_000, 16)
    }
    let began = fixture.clock.now
    for index in 0..<100 {
      try fixture.answer("http://h/\(index)", [Answer(body: [UInt8](repeating: 1, count: 1_000))])
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<100 { group.addTask { _ = try await fixture.fetch("http://h/\(index)") } }
      try await group.waitForAll()
    }
    // A second's worth goes at once; those that are asked for last are waited for by nobody. The
    // clock goes on with each of those that wait, one after the other, so that it may be ahead.
    let took = began.duration(to: fixture.clock.now)
    XCTAssertGreaterThanOrEqual(took, .milliseconds(7_000))
    XCTAssertLessThanOrEqual(took, .milliseconds(20_000))
  }

  func testARateAndAReceiverThatPausesBothHoldABody() async throws {
    let fixture = ClientFixture { $0.bytesPerSecond = 1000 }
    var answer = Answer(body: [UInt8](repeating: 1, count: 5000))
    answer.pieceSize = 700
    try fixture.answer("http://h/", [answer])
    let handle = Locked<Resumption?>(nil)
    let receiver = RecordingReceiver(
      onBegin: { _, resumption in handle.withLock { $0 = resumption } },
      onReceive: { _ in
        handle.withLock { $0 }?.resume()
        return .pause
      })
    _ = try await fixture.fetch("http://h/", into: receiver)
    XCTAssertEqual(receiver.bytes.count, 5000)
    XCTAssertFalse(fixture.clock.sleeps.isEmpty)
  }

  func testARateHoldsARealTransport() async throws {
    let server = try rawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      return connection.send([UInt8](repeating: 1, count: 1_000_000))
    }
    let curl = CurlTransport(environment: [:])
    let clock = ScriptedClock()
    var policy = ClientPolicy()
    policy.bytesPerSecond = 100_000
    let client = HTTPClient(curl, policy: policy, clock: clock)
    let request = FetchRequest(try WebAddress(server.url("/")))
    let receiver = DataReceiver(limit: 1_000_000)
    _ = try await client.fetch(request, into: receiver)
    XCTAssertEqual(receiver.bytes.count, 1_000_000)
    XCTAssertGreaterThanOrEqual(clock.sleeps.reduce(.zero, +), .seconds(8))
    await curl.close()
  }
}
