import SyncLock

/// Keeps the newest value and gives it to any number of readers, each of which sees the newest when
/// it looks: who reads slowly skips what lay between, unless each is to be told.
final class Newest<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var readers: [Int: AsyncStream<Value>.Continuation] = [:]
    var lastReader = 0
  }

  private let state: Locked<State>

  private let tellsEach: Bool

  /// Begins with a first value.
  ///
  /// - Parameter tellsEach: whether who reads slowly is told what lay between, too.
  init(_ value: Value, tellsEach: Bool = false) {
    state = Locked(State(value: value))
    self.tellsEach = tellsEach
  }

  /// There is this value now. Nobody is told of one that is as it was.
  func set(_ value: Value) {
    state.withLock { state in
      guard state.value != value else { return }
      state.value = value
      // Under the lock, so that they come in order; nobody is waited for.
      for reader in state.readers.values { reader.yield(value) }
    }
  }

  /// The present value, then each newer one.
  var values: AsyncStream<Value> {
    let (stream, sink) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: tellsEach ? .unbounded : .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastReader += 1
      state.readers[state.lastReader] = sink
      sink.yield(state.value)
      return state.lastReader
    }
    sink.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  deinit {
    for reader in state.withLock({ $0.readers }).values { reader.finish() }
  }
}
