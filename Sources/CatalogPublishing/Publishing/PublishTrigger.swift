import SyncLock

/// Has a folder that is watched be published at once, whether a change of it was seen or not.
public final class PublishTrigger: Sendable {
  private struct State {
    var isAsked = false
    var wake: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// A trigger; pulled before there is a watch, it works as soon as there is one.
  public init() {}

  /// Has the folder published again, once whatever is under way has ended.
  public func publish() {
    let wake = state.withLock { state in
      state.isAsked = true
      return state.wake
    }
    wake?()
  }

  func take() -> Bool {
    state.withLock { state in
      defer { state.isAsked = false }
      return state.isAsked
    }
  }

  /// What wakes whoever waits.
  func wakes(by wake: (@Sendable () -> Void)?) {
    state.withLock { $0.wake = wake }
  }
}
