internal import SyncLock

/// What several clients share, so that the limits of an origin hold for all of them together: how
/// many exchanges at once, how many bytes a second. Where they allow different numbers, the lowest
/// one of those that have to do with the origin at that time holds.
///
/// What was learned of an origin ends with the last of them.
package final class OriginLimits: Sendable {
  /// Measures for all of them, since each would count from another beginning.
  let time: Timeline
  private let gates = Locked<[Origin: OriginGate]>([:])

  package init(clock: any Clock<Duration> = ContinuousClock()) {
    time = Timeline(clock)
  }

  var count: Int { gates.withLock { $0.count } }

  /// The gate of an origin that somebody has to do with.
  subscript(origin: Origin) -> OriginGate? { gates.withLock { $0[origin] } }

  func enter(_ origin: Origin, _ policy: ClientPolicy) -> (gate: OriginGate, number: Int) {
    let now = time.now
    let (gate, (number, wakeups)) = gates.withLock { gates in
      let gate = gates[origin] ?? OriginGate()
      gates[origin] = gate
      return (gate, gate.enter(policy, at: now))
    }
    wakeups.tell()
    return (gate, number)
  }

  /// The client that got this number is done with the origin.
  func leave(_ origin: Origin, _ number: Int) {
    gates.withLock { gates in
      guard let (wasLast, wakeups) = gates[origin]?.leave(number) else { return Wakeups() }
      if wasLast { gates[origin] = nil }
      return wakeups
    }.tell()
  }
}

/// Lets exchanges with one origin in, for all clients that share it.
final class OriginGate: Sendable {
  let semaphore = AsyncSemaphore(permits: 1)
  /// Held by fetches that failed here and try again. Who hasn't tried yet waits until a place is
  /// free: a server that always fails is given up on before it was asked for everything.
  let retrying = AsyncSemaphore(permits: 24)
  private let state = Locked(State())

  private struct State: Sendable {
    var terms = OriginTerms()
    var bucket: Bucket?
  }

  /// The one that all share, so that they keep the rate together.
  private struct Bucket: Sendable {
    var bytesPerSecond: Int64
    var bucket: Locked<TokenBucket>
  }

  /// The rate limit, if there is one. What is under way keeps the one that it began with.
  var bucket: Locked<TokenBucket>? { state.withLock { $0.bucket?.bucket } }

  /// Whether the origin has answered over a connection that carries many exchanges.
  var isMultiplexed: Bool { state.withLock { $0.terms.isMultiplexed } }

  /// A client begins to ask; answers the number by which it leaves, and whom to tell when no lock
  /// is held.
  func enter(_ policy: ClientPolicy, at now: Duration) -> (number: Int, Wakeups) {
    change { $0.enter(policy, at: now) }
  }

  /// That client is done. `true` when it was the last one; and whom to tell when no lock is held.
  func leave(_ number: Int) -> (wasLast: Bool, Wakeups) {
    change { terms in
      terms.leave(number)
      return terms.isIdle
    }
  }

  func noteBegin(at now: Duration) {
    state.withLock { $0.terms.began(at: now) }
  }

  func noteEnd(_ end: ExchangeEnd, since start: Duration, at now: Duration) {
    change { $0.ended(end, since: start, at: now) }.1.tell()
  }

  private func change<Answer: Sendable>(
    _ body: (inout OriginTerms) -> Answer
  ) -> (Answer, Wakeups) {
    state.withLock { state in
      let answer = body(&state.terms)
      let rate = state.terms.bytesPerSecond
      if rate != state.bucket?.bytesPerSecond {
        state.bucket = rate.map {
          Bucket(bytesPerSecond: $0, bucket: Locked(TokenBucket(bytesPerSecond: $0)))
        }
      }
      // Under the lock, so that the last word is the last one set.
      return (answer, semaphore.setPermits(state.terms.permits))
    }
  }
}

/// Decides how many exchanges with one origin go on at once, and how fast its bytes may come, for
/// all clients that share it: what the strictest of them allows.
struct OriginTerms: Equatable {
  private struct Client: Equatable {
    var requests: Int
    var streams: Int
    var adapts: Bool
    var bytesPerSecond: Int64?
  }

  private var clients: [Int: Client] = [:]
  private var lastNumber = 0
  private var adaptive: AdaptiveLimit?
  /// Whether the origin has answered over a connection that carries many exchanges.
  private(set) var isMultiplexed = false

  /// Whether nobody has to do with the origin any more.
  var isIdle: Bool { clients.isEmpty }

  var permits: Int {
    let most = max(1, clients.values.map(isMultiplexed ? \.streams : \.requests).min() ?? 1)
    guard let adaptive, clients.values.contains(where: \.adapts) else { return most }
    return min(most, adaptive.limit)
  }

  /// The most bytes of bodies a second; `nil` is without limit.
  var bytesPerSecond: Int64? { clients.values.compactMap(\.bytesPerSecond).min() }

  /// A client has to do with the origin from now on; answers the number by which it leaves.
  mutating func enter(_ policy: ClientPolicy, at now: Duration) -> Int {
    lastNumber += 1
    clients[lastNumber] = Client(
      requests: policy.requestsPerOrigin, streams: policy.streamsPerOrigin,
      adapts: policy.adaptsRequests, bytesPerSecond: policy.bytesPerSecond)
    if policy.adaptsRequests {
      let most = isMultiplexed ? policy.streamsPerOrigin : policy.requestsPerOrigin
      adaptive?.allow(most)
      adaptive = adaptive ?? AdaptiveLimit(atMost: most, at: now)
    }
    return lastNumber
  }

  mutating func leave(_ number: Int) {
    clients[number] = nil
  }

  mutating func began(at now: Duration) {
    adaptive?.began(at: now)
  }

  /// An exchange that began at `start` has ended; see ``AdaptiveLimit``.
  mutating func ended(_ end: ExchangeEnd, since start: Duration, at now: Duration) {
    if end.isMultiplexed, !isMultiplexed {
      isMultiplexed = true
      let most = clients.values.filter(\.adapts).map(\.streams).max()
      if let most { adaptive?.allow(most) }
    }
    adaptive?.ended(bytes: end.bytes, isRefusal: end.isRefusal, since: start, at: now)
  }
}

/// How an exchange ended, as far as it tells how many an origin takes at once.
struct ExchangeEnd: Equatable {
  /// The bytes of the body; `nil` when it failed, whatever had come by then.
  var bytes: Int64?
  /// Whether the server answered that it has too much to do.
  var isRefusal: Bool
  var isMultiplexed = false
}

extension ExchangeEnd {
  init(_ response: HTTPResponse) {
    self.init(
      bytes: response.status < 500 ? response.bodyBytes : nil,
      isRefusal: Self.isRefusal(response.status), isMultiplexed: response.head.isMultiplexed)
  }

  /// It failed, after this status if it came as far.
  init(failedAfter status: Int?) {
    self.init(bytes: nil, isRefusal: Self.isRefusal(status))
  }

  private static func isRefusal(_ status: Int?) -> Bool { status == 429 || status == 503 }
}
