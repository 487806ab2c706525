import SyncFolder
import SyncLock

/// Hands a run's events to its subscribers, and keeps count of its progress.
final class MirrorObserver: Sendable {
  private struct State {
    var progress = MirrorProgress()
    var subscribers: [Int: AsyncStream<MirrorEvent>.Continuation] = [:]
    var lastSubscriber = 0
    var dropped = 0
    /// Told that the progress has changed, once until it is taken.
    var onChange: (@Sendable () -> Void)?
    var hasToldChange = false
  }

  private let state = Locked(State())

  /// How many events wait for a subscriber that doesn't read; older ones are dropped.
  static let bufferSize = 10_000

  var progress: MirrorProgress { state.withLock { $0.progress } }

  func update(_ change: (inout MirrorProgress) -> Void) {
    let tell = state.withLock { state -> (@Sendable () -> Void)? in
      change(&state.progress)
      guard let onChange = state.onChange, !state.hasToldChange else { return nil }
      state.hasToldChange = true
      return onChange
    }
    tell?()
  }

  /// Has somebody told when the progress has changed since it was taken; `nil` tells nobody.
  func whenChanged(_ tell: (@Sendable () -> Void)?) {
    state.withLock { ($0.onChange, $0.hasToldChange) = (tell, false) }
  }

  /// The progress; its next change is told again.
  func takeProgress() -> MirrorProgress {
    state.withLock { state in
      state.hasToldChange = false
      return state.progress
    }
  }

  /// Another run holds the folder, and this one waits.
  func waits(for holder: LockHolder?) {
    enter(.wait)
    publish(.waiting(for: holder))
  }

  func enter(_ stage: MirrorStage) {
    update { $0.stage = stage }
    publish(.stage(stage))
  }

  /// Made only if somebody listens: there are several for each item.
  func publish(_ event: @autoclosure () -> MirrorEvent) {
    guard state.withLock({ !$0.subscribers.isEmpty }) else { return }
    let event = event()
    for subscriber in state.withLock({ Array($0.subscribers.values) }) {
      if case .dropped = subscriber.yield(event) { state.withLock { $0.dropped += 1 } }
    }
  }

  /// How many events subscribers have lost, as they didn't read in time.
  var dropped: Int { state.withLock { $0.dropped } }

  func subscribe() -> AsyncStream<MirrorEvent> {
    let (stream, continuation) = AsyncStream<MirrorEvent>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.bufferSize))
    let number = state.withLock { state in
      state.lastSubscriber += 1
      state.subscribers[state.lastSubscriber] = continuation
      return state.lastSubscriber
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.subscribers[number] = nil }
    }
    return stream
  }

  /// The streams of all subscribers end.
  func finish() {
    let subscribers = state.withLock { state in
      defer { state.subscribers = [:] }
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.finish() }
  }

  deinit { finish() }
}
