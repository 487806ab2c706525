import SyncFolder
import SyncLock

/// Hands a run's events to its subscribers, and keeps count of its progress.
package final class MirrorObserver: Sendable {
  private struct State {
    var progress = MirrorProgress()
    /// Told that the progress has changed, once until it is taken.
    var onChange: (@Sendable () -> Void)?
    var hasToldChange = false
  }

  private let state = Locked(State())
  private let subscribers = StreamHub<NewestElements<MirrorEvent>>()
  private let losses = LossCount()

  package init() {}

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
    HeldLocks.assertNone()
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
    if subscribers.hasReaders { subscribers.send(event()) }
  }

  /// How many events subscribers have lost, as they didn't read in time.
  var dropped: Int { losses.count }

  func subscribe() -> AsyncStream<MirrorEvent> {
    subscribers.stream(NewestElements(atMost: Self.bufferSize, losses: losses))
  }

  func finish() { subscribers.close() }
}
