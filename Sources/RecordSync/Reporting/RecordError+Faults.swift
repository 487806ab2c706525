extension RecordError {
  /// Why a database can't be opened, or not be copied.
  public enum OpeningFault: Sendable, Equatable {
    /// A migration failed, for SQLite's reason; the database is as it was before it.
    case migrationFailed(name: String, reason: String)
    /// A migration left references to rows that aren't there: so many more than before it. The
    /// database is as it was before it.
    case migrationBreaksReferences(name: String, count: Int)
    /// Two migrations have this name.
    case migrationsOfOneName(String)
    /// The database has seen these migrations, which this program doesn't know.
    case newerDatabase(migrations: [String])
    /// The database that ships with an app can't be copied.
    case shippedCopy(of: String, CopyFault)
    /// The database would have to be copied, and is larger than allowed.
    case tooLargeToCopy(bytes: Int64, limit: Int64)
    /// The copy of the database can't be kept: the system's, or SQLite's, words.
    case noRoomForCopy(String)
    /// The database can't be read where it is, since SQLite can make no file beside it, and
    /// somebody writes to it.
    case changing(String)
  }

  /// Why a file isn't copied.
  public enum CopyFault: Sendable, Equatable {
    /// It can't be read, or the copy not be written: the system's words.
    case failed(String)
    /// It is no SQLite database.
    case noDatabase
    /// A journal or a log with content stands beside it: whoever wrote it didn't close it.
    case notClosed(String)
    /// A journal or a log with content stands where the copy's would, of a database that isn't
    /// there any more: SQLite would take it for the copy's.
    case strayLog(String)
  }

  /// Why nothing was taken back, or why a sync that was to be taken back later wasn't begun.
  public enum UndoFault: Sendable, Equatable {
    /// The bytes aren't those of an undo.
    case unreadable
    /// The rows of a table that the sync may reach can't be followed.
    case unfollowable(table: String, Obstacle)
    /// A row isn't as the sync left it.
    case changedSince(table: String, key: RecordKey)
    /// All rows are as they were before the sync.
    case takenBack
    /// The database refuses a row as it was, since another has a value that only one may have.
    case refused(table: String)
    /// A table isn't there any more, or has other columns.
    case otherTable(String)
    /// Rows of this table, which came later, refer to rows that would go.
    case inUse(table: String)
  }

  /// What keeps a table's rows from being followed.
  public enum Obstacle: Sendable, Equatable {
    /// It has no primary key.
    case noPrimaryKey
    /// It has columns that SQLite computes.
    case generatedColumns
  }
}

extension RecordError.OpeningFault {
  var sentence: String {
    switch self {
    case .migrationFailed(let name, let reason):
      "The migration \(name.quoted) failed (\(reason.shown)), and the database is as it was before "
        + "it. Mend the migration, or the rows that it can't take."
    case .migrationBreaksReferences(let name, let count):
      "The migration \(name.quoted) would have left \(count) more references to rows that aren't "
        + "there, and the database is as it was before it. Mend the migration."
    case .migrationsOfOneName(let name):
      "Two migrations are named \(name.quoted), and nothing was done. Give each a name of its own."
    case .newerDatabase(let names):
      "The database has seen migrations that this program doesn't know ("
        + "\(names.map(\.quoted).joined(separator: ", "))): another one, or a newer version of "
        + "this one, wrote it. It was left as it is. Use the program that wrote it."
    case .shippedCopy(let path, let fault): fault.sentence(of: path)
    case .tooLargeToCopy(let bytes, let limit):
      "The database would have to be copied for this, and it is larger than may be copied: "
        + "\(bytes) bytes, \(limit) are allowed. Do it on a copy that can be written, or allow "
        + "more."
    case .noRoomForCopy(let reason):
      "The database would have to be copied for this, and the copy can't be kept "
        + "(\(reason.shown)). Make room where temporary files go, or do it on a copy that can be "
        + "written."
    case .changing(let path):
      "The database \(path.quoted) can't be read, since nothing can be made beside it and somebody "
        + "else writes to it. Try again later, or allow writing to its directory."
    }
  }
}

extension RecordError.CopyFault {
  fileprivate func sentence(of path: String) -> String {
    switch self {
    case .failed(let reason):
      "The database \(path.quoted) can't be copied (\(reason.shown)), and nothing was made. Check "
        + "that it is there, and that the copy can be written."
    case .noDatabase:
      "\(path.quoted) can't be copied as a database, since it is none, and nothing was made. Check "
        + "its name."
    case .notClosed(let log):
      "The database \(path.quoted) can't be copied, since \(log.quoted) stands beside it: it isn't "
        + "whole without that. Close it where it was written, and ship it then."
    case .strayLog(let log):
      "The database \(path.quoted) can't be copied, since \(log.quoted) is left of one that isn't "
        + "there any more, and would be taken for a part of the copy. Remove it."
    }
  }
}

extension RecordError.UndoFault {
  var sentence: String {
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
    case .takenBack:
      "The sync was taken back already: all rows are as they were before it, and nothing was "
        + "changed."
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

extension RecordError.Obstacle {
  fileprivate var words: String {
    switch self {
    case .noPrimaryKey: "has no PRIMARY KEY"
    case .generatedColumns: "has generated columns"
    }
  }
}
