import SyncDatabase

/// What takes a sync back. It can be kept, in a file for one, for as long as the tables stay what
/// they are.
public struct RecordUndo: Sendable, Equatable {
  let changes: Changeset

  init(_ changes: Changeset) {
    self.changes = changes
  }

  /// One that was kept: what ``bytes`` gave. Anything else is refused.
  public init(bytes: [UInt8]) throws {
    do {
      changes = try Changeset(kept: bytes)
    } catch is DatabaseError {
      throw UndoError.unreadable
    }
  }

  /// The bytes to be kept, of which there are some even if nothing was changed: a file that was
  /// emptied is no undo.
  public var bytes: [UInt8] { changes.kept }

  /// Whether there is nothing to take back.
  public var isEmpty: Bool { changes.isEmpty }
}

/// Why nothing was taken back, or why a sync that was to be taken back later wasn't begun.
public enum UndoError: Error, Sendable, Equatable {
  /// The bytes aren't those of an undo.
  case unreadable
  /// The rows of a table that the sync may reach can't be followed.
  case unfollowable(table: String, Obstacle)
  /// A row isn't as the sync left it.
  case changedSince(table: String, key: RecordKey)
  /// The database refuses a row as it was, since others have come: a value that only one may have.
  case refused(table: String)
  /// A table isn't there any more, or has other columns.
  case otherTable(String)
  /// Rows of this table, which came later, refer to rows that would go.
  case inUse(table: String)

  /// What keeps a table's rows from being followed.
  public enum Obstacle: Sendable, Equatable {
    /// It has no primary key.
    case noPrimaryKey
    /// It has columns that SQLite computes.
    case generatedColumns
  }
}

extension UndoError: CustomStringConvertible {
  /// What happened, to what, and what to do.
  public var description: String {
    switch self {
    case .unreadable:
      "This isn't what an undo was kept as, or it is damaged; nothing was changed. Take the file "
        + "that the sync wrote."
    case .unfollowable(let table, let obstacle):
      "The sync couldn't be taken back later, since the table \(table.quoted) \(obstacle.words); "
        + "nothing was written. Sync without an undo."
    case .changedSince(let table, let key):
      "The row \(key.description.shown) of \(table.quoted) has changed since the sync, and nothing "
        + "was taken back. Mend it by hand, or sync an older payload."
    case .refused(let table):
      "The table \(table.quoted) refuses a row as it was, since it isn't what it was itself; "
        + "nothing was taken back. Mend it by hand, or sync an older payload."
    case .otherTable(let table):
      "The table \(table.quoted) isn't the one that was synced any more, and nothing was taken "
        + "back. Sync an older payload instead."
    case .inUse(let table):
      "Rows of \(table.quoted) that came after the sync refer to rows that it made, and nothing "
        + "was taken back. Delete those first."
    }
  }
}

extension UndoError.Obstacle {
  fileprivate var words: String {
    switch self {
    case .noPrimaryKey: "has no PRIMARY KEY"
    case .generatedColumns: "has generated columns"
    }
  }
}
