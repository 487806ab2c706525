import SyncDatabase
import SyncLock

/// What happened to a database.
public enum StoreChange: Sendable, Equatable {
  /// This store has changed rows: those that the report names.
  case written(RecordReport)
  /// Another connection, of this program or another one, has written since this store looked last.
  case writtenElsewhere
}

/// Who wants to know of changes, and what was known of the database last.
final class ChangeTeller: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<StoreChange>.Continuation] = [:]
    var count = 0
    var version: Int64?
  }

  private let state = Locked(State())

  deinit {
    let listeners = state.withLock { state in state.listeners }
    for listener in listeners.values { listener.finish() }
  }

  /// All changes from now on.
  func changes() -> AsyncStream<StoreChange> {
    AsyncStream { listener in
      let number = state.withLock { state in
        state.count += 1
        state.listeners[state.count] = listener
        return state.count
      }
      listener.onTermination = { [weak self] _ in
        self?.state.withLock { state in state.listeners[number] = nil }
      }
    }
  }

  /// Tells that this store has written.
  func tell(of report: RecordReport) {
    if report.status == .written { tell(.written(report)) }
  }

  /// Tells if another connection has written since the last look (sqlite.org, "PRAGMA
  /// data_version": our own commits don't count).
  func look(at connection: Connection) throws {
    let version = try connection.row("PRAGMA data_version") { try $0.integer("data_version") }
    let isNew = state.withLock { state in
      defer { state.version = version }
      return state.version != nil && state.version != version
    }
    if isNew { tell(.writtenElsewhere) }
  }

  private func tell(_ change: StoreChange) {
    let listeners = state.withLock { state in Array(state.listeners.values) }
    for listener in listeners { listener.yield(change) }
  }
}
