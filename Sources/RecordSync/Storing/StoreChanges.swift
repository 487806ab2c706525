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
  private let lastVersion = Locked<Int64?>(nil)
  private let listeners = StreamHub<NewestElements<StoreChange>>()

  func changes() -> AsyncStream<StoreChange> { listeners.stream(NewestElements()) }

  /// Tells that this store has written.
  func tell(of report: RecordReport) {
    if report.status == .written { listeners.send(.written(report)) }
  }

  /// Tells if another connection has written since the last look (sqlite.org, "PRAGMA
  /// data_version": our own commits don't count).
  func look(at connection: Connection) throws {
    let version = try connection.row("PRAGMA data_version") { try $0.integer("data_version") }
    let isNew = lastVersion.withLock { last in
      defer { last = version }
      return last != nil && last != version
    }
    if isNew { listeners.send(.writtenElsewhere) }
  }
}
