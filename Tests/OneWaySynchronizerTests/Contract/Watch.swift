import SyncLock

/// Counts calls and passes them on.
final class Watch: Sendable {
  private struct State {
    var count = 0
    var body: @Sendable () -> Void = {}
  }

  private let state = Locked(State())

  var count: Int { state.withLock { $0.count } }

  func set(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.body = body }
  }

  func call() {
    let body = state.withLock { state in
      state.count += 1
      return state.body
    }
    body()
  }
}
