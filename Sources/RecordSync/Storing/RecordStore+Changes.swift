import SyncDatabase
import SyncLock

extension RecordStore {
  /// What is committed from now on: what this store changes, each commit once and in order, and the
  /// fact that somebody else wrote. A commit that changed nothing isn't told. Any number may
  /// listen; the stream ends with the store.
  ///
  /// What others write is noticed before each thing that this store does, and when
  /// ``lookForChanges()`` is called.
  public var changes: AsyncStream<StoreChange> { teller.changes() }

  /// Looks whether somebody else has written since the last look, and tells of it in ``changes``.
  public func lookForChanges() async throws {
    try await database.withConnection { try teller.look(at: $0) }
  }

  /// Whether a table, and what hangs on it, is equal to a payload: ``RecordReport/isEqual`` of what
  /// this gives, which tells the differences as a plan does. Nothing is written.
  public func verify(
    _ payload: RecordPayload, against table: String, options: RecordOptions = RecordOptions()
  ) async throws -> RecordReport {
    var options = options
    options.isPlan = true
    options.recordsUndo = false
    return try await sync(payload, into: table, options: options)
  }

  /// Takes back what a sync with ``RecordOptions/recordsUndo`` did: all of it, or nothing.
  ///
  /// - Returns: What was changed.
  /// - Throws: ``RecordError/undo(_:)`` if a row isn't as that sync left it.
  @discardableResult
  public func undo(_ undo: RecordUndo) async throws -> RecordReport {
    let overrides = overrides
    return try await writing { connection, _ in
      // Versions that the sync kept go with what it did.
      let schema = try SchemaReader.read(connection, overrides: overrides, withHistories: true)
      return try UndoRun(connection: connection, schema: schema).undo(undo)
    }
  }

  /// Does something that may change rows, and tells of it.
  func writing(
    _ body: @Sendable (Connection, RecordSchema) throws -> RecordReport
  ) async throws -> RecordReport {
    let (teller, overrides) = (teller, overrides)
    return try await database.withConnection { connection in
      try teller.look(at: connection)
      let report = try body(connection, SchemaReader.read(connection, overrides: overrides))
      teller.tell(of: report)
      return report
    }
  }
}

/// What happened to a database.
public enum StoreChange: Sendable, Equatable {
  /// This store has changed rows: those that the report names.
  case written(RecordReport)
  /// Another connection, of this program or another one, has written since this store looked last.
  case writtenElsewhere
}

final class ChangeTeller: Sendable {
  private let others = OtherWriters()
  private let listeners = StreamHub<NewestElements<StoreChange>>()

  func changes() -> AsyncStream<StoreChange> { listeners.stream(NewestElements()) }

  func tell(of report: RecordReport) {
    if report.status == .written { listeners.send(.written(report)) }
  }

  /// Tells if another connection has written since the last look.
  func look(at connection: Connection) throws {
    if try others.haveWritten(lookingBy: connection) { listeners.send(.writtenElsewhere) }
  }
}
