/// How a database is opened. The defaults are those of a private file that must not lose anything.
package struct ConnectionOptions: Sendable, Equatable {
  package var access: Access = .create
  /// A descriptor of the directory in which the file is, so that nobody who moves or links the
  /// directory leads it elsewhere; the path then only names it. Needed until it has been opened.
  /// Default `nil`: the path leads there, as it also does where the system has no way for this.
  package var directory: Int32?
  /// How long a statement waits for another connection before it fails with `.busy`.
  package var busyTimeout: Duration = .seconds(5)
  /// Whether to take the file for this connection alone, until it is closed. In write-ahead mode
  /// no shared memory is used then. Has no effect with ``Access/readOnly``.
  package var locksExclusively = false
  /// Whether nobody else writes to the file while it is open, as a lock of the caller's sees to.
  /// With ``Access/readOnly`` and no log to be read, nothing at all is then left beside the file.
  package var isUnshared = false
  /// How transactions are made atomic. Has no effect with ``Access/readOnly``.
  package var journal: Journal = .writeAheadLog
  /// The name of a registered VFS (sqlite.org, "The SQLite OS Interface") that reaches the file,
  /// which alone then knows what a path means; `nil` is SQLite's own.
  package var vfs: String?
  /// Whether triggers, views and the like that are in the file may use functions and virtual tables
  /// that could do harm; a trigger that fills an index for full-text search does (sqlite.org,
  /// "PRAGMA trusted_schema"). Default: no, as for a file that only we have made.
  package var trustsSchema = false
  /// What the names begin with of indexes, and of the tables and triggers that serve as such, which
  /// users declare and no migration makes: they are no part of the schema that a file must have.
  /// Default: there are none.
  package var declaredIndexes: String?
  package var synchronous: Synchronous = .full

  /// The defaults: made if missing, 5 seconds, shared, write-ahead log, full.
  package init() {}

  package enum Access: Sendable, Equatable {
    /// Read an existing file. The file and its log stay as they are; SQLite may leave a `-shm`
    /// and an empty `-wal` beside them, which the next connection takes over.
    case readOnly
    /// Read and write an existing file.
    case readWrite
    /// Read and write; the file is made if it is missing.
    case create
  }

  /// How transactions are made atomic (sqlite.org, "PRAGMA journal_mode").
  package enum Journal: Sendable, Equatable {
    /// Changes go to a log beside the file: `-wal`.
    case writeAheadLog
    /// Old pages go to a journal beside the file, which is deleted at the end: `-journal`.
    case rollback
    /// As the file has it: for a database that isn't ours.
    case asItIs
  }

  /// When SQLite waits for the disk (sqlite.org, "PRAGMA synchronous").
  package enum Synchronous: Sendable, Equatable {
    /// A transaction that has returned survives a power cut.
    case full
    /// The file stays whole after a power cut; with a write-ahead log the last transactions may
    /// be missing.
    case normal
    /// A power cut may damage the file.
    case off
  }
}
