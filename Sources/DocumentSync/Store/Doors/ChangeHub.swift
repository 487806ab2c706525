private import SyncLock

/// Tells those who listen what the commits of a store changed.
final class ChangeHub: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<StoreChange>.Continuation] = [:]
    var next = 0
    var isClosed = false
    /// SQLite's name for the file as it was when others were noticed last.
    var version: Int64?
  }

  private let state = Locked(State())

  deinit { close() }

  /// Whether anybody listens.
  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  /// What is told from now on. It waits for who listens, however long.
  func subscribe() -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream<StoreChange>.makeStream()
    let number = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  /// Something was committed.
  func tell(_ change: StoreChange) {
    for listener in state.withLock({ $0.listeners.sorted { $0.key < $1.key }.map(\.value) }) {
      listener.yield(change)
    }
  }

  /// SQLite's name for the file is this one: if it was another, somebody else wrote to it.
  func look(at version: Int64) {
    let isOther = state.withLock { state in
      defer { state.version = version }
      return state.version.map { $0 != version } ?? false
    }
    if isOther { tell(StoreChange(origin: .others, documents: [], isComplete: false)) }
  }

  /// Whether the store is closed, or about to be.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Nobody else listens from now on; those who do are still told what is recorded.
  func beginClosing() { state.withLock { $0.isClosed = true } }

  /// Nothing more will be told.
  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
