import SyncLock
import SynchronizerTesting
import TransportTesting
import XCTest

@testable import SyncTransport

/// Several clients of one process: what is allowed of an origin is allowed to all of them together.
final class SharedLimitsTests: XCTestCase {
  private typealias Answer = MemoryTransport.Answer
  private let origin = try? WebAddress("http://h/").origin

  private func policy(
    _ requests: Int, adapts: Bool = false, rate: Int64? = nil
  ) -> ClientPolicy {
    var policy = ClientPolicy()
    policy.requestsPerOrigin = requests
    policy.adaptsRequests = adapts
    policy.bytesPerSecond = rate
    return policy
  }

  func testTheStrictestOfThoseThatHaveToDoWithAnOriginCounts() {
    var terms = OriginTerms()
    let one = terms.enter(policy(32, rate: 5_000), at: .zero)
    XCTAssertEqual(terms.permits, 32)
    let other = terms.enter(policy(2), at: .zero)
    XCTAssertEqual(terms.permits, 2)
    XCTAssertEqual(terms.bytesPerSecond, 5_000)
    let third = terms.enter(policy(4, rate: 1_000), at: .zero)
    XCTAssertEqual(terms.permits, 2)
    XCTAssertEqual(terms.bytesPerSecond, 1_000)
    terms.leave(other)
    XCTAssertEqual(terms.permits, 4)
    terms.leave(third)
    XCTAssertEqual(terms.permits, 32)
    XCTAssertEqual(terms.bytesPerSecond, 5_000)
    XCTAssertFalse(terms.isIdle)
    terms.leave(one)
    XCTAssertTrue(terms.isIdle)
  }

  func testWhatAServerBearsIsFoundOutForAllTogether() {
    var terms = OriginTerms()
    _ = terms.enter(policy(32, adapts: true), at: .zero)
    _ = terms.enter(policy(64, adapts: true), at: .zero)
    XCTAssertEqual(terms.permits, 8)
    for _ in 0..<2 {
      terms.began(at: .zero)
      terms.ended(ExchangeEnd(failedAfter: 503), since: .zero, at: .zero)
    }
    XCTAssertEqual(terms.permits, 4, "it refused two of two")
    let strict = terms.enter(policy(3), at: .zero)
    XCTAssertEqual(terms.permits, 3)
    terms.leave(strict)
    XCTAssertEqual(terms.permits, 4)
  }

  func testOneConnectionThatCarriesManyMayBeAskedForMore() {
    for adapts in [false, true] {
      var terms = OriginTerms()
      var policy = policy(2, adapts: adapts)
      policy.streamsPerOrigin = 4
      _ = terms.enter(policy, at: .zero)
      end(multiplexed: false, of: &terms, at: .zero)
      XCTAssertEqual(terms.permits, 2)
      end(multiplexed: true, of: &terms, at: .zero)
      XCTAssertEqual(terms.permits, adapts ? 2 : 4, "an adapting one has to see that it helps")
      end(multiplexed: true, of: &terms, at: .seconds(1))
      XCTAssertEqual(terms.permits, 4)
      let later = terms.enter(self.policy(8), at: .zero)
      XCTAssertEqual(terms.permits, 4, "the strictest counts here, too")
      terms.leave(later)
    }
  }

  /// Two exchanges at once.
  private func end(multiplexed: Bool, of terms: inout OriginTerms, at time: Duration) {
    for _ in 0..<2 { terms.began(at: .zero) }
    let end = ExchangeEnd(bytes: 0, isRefusal: false, isMultiplexed: multiplexed)
    for _ in 0..<2 { terms.ended(end, since: .zero, at: time) }
  }

  func testTwoClientsAskNoMoreAtOnceThanOneMay() async throws {
    let memory = MemoryTransport()
    let limits = OriginLimits()
    let clients = [policy(2), policy(2)].map {
      HTTPClient(memory, policy: $0, limits: limits, random: { 1 })
    }
    let (gates, arrivals) = ((0..<3).map { _ in Gate() }, (0..<3).map { _ in Gate() })
    for index in 0..<3 {
      var answer = Answer.ok("")
      (answer.headGate, answer.arrival) = (gates[index], arrivals[index])
      memory.answer(try WebAddress("http://h/\(index)"), with: answer)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<2 {
        group.addTask { try await Self.fetch("http://h/\(index)", by: clients[index]) }
        try await arrivals[index].wait()
      }
      group.addTask { try await Self.fetch("http://h/2", by: clients[0]) }
      gates[1].open()
      try await arrivals[2].wait()
      XCTAssertEqual(memory.log.map(\.address.path), ["/0", "/1", "/2"])
      gates[0].open()
      gates[2].open()
      try await group.waitForAll()
    }
    for client in clients { client.leave() }
    XCTAssertEqual(limits.count, 0, "what was learned ends with the last of them")
  }

  func testTheyShareTheRateAndTheClockThatItIsMeasuredWith() throws {
    let limits = OriginLimits(clock: ManualClock())
    let origin = try XCTUnwrap(origin)
    let (one, first) = limits.enter(origin, policy(2, rate: 1_000))
    let (other, second) = limits.enter(origin, policy(2, rate: 1_000))
    XCTAssertIdentical(one.bucket, other.bucket)
    let (_, third) = limits.enter(origin, policy(2, rate: 500))
    XCTAssertNotIdentical(one.bucket, nil)
    for number in [first, second, third] { limits.leave(origin, number) }
    XCTAssertNil(one.bucket)
  }

  private static func fetch(_ url: String, by client: HTTPClient) async throws {
    _ = try await client.fetch(
      FetchRequest(HTTPRequest(try WebAddress(url))), into: DiscardingReceiver())
  }
}
