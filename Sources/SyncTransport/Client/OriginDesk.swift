internal import SyncLock

/// What a client keeps of one origin: the gate that it shares with others, and how the origin has
/// fared.
final class OriginDesk: Sendable {
  private let gate: OriginGate
  /// The number by which the client leaves the gate.
  let number: Int
  private let failureLimit: Int
  private let failures = Locked(0)

  /// A desk at a gate that nobody else uses.
  convenience init(_ policy: ClientPolicy, at now: Duration) {
    let gate = OriginGate()
    self.init(policy, gate: gate, number: gate.enter(policy, at: now))
  }

  /// A desk at a gate that the client has entered.
  init(_ policy: ClientPolicy, gate: OriginGate, number: Int) {
    self.gate = gate
    self.number = number
    failureLimit = max(1, policy.failuresUntilGivenUp)
  }

  /// Lets so many exchanges in at once.
  var semaphore: AsyncSemaphore { gate.semaphore }

  /// Held by fetches that failed here and try again.
  var retrying: AsyncSemaphore { gate.retrying }

  /// The rate limit, if there is one.
  var bucket: Locked<TokenBucket>? { gate.bucket }

  /// Whether the origin is given up on. Once so, it stays so.
  var isGivenUp: Bool { failures.withLock { $0 >= failureLimit } }

  /// An exchange begins.
  func noteBegin(at now: Duration) {
    gate.noteBegin(at: now)
  }

  /// An exchange that began at `start` has ended.
  func noteEnd(_ end: ExchangeEnd, since start: Duration, at now: Duration) {
    gate.noteEnd(end, since: start, at: now)
  }

  /// The origin answered in a way that isn't a passing failure.
  func noteAnswer() {
    failures.withLock { if $0 < failureLimit { $0 = 0 } }
  }

  /// A fetch used up its retries. `true` when that was the one too many.
  func noteExhausted() -> Bool {
    failures.withLock { count in
      count += 1
      return count == failureLimit
    }
  }
}
