private import CSyncSQLite

/// Databases without a file of a user's, and copies.
extension Connection {
  /// Where a database is that nobody else sees, and that is gone with its connection.
  package enum PrivatePlace: Sendable {
    case memory
    /// In memory while it is small, then in a file without a name, where SQLite puts temporary
    /// files (sqlite.org, "Temporary Files Used By SQLite").
    case temporaryFile
  }

  /// Makes an empty database that nobody else sees.
  ///
  /// - Parameters:
  ///   - place: Where it is.
  ///   - path: What errors name it.
  ///   - options: Those of what it is to be used for; access, journal and locks don't count.
  ///   - migrations: What makes its tables, in this order. Default: it has none.
  package convenience init(
    in place: PrivatePlace, named path: String, options: ConnectionOptions = ConnectionOptions(),
    migrations: [Migration] = []
  ) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let name =
      switch place {
      case .memory: ":memory:"
      case .temporaryFile: ""
      }
    let result = sqlite3_open_v2(name, &handle, flags, nil)
    guard result == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw DatabaseError(result: result, handle: handle, path: path)
    }
    sqlite3_extended_result_codes(handle, 1)
    self.init(handle: handle, path: path, in: nil)
    var options = options
    options.locksExclusively = false
    try configure(options)
    for migration in migrations { try apply(migration) }
  }

  /// How many bytes the database holds, free pages included.
  package func size() throws -> Int64 {
    let pages = try row("PRAGMA page_count") { try $0.integer(0) } ?? 0
    return try pages * (row("PRAGMA page_size") { try $0.integer(0) } ?? 0)
  }

  /// A copy of all that the database holds now; what others write meanwhile doesn't change it. It
  /// takes one look at every page, and ends where its task is cancelled.
  ///
  /// - Parameters:
  ///   - name: What errors name the copy. Default: as this one.
  ///   - options: How the copy is opened.
  package func copy(
    in place: PrivatePlace, named name: String? = nil,
    options: ConnectionOptions = ConnectionOptions()
  ) throws -> Connection {
    let copy = try Connection(in: place, named: name ?? path, options: options)
    guard isInTransaction else {
      try reading { try copyPages(to: copy) }
      return copy
    }
    try copyPages(to: copy)
    return copy
  }

  private func copyPages(to copy: Connection) throws {
    // The state that is copied is that of the first look.
    _ = try row("SELECT count(*) FROM sqlite_schema") { try $0.integer(0) }
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw DatabaseError(
        result: sqlite3_extended_errcode(copy.handle), handle: copy.handle, path: path)
    }
    var result = SQLITE_OK
    while result == SQLITE_OK, !Task.isCancelled { result = sqlite3_backup_step(backup, 1_024) }
    sqlite3_backup_finish(backup)
    try Task.checkCancellation()
    guard result == SQLITE_DONE else {
      throw DatabaseError(result: result, handle: copy.handle, path: path)
    }
  }
}
