internal import SyncLock

/// Lets exchanges with one origin in, for all clients that share it.
final class OriginGate: Sendable {
  /// Lets so many exchanges in at once.
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

  /// An exchange that began at `start` has ended.
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
