import SyncLock

/// Keeps the newest value and gives it to any number of readers, each of which sees the newest when
/// it looks: who reads slowly skips what lay between, unless each is to be told.
final class Newest<Value: Sendable & Equatable>: Sendable {
  private let value: Locked<Value>
  private let readers = StreamHub<NewestElements<Value>>()
  private let tellsEach: Bool

  /// Begins with a first value.
  ///
  /// - Parameter tellsEach: whether who reads slowly is told what lay between, too.
  init(_ value: Value, tellsEach: Bool = false) {
    self.value = Locked(value)
    self.tellsEach = tellsEach
  }

  /// There is this value now. Nobody is told of one that is as it was. Tell those that it returns
  /// when no lock is held.
  func put(_ new: Value) -> Wakeups {
    value.withLock { value in
      guard value != new else { return Wakeups() }
      value = new
      return readers.put(new)
    }
  }

  var values: AsyncStream<Value> {
    value.withLock { readers.stream(NewestElements(atMost: tellsEach ? .max : 1, first: [$0])) }
  }
}

/// Has asynchronous work done one piece after the other.
final class SerialWork: Sendable {
  private let isTaken = Watched(false)

  /// Runs `body` when no other runs. Throws `CancellationError` if the task is cancelled before it
  /// began.
  func alone<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await isTaken.wait { isTaken -> Void? in
      if isTaken { return nil }
      isTaken = true
      return ()
    }
    defer { isTaken.change { $0 = false } }
    return try await body()
  }
}
