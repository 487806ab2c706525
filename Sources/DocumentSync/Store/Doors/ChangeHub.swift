private import SyncLock

/// Tells those who listen what the commits of a store changed.
final class ChangeHub: Sendable {
  private struct State {
    var isClosed = false
    /// SQLite's name for the file as it was when others were noticed last.
    var version: Int64?
  }

  private let state = Locked(State())
  private let listeners = StreamHub<NewestElements<StoreChange>>()

  /// Whether anybody listens.
  var hasListeners: Bool { listeners.hasReaders }

  /// What is told from now on. It waits for who listens, however long.
  func subscribe() -> AsyncStream<StoreChange> {
    state.withLock { state in
      if state.isClosed { return AsyncStream { nil } }
      return listeners.stream(NewestElements())
    }
  }

  /// Something was committed.
  func tell(_ change: StoreChange) {
    listeners.send(change)
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
    beginClosing()
    listeners.close()
  }
}
