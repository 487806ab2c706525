internal import SyncLock

/// Holds a body to a rate: it pauses the exchange and says until when.
///
/// The exchange goes on when both have agreed: the receiver behind, and ``endWait()``.
final class PacedReceiver: BodyReceiver {
  private let receiver: any BodyReceiver
  private let bucket: Locked<TokenBucket>
  private let time: Timeline
  private let waits: AsyncStream<Duration>.Continuation
  private let state: Locked<State>

  private struct State: Sendable {
    var resumption: Resumption?
    /// Waits that were asked for and aren't over.
    var waits = 0
    var isHeldByReceiver = false
    /// What is left of the bytes that were set aside for the body.
    var deposit: Int
    /// The bytes that have come.
    var received: Int64 = 0
    /// Counts the receiver's resumes, so that one during `receive` isn't lost.
    var resumes = 0

    /// What to call when nobody holds the exchange any more.
    var release: Resumption? { waits > 0 || isHeldByReceiver ? nil : resumption }
  }

  /// - Parameter deposit: the bytes that the bucket has set aside for the body.
  init(
    _ receiver: any BodyReceiver, bucket: Locked<TokenBucket>, deposit: Int, time: Timeline,
    waits: AsyncStream<Duration>.Continuation
  ) {
    state = Locked(State(deposit: deposit))
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
    let (rest, resumes) = state.withLock { state in
      let covered = min(state.deposit, bytes.count)
      state.deposit -= covered
      state.received += Int64(bytes.count)
      return (bytes.count - covered, state.resumes)
    }
    let wait = rest == 0 ? .zero : bucket.withLock { $0.spend(rest, at: now) }
    let demand = try receiver.receive(bytes)
    let isHeld = state.withLock { state in
      state.isHeldByReceiver = demand == .pause && state.resumes == resumes
      if wait > .zero { state.waits += 1 }
      return state.isHeldByReceiver || state.waits > 0
    }
    if wait > .zero { waits.yield(now + wait) }
    return isHeld ? .pause : .more
  }

  /// The exchange has ended, whichever way.
  func end() {
    let (received, deposit) = state.withLock { state in
      defer { state.deposit = 0 }
      return (state.received, state.deposit)
    }
    bucket.withLock { $0.end(received: received, unused: deposit) }
  }

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
