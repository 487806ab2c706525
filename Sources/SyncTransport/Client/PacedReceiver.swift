internal import SyncLock

/// Holds a body to a rate: it pauses the exchange and says until when.
///
/// The exchange goes on when both have agreed: the receiver behind, and ``endWait()``.
final class PacedReceiver: BodyReceiver {
  private let receiver: any BodyReceiver
  private let bucket: Locked<TokenBucket>
  private let time: Timeline
  private let waits: AsyncStream<Duration>.Continuation
  private let state = Locked(State())

  private struct State: Sendable {
    var resumption: Resumption?
    /// Waits that were asked for and aren't over.
    var waits = 0
    var isHeldByReceiver = false
    /// Counts the receiver's resumes, so that one during `receive` isn't lost.
    var resumes = 0

    /// What to call when nobody holds the exchange any more.
    var release: Resumption? { waits > 0 || isHeldByReceiver ? nil : resumption }
  }

  init(
    _ receiver: any BodyReceiver, bucket: Locked<TokenBucket>, time: Timeline,
    waits: AsyncStream<Duration>.Continuation
  ) {
    self.receiver = receiver
    self.bucket = bucket
    self.time = time
    self.waits = waits
  }

  func begin(_ head: HTTPHead, resumption: Resumption) throws {
    state.withLock { $0.resumption = resumption }
    let own = Resumption { [weak self] in self?.resumeReceiver() }
    try receiver.begin(head, resumption: own)
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    let now = time.now
    let wait = bucket.withLock { $0.spend(bytes.count, at: now) }
    let resumes = state.withLock { $0.resumes }
    let demand = try receiver.receive(bytes)
    let isHeld = state.withLock { state in
      state.isHeldByReceiver = demand == .pause && state.resumes == resumes
      if wait > .zero { state.waits += 1 }
      return state.isHeldByReceiver || state.waits > 0
    }
    if wait > .zero { waits.yield(now + wait) }
    return isHeld ? .pause : .more
  }

  /// The wait that was asked for is over.
  func endWait() {
    state.withLock { state in
      state.waits -= 1
      return state.release
    }?.resume()
  }

  private func resumeReceiver() {
    state.withLock { state in
      state.resumes += 1
      state.isHeldByReceiver = false
      return state.release
    }?.resume()
  }
}
