import SyncDatabase

/// What a sync did, by table.
public struct RecordReport: Sendable, Equatable {
  /// How it ended.
  public var status: Status
  /// By the tables' names; tables of which nothing is to be told are missing.
  public var tables: [String: TableReport]
  /// How long each stage took.
  public var durations: [Stage: Duration]

  /// How tables were made or grew, in the order in which that was done.
  public var made: [SchemaChange] = []

  /// What is to be said of the payload as a whole.
  public var remarks: [PayloadRemark] = []

  /// What takes the sync back, where that was asked for.
  public var undo: RecordUndo?

  /// A report from its parts.
  public init(
    status: Status, tables: [String: TableReport] = [:], durations: [Stage: Duration] = [:]
  ) {
    self.status = status
    self.tables = tables
    self.durations = durations
  }

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
  public var hasChanges: Bool { !made.isEmpty || tables.values.contains { $0.hasChanges } }
}

/// What a sync did with one table.
public struct TableReport: Sendable, Equatable {
  /// The keys of new rows, in the order of the payload.
  public var inserted: [RecordKey] = []
  /// Rows that were changed, in the order of the payload. One that several objects name stands at
  /// the place of one of these.
  public var updated: [UpdatedRow] = []
  /// The keys of rows that are gone.
  public var deleted: [RecordKey] = []
  /// Links that were made: rows of tables of links, and children without a parent that got one.
  public var linked = 0
  /// Links that were taken back.
  public var unlinked = 0
  /// Links whose position changed.
  public var reordered = 0
  /// Children that came from another parent.
  public var moved: [RecordKey] = []
  /// Children that the payload names under another parent, and that stay where they hang: nothing
  /// was to be unlinked, and only this payload says so.
  public var stayed: [RecordKey] = []
  /// Objects without a usable key.
  public var skipped = 0
  /// Rows that the database refused.
  public var refused: [RefusedRow] = []
  /// Values that a column can't hold.
  public var mismatched: [Mismatch] = []
  /// Members that nothing takes, by their names.
  public var unknown: [String: Int] = [:]
  /// References to rows that aren't there.
  public var unresolved: [UnresolvedReference] = []
  /// Values that were brought to their column's type.
  public var coerced = 0
  /// Objects of rows that another object had named before.
  public var duplicates = 0
  /// The keys that several rows share, and that go on doing so since none of these may be deleted.
  /// The oldest of them follows the payload.
  public var twins: [RecordKey] = []
  /// Rows whose local edits wait to be sent, so that these columns weren't written.
  public var keptEdits: [UpdatedRow] = []

  /// Nothing.
  public init() {}

  /// Whether the table isn't as it was.
  public var hasChanges: Bool {
    !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty || linked + unlinked + reordered > 0
      || !moved.isEmpty
  }
}

/// A row that was changed.
public struct UpdatedRow: Sendable, Equatable {
  /// Its key.
  public var key: RecordKey
  /// The names of the columns, in the order of the table.
  public var columns: [String]

  /// A row from its parts.
  public init(key: RecordKey, columns: [String]) {
    self.key = key
    self.columns = columns
  }
}

/// A row, or a link of it, that the database refused.
public struct RefusedRow: Sendable, Equatable {
  /// Its key; `nil` for one without.
  public var key: RecordKey?
  /// The database's words.
  public var reason: String

  /// A row from its parts.
  public init(key: RecordKey?, reason: String) {
    self.key = key
    self.reason = reason
  }
}
