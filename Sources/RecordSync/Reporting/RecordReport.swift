import SyncDatabase

/// What a sync did, by table.
public struct RecordReport: Sendable, Equatable {
  /// How it ended.
  public var status: Status
  /// By the tables' names; tables of which nothing is to be told are missing.
  public var tables: [String: TableReport] = [:]
  /// How long each stage took.
  public var durations: [Stage: Duration] = [:]

  /// How tables were made or grew, in the order in which that was done.
  public var made: [SchemaChange] = []

  /// What became of tables and columns that a sync had made which was taken back.
  public var undone: [UndonePart] = []

  /// What is to be said of the payload as a whole.
  public var remarks: [PayloadRemark] = []

  /// What takes the sync back, where that was asked for.
  public var undo: RecordUndo?

  /// Of a sync that found nothing new at its source.
  static func unchanged(undoable isUndoable: Bool) -> RecordReport {
    var report = RecordReport(status: .unchanged)
    if isUndoable { report.undo = RecordUndo(.empty) }
    return report
  }

  /// How a sync ended that didn't fail.
  public enum Status: String, Sendable, Hashable {
    /// Something was changed.
    case written
    /// Everything was as it should be, and nothing was written.
    case unchanged
    /// It was only found out what would be done.
    case planned
  }

  /// The stages of a sync.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Reading the payload, and comparing and writing rows as they come.
    case rows
    /// Deleting what the payload doesn't name, and writing what had to wait for other rows.
    case ending
    /// Making it durable.
    case commit
  }

  /// Whether a row or a link was refused, so that not everything is equal now.
  public var isPartial: Bool { tables.values.contains { !$0.refused.isEmpty } }

  /// Whether nothing had to be changed, and nothing was refused. Members that nothing takes,
  /// objects without a key and values that no column can hold don't count.
  public var isEqual: Bool { !hasChanges && !isPartial }

  /// Whether anything would have been written, or was.
  public var hasChanges: Bool {
    !made.isEmpty || undone.contains { $0.obstacle == nil }
      || tables.values.contains { $0.hasChanges }
  }
}

extension RecordReport {
  /// Of what was written, if anything was.
  init(of builder: ReportBuilder) {
    self.init(status: .written, tables: builder.reports())
    if !hasChanges { status = .unchanged }
  }
}
