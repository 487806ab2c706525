private import CSyncSQLite
private import SyncSystem

extension Connection {
  /// Opens a file, and brings it to the state of the last migration.
  ///
  /// The file itself must not be a symbolic link (its directory may be reached through links). A
  /// file that holds migrations not named here is refused (`.newerVersion`): neither it nor its
  /// log are changed by a byte. One whose tables aren't what the migrations make is `.damaged`.
  ///
  /// - Parameters:
  ///   - path: The file; its directory must exist.
  ///   - options: How to open it.
  ///   - migrations: All migrations ever, oldest first. With read-only access one that is missing
  ///     in the file is an error (`.readOnly`). Default: the file is taken as it is.
  package convenience init(
    path: String, options: ConnectionOptions = ConnectionOptions(), migrations: [Migration]? = nil
  ) throws {
    let directory = options.directory.flatMap(DatabaseDirectory.init)
    self.init(handle: try Self.open(path, options, in: directory), path: path, in: directory)
    // Until the file is known to be ours to change, closing must not change it either.
    keepLogOnClose(true)
    try configure(options)
    let pending = try migrations.map { try pendingMigrations(of: $0) } ?? []
    let isNew = try !pending.isEmpty && row("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in } == nil
    keepLogOnClose(options.access == .readOnly)
    if options.access != .readOnly { try setJournal(options) }
    for migration in pending { try apply(migration) }
    // A schema that was made just now is what the migrations make.
    guard let migrations, !isNew else { return }
    try checkSchema(of: migrations, but: options.declaredIndexes)
  }

  private static func open(
    _ path: String, _ options: ConnectionOptions, in directory: DatabaseDirectory?
  ) throws -> OpaquePointer {
    var flags =
      switch options.access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var name = options.vfs == nil ? try resolved(path, in: directory) : path
    if options.access == .readOnly, options.isUnshared, !hasLog(name, options.vfs) {
      // What can't change needs neither locks nor shared memory (sqlite.org, "immutable").
      name = "file:\(uriPath(name))?immutable=1"
      flags |= SQLITE_OPEN_URI
    }
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(
      name, &handle, flags | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX,
      options.vfs ?? directory.flatMap { _ in DatabaseDirectory.files })
    guard result == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      let extended = handle.map { sqlite3_extended_errcode($0) } ?? result
      throw DatabaseError(result: extended, handle: handle, path: path)
    }
    sqlite3_extended_result_codes(handle, 1)
    return handle
  }

  // Of either kind: what a journal has to undo is as little the file's content as what a log has
  // to add is missing from it. SQLite's own VFS takes an empty file for none.
  private static func hasLog(_ path: String, _ vfs: String?) -> Bool {
    guard let system = sqlite3_vfs_find(vfs) else { return false }
    return ["-wal", "-journal"].contains { suffix in
      var found: Int32 = 0
      _ = system.pointee.xAccess(system, path + suffix, SQLITE_ACCESS_EXISTS, &found)
      return found != 0
    }
  }

  private static func uriPath(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
  }

  /// The path with its directory's links resolved: `SQLITE_OPEN_NOFOLLOW` refuses a link in any
  /// component, and many a home or temporary directory lies behind one. An absolute path also is
  /// never taken for a URI or for `:memory:`.
  private static func resolved(_ path: String, in held: DatabaseDirectory?) throws -> String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
    let directory = slash.map { path[...$0] } ?? "."
    guard !name.isEmpty, !path.utf8.contains(0) else {
      throw DatabaseError(code: .cannotOpen, message: "the path names no file", path: path)
    }
    if let held { return held.path + "/" + name }
    guard let real = realpath(String(directory), nil) else {
      let reason = String(cString: strerror(errno))
      throw DatabaseError(code: .cannotOpen, message: "its directory: \(reason)", path: path)
    }
    defer { free(real) }
    return String(cString: real) + "/" + name
  }

  /// Sets what holds for the connection, whatever it is open on.
  func configure(_ options: ConnectionOptions) throws {
    setBusyTimeout(options.busyTimeout)
    // A damaged file must be found out before it leads astray, and its schema can't run code.
    try execute("PRAGMA cell_size_check = ON")
    if options.trustsSchema {
      try execute("PRAGMA trusted_schema = ON")
    } else {
      try execute("PRAGMA trusted_schema = OFF")
    }
    if options.locksExclusively && options.access != .readOnly {
      try execute("PRAGMA locking_mode = EXCLUSIVE")
    }
    try readingSchema {
      switch options.synchronous {
      case .full: try execute("PRAGMA synchronous = FULL")
      case .normal: try execute("PRAGMA synchronous = NORMAL")
      case .off: try execute("PRAGMA synchronous = OFF")
      }
    }
  }

  /// Runs what reads the schema first. SQLite takes a schema that gives two indexes one name for a
  /// lack of memory (`sqlite3CreateIndex` of 3.40): one that there still is after memory could be
  /// had is damage.
  private func readingSchema(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError where error.sqliteCode == SQLITE_NOMEM && Self.hasMemory {
      do {
        try body()
      } catch var error as DatabaseError where error.sqliteCode == SQLITE_NOMEM && Self.hasMemory {
        (error.code, error.message) = (.damaged, "its schema can't be read")
        throw error
      }
    }
  }

  /// More than any schema takes.
  private static var hasMemory: Bool {
    guard let memory = sqlite3_malloc(32 << 20) else { return false }
    sqlite3_free(memory)
    return true
  }

  private func setJournal(_ options: ConnectionOptions) throws {
    let (wanted, answer): (String?, String?) =
      switch options.journal {
      case .writeAheadLog: ("wal", try row("PRAGMA journal_mode = WAL") { try $0.text(0) })
      case .rollback: ("delete", try row("PRAGMA journal_mode = DELETE") { try $0.text(0) })
      case .asItIs: (nil, nil as String?)
      }
    guard let wanted, answer != wanted else { return }
    throw DatabaseError(
      code: .cannotOpen, message: "journal mode \(wanted) is not to be had here", path: path)
  }
}
