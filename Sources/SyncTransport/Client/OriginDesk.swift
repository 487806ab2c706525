internal import SyncLock

/// What a client keeps of one origin: who is in line, how fast it may go, how it has fared.
final class OriginDesk: Sendable {
  /// Lets so many exchanges in at once.
  let semaphore: AsyncSemaphore
  /// The rate limit, if there is one.
  let bucket: Locked<TokenBucket>?
  private let failureLimit: Int
  private let failures = Locked(0)
  private let adaptive: Locked<AdaptiveLimit>?

  init(_ policy: ClientPolicy, at now: Duration) {
    let limit = AdaptiveLimit(atMost: policy.requestsPerOrigin, at: now)
    adaptive = policy.adaptsRequests ? Locked(limit) : nil
    semaphore = AsyncSemaphore(
      permits: policy.adaptsRequests ? limit.limit : policy.requestsPerOrigin)
    bucket = policy.bytesPerSecond.map { Locked(TokenBucket(bytesPerSecond: $0)) }
    failureLimit = max(1, policy.failuresUntilGivenUp)
  }

  /// Whether the origin is given up on. Once so, it stays so.
  var isGivenUp: Bool { failures.withLock { $0 >= failureLimit } }

  /// An exchange begins.
  func noteBegin(at now: Duration) {
    adaptive?.withLock { $0.began(at: now) }
  }

  /// An exchange that began at `start` has ended, with so many bytes of a body and this status, if
  /// it came as far.
  func noteEnd(bytes: Int64, status: Int?, since start: Duration, at now: Duration) {
    adaptive?.withLock { adaptive in
      adaptive.ended(
        bytes: bytes, isRefusal: status == 429 || status == 503, since: start, at: now)
      // Under the lock, so that the last word is the last one set.
      semaphore.setPermits(adaptive.limit)
    }
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
