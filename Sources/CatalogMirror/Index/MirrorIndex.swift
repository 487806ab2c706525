package import SyncDatabase

/// The database of what the mirror holds: one connection, exclusive, write-ahead log, and by
/// default full synchronisation, so that what a write returned from survives a power cut.
///
/// All access goes through two closures, which run on a queue of the index's own:
///
/// ```swift
/// let item = try await index.read { try $0.item(key) }
/// try await index.write { writer in
///   try writer.record(changes)
///   try writer.setValue(id, for: .folderID)
/// }
/// ```
///
/// While it is open, nothing else in this process may open the file, not even to copy it: on POSIX
/// systems closing any descriptor of a file drops all of the process's locks on it.
///
/// Errors are `DatabaseError`. Content that makes no sense is `.damaged`, like a damaged file: the
/// caller sets the file aside and builds it anew.
package struct MirrorIndex: Sendable {
  private let database: Database

  /// Opens the index; makes it if it is missing.
  ///
  /// - Parameters:
  ///   - path: The file, in a directory that exists. Next to it SQLite keeps its log, `-wal`.
  ///   - directory: A descriptor of that directory, so that nothing leads out of it; needed until
  ///     this returns.
  ///   - access: Default: make it if it is missing. With `.readOnly` an index from an older
  ///     version is an error (`.readOnly`).
  ///   - synchronous: Whether a write waits for the disk. Default `.full`.
  ///   - busyTimeout: How long to wait for another program that holds the file. Default 5 seconds.
  ///   - vfs: The SQLite VFS that reaches the file. Default: SQLite's own.
  ///   - executor: Where SQLite runs. Default: a serial queue of its own.
  package static func open(
    path: String, directory: Int32? = nil, access: ConnectionOptions.Access = .create,
    synchronous: ConnectionOptions.Synchronous = .full, busyTimeout: Duration = .seconds(5),
    vfs: String? = nil, executor: any BlockingExecutor = QueueExecutor(label: "mirror.index")
  ) async throws -> MirrorIndex {
    var options = ConnectionOptions()
    options.directory = directory
    options.access = access
    options.locksExclusively = true
    options.isUnshared = true  // the folder's lock sees to it
    options.synchronous = synchronous
    options.busyTimeout = busyTimeout
    options.vfs = vfs
    return try await DatabaseError.asDamage {
      MirrorIndex(
        database: try await Database.open(
          path: path, options: options, migrations: migrations, executor: executor))
    }
  }

  /// Runs `body` with the index as it is; nothing is written meanwhile.
  package func read<Result: Sendable>(
    _ body: @Sendable (IndexReader) throws -> Result
  ) async throws -> Result {
    try await DatabaseError.asDamage {
      try await database.withConnection { try body(IndexReader(connection: $0)) }
    }
  }

  /// As ``read(_:)``, for code on a thread that may be blocked.
  package func readAndWait<Result: Sendable>(
    _ body: @Sendable (IndexReader) throws -> Result
  ) throws -> Result {
    try DatabaseError.asDamage {
      try database.withConnectionAndWait { try body(IndexReader(connection: $0)) }
    }
  }

  /// Runs `body` as one transaction: all of it is recorded when this returns, nothing when it
  /// throws.
  package func write<Result: Sendable>(
    _ body: @Sendable (IndexWriter) throws -> Result
  ) async throws -> Result {
    try await DatabaseError.asDamage {
      try await database.transaction { try body(IndexWriter(connection: $0)) }
    }
  }

  /// As ``write(_:)``, for code on a queue of its own: blocks the calling thread meanwhile.
  package func writeAndWait<Result: Sendable>(
    _ body: @Sendable (IndexWriter) throws -> Result
  ) throws -> Result {
    try DatabaseError.asDamage {
      try database.transactionAndWait { try body(IndexWriter(connection: $0)) }
    }
  }

  /// Moves what the log holds into the file, so that the file alone is the index.
  package func moveLogIntoFile() async throws {
    try await DatabaseError.asDamage {
      try await database.withConnection { try $0.moveLogIntoFile() }
    }
  }

  /// Closes the file. Later calls are errors, but for this one.
  package func close() async {
    await database.close()
  }
}

/// What can be read from the index: both from ``IndexReader`` and from ``IndexWriter``.
package protocol IndexAccess {
  var connection: Connection { get }
}

package struct IndexReader: IndexAccess {
  package let connection: Connection
}

package struct IndexWriter: IndexAccess {
  package let connection: Connection
}
