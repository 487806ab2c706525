import SyncDatabase

/// How a store is opened, and what it may cost.
public struct StoreOptions: Sendable {
  /// What the tables' declarations don't tell.
  public var overrides = SchemaOverrides()
  /// The steps by which the schema became what this program needs, oldest first; those that the
  /// database hasn't seen are done when it is opened, and one that has seen others is refused.
  /// Default: none; nothing is added, and any database is taken as it is.
  public var migrations: [RecordMigration] = []
  /// How long somebody else who holds the database is waited for, before what was to be done fails.
  /// Default: 5 seconds.
  public var lockTimeout: Duration = .seconds(5)
  /// How transactions are made atomic. Default: as the file has it.
  public var journal = Journal.asItIs
  /// How many bytes a database may have of which a copy is made: for a session whose writes are
  /// thrown away, and for a plan where nothing can be written. Default: 1 GiB.
  public var copyLimit: Int64 = 1 << 30

  /// The defaults, with these overrides and migrations.
  public init(
    overrides: SchemaOverrides = SchemaOverrides(), migrations: [RecordMigration] = []
  ) {
    self.overrides = overrides
    self.migrations = migrations
  }

  /// How transactions are made atomic (sqlite.org, "PRAGMA journal_mode"). The file keeps it.
  public enum Journal: Sendable, Equatable {
    /// It is left as it is.
    case asItIs
    /// Changes go to a log beside the file: who reads and who writes don't wait for each other.
    case writeAheadLog
    /// Old pages go to a journal beside the file: as long as a snapshot is held, nobody can write.
    case rollback
  }

  var connection: ConnectionOptions {
    var options = ConnectionOptions()
    options.access = .readWrite
    options.busyTimeout = lockTimeout
    // What a user's own triggers do is the user's business: many fill an index for searching.
    options.trustsSchema = true
    options.journal =
      switch journal {
      case .asItIs: .asItIs
      case .writeAheadLog: .writeAheadLog
      case .rollback: .rollback
      }
    return options
  }
}

/// Where the database of a store is.
public enum StoreLocation: Sendable, Equatable {
  /// A file. The name must not be a link, but its directory may be reached through links.
  case file(String, ifMissing: Missing = .fail)
  /// In memory; it begins empty, and is gone with the store.
  case memory

  /// What is to be done where there is no such file.
  public enum Missing: Sendable, Equatable {
    /// Nothing: it is an error.
    case fail
    /// An empty database is made.
    case make
    /// The database at this path is copied, as one that ships with an app: once, whole or not at
    /// all. It must not change meanwhile, and must have been closed by whoever wrote it.
    case copy(of: String)
  }

  var name: String {
    switch self {
    case .file(let path, _): path
    case .memory: ":memory:"
    }
  }
}
