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

/// Decides how long to wait so that, on average, no more than a rate goes through. One second's
/// worth may go at once.
///
/// A body that has come can't be held back any more: of many small ones, each is waited for before
/// it is asked for. Its size isn't known by then, so what bodies had of late is set aside.
struct TokenBucket: Equatable {
  enum Admission: Equatable {
    /// It may, and so many bytes are set aside for it.
    case now(deposit: Int)
    /// After this time it can be asked again.
    case later(Duration)
  }

  private let bytesPerSecond: Double
  private var level: Double
  private var last: Duration?
  /// What a body had of late.
  private var usual: Double

  /// What a body is taken for before any has come: 16 KiB.
  private static let firstGuess = 16_384.0
  /// How much the last body counts in what is usual.
  private static let weight = 0.2

  /// A full bucket; a rate below 1 counts as 1.
  init(bytesPerSecond: Int64) {
    self.bytesPerSecond = Double(max(1, bytesPerSecond))
    level = self.bytesPerSecond
    usual = min(Self.firstGuess, self.bytesPerSecond)
  }

  /// A body is about to be asked for. Tell the bucket of its end, if it is.
  mutating func admit(at now: Duration) -> Admission {
    fill(at: now)
    // Less than a byte is what rounding makes of nothing.
    guard level > -1 else { return .later(.seconds(-level / bytesPerSecond)) }
    let deposit = Int(usual)
    level -= Double(deposit)
    return .now(deposit: deposit)
  }

  /// Bytes went through, beyond what was set aside: how long nothing may follow.
  mutating func spend(_ bytes: Int, at now: Duration) -> Duration {
    fill(at: now)
    level -= Double(bytes)
    return level >= 0 ? .zero : .seconds(-level / bytesPerSecond)
  }

  /// A body has ended: so many bytes came of it, and so many that were set aside weren't used.
  mutating func end(received: Int64, unused deposit: Int) {
    level += Double(deposit)
    guard received > 0 else { return }
    usual += (min(Double(received), bytesPerSecond) - usual) * Self.weight
  }

  private mutating func fill(at now: Duration) {
    if let last, now > last {
      level = min(bytesPerSecond, level + (now - last).inSeconds * bytesPerSecond)
    }
    last = now
  }
}
