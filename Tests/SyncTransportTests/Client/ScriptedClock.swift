import SyncLock
import SyncTransport
import SynchronizerTesting

/// A clock that doesn't wait: a sleep moves it, or, when held, lasts until cancelled.
final class ScriptedClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let isHeld: Bool
  private let state = Locked((now: Duration.zero, sleeps: [Duration]()))
  /// Opened when somebody sleeps.
  let isSlept = Gate()

  init(isHeld: Bool = false) {
    self.isHeld = isHeld
  }

  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  var minimumResolution: Duration { .nanoseconds(1) }
  /// Every sleep, in order.
  var sleeps: [Duration] { state.withLock { $0.sleeps } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.sleeps.append(deadline.offset - state.now)
      if !isHeld { state.now = max(state.now, deadline.offset) }
    }
    isSlept.open()
    if isHeld { try await Gate().wait() }
  }
}
