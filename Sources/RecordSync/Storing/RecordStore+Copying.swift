import SyncDatabase

extension RecordStore {
  /// A session whose writes are thrown away: a store of its own that begins with all that this one
  /// holds now, and is gone when it is let go of. While it is made, other calls of this one wait.
  ///
  /// It costs one look at the whole database, and as much room as that has: in memory while it is
  /// small, then where temporary files go.
  ///
  /// - Throws: ``RecordError/OpeningFault/tooLargeToCopy(bytes:limit:)`` beyond
  ///   ``StoreOptions/copyLimit``.
  public func disposableSession() async throws -> RecordStore {
    let limit = options.copyLimit
    return try await Self.takingRoom {
      let copy = try await database.copied(in: .temporaryFile, options: options.connection) {
        let size = try $0.size()
        guard size <= limit else {
          throw RecordError.opening(.tooLargeToCopy(bytes: size, limit: limit))
        }
      }
      try await copy.withConnection { try $0.execute("PRAGMA foreign_keys = ON") }
      return try await RecordStore(copy, .memory, options)
    }
  }

  /// The database as it is now, to be read whatever is written meanwhile: for a list on a screen,
  /// or an export that takes long. A sync into it is an error (`DatabaseError`); a plan can be
  /// made.
  ///
  /// ```swift
  /// let snapshot = try await store.snapshot()
  /// _ = try await store.sync(payload, into: "users")
  /// let before = try await snapshot.row(7, of: "users")
  /// ```
  ///
  /// Of a file in write-ahead mode it holds up nobody, but the log grows until it is closed or let
  /// go of; in other modes nobody can write as long. Of a database in memory it is a copy.
  ///
  /// - Throws: ``RecordError/OpeningFault/tooLargeToCopy(bytes:limit:)`` where it has to be copied,
  ///   beyond ``StoreOptions/copyLimit``.
  public func snapshot() async throws -> RecordStore {
    guard try await database.withConnection({ $0.file != nil }) else {
      let copy = try await disposableSession()
      try await copy.database.withConnection { try $0.forbidWriting() }
      return copy
    }
    let opening = StoreOpening(location: location, options: options)
    let reader = try await Database.open(path: location.name) { try opening.snapshot() }
    return try await RecordStore(reader, location, options)
  }

  /// Closes the database; each later call is an error.
  public func close() async { await database.close() }

  /// Does something with a copy, and says where room lacks: not on the disk of the database.
  static func takingRoom<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let error as DatabaseError where error.code == .full {
      throw RecordError.opening(.noRoomForCopy(error.message))
    }
  }

  /// A plan writes and takes back. Where nothing can be written, it does so in a copy.
  func copyForPlan() async throws -> RecordStore? {
    let mayWrite = try await database.withConnection { try $0.mayWrite() }
    return mayWrite ? nil : try await disposableSession()
  }

  /// Deletes the database: the file, and what SQLite keeps beside it. The store can't be used
  /// afterwards. Where somebody else reads or writes it, they are waited for, and then it is an
  /// error. A database in memory is gone with that.
  public func drop() async throws {
    let isFile = location != .memory
    try await database.withConnection { connection in
      guard !isFile || connection.file != nil else {
        throw DatabaseError(
          code: .readOnly, message: "nothing can be made beside it", path: connection.path)
      }
      try connection.removeFile()
    }
    await close()
  }

  /// The names of the migrations that the database has seen, in the order in which they were done.
  public func appliedMigrations() async throws -> [String] {
    try await database.withConnection { try MigrationRun.applied(in: $0) }
  }
}
