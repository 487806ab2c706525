import SyncDatabase
import SyncLock

/// What happened to a database.
public enum StoreChange: Sendable, Equatable {
  /// This store has changed rows: those that the report names.
  case written(RecordReport)
  /// Another connection, of this program or another one, has written since this store looked last.
  case writtenElsewhere
}

/// Tells those who listen what happened to a database.
final class ChangeTeller: Sendable {
  private let others = OtherWriters()
  private let listeners = StreamHub<NewestElements<StoreChange>>()

  func changes() -> AsyncStream<StoreChange> { listeners.stream(NewestElements()) }

  /// Tells that this store has written.
  func tell(of report: RecordReport) {
    if report.status == .written { listeners.send(.written(report)) }
  }

  /// Tells if another connection has written since the last look.
  func look(at connection: Connection) throws {
    if try others.haveWritten(lookingBy: connection) { listeners.send(.writtenElsewhere) }
  }
}
