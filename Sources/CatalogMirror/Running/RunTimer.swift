import SyncLock

/// The time that one run may take.
final class RunTimer: Sendable {
  private struct State {
    var isUp = false
    var tell: (@Sendable (Duration) -> Void)?
  }

  private let limit: Duration?
  private let state = Locked(State())

  /// A time; `nil` is without an end.
  init(_ limit: Duration?) {
    self.limit = limit
  }

  var reached: Duration? { state.withLock { $0.isUp ? limit : nil } }

  /// Who is told, before the run is cancelled, that its time is up; the one before is forgotten.
  func whenUp(_ tell: @escaping @Sendable (Duration) -> Void) {
    guard limit != nil else { return }
    state.withLock { $0.tell = tell }
  }

  /// Does something, and cancels it when the time is up.
  func limiting<Value: Sendable>(
    _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask { [self] in
        try await clock.sleep(for: limit)
        timeIsUp(after: limit)
        return nil
      }
      defer { group.cancelAll() }
      while let value = try await group.next() {
        if let value { return value }
        group.cancelAll()
      }
      throw CancellationError()
    }
  }

  private func timeIsUp(after limit: Duration) {
    let tell = state.withLock { state in
      state.isUp = true
      return state.tell
    }
    tell?(limit)
  }
}
