import SyncDatabase

struct DocumentStoreOpening: Sendable {
  let place: DocumentStorePlace
  let options: DocumentStoreOptions

  var name: String {
    switch place {
    case .file(let path): path
    case .memory: ":memory:"
    }
  }

  /// A connection that writes, with all migrations done. A database of something else is an error,
  /// and so is one of a newer program; neither is changed.
  func writer() throws -> Connection {
    let connection = try migrated()
    try QueryFunctions.install(in: connection)
    if let indexes = options.indexes, options.access != .readOnly {
      try DeclaredIndexes(indexes: indexes).make(in: connection)
    }
    return connection
  }

  private func migrated() throws -> Connection {
    guard case .file(let path) = place else {
      return try EmptyStore.copy(named: name, options: options.connection)
    }
    try look(at: path)
    let connection = try Connection(
      path: path, options: options.connection, migrations: StoreSchema.migrations)
    // KiB; up to so much of a long transaction is written once, at its end: some 100,000 notes.
    try connection.execute("PRAGMA cache_size = -32768")
    if options.access != .readOnly { StoreUpkeep.tidy(connection, now: options.clock()) }
    return connection
  }

  /// Whether another connection may read beside the one that writes.
  var hasReader: Bool { place != .memory && options.access != .readOnly }

  /// A connection that only reads, once the store is there.
  func reader() throws -> Connection {
    var options = options.connection
    options.access = .readOnly
    let connection = try Connection(path: name, options: options)
    try QueryFunctions.install(in: connection)
    return connection
  }

  /// Throws if the file is there and holds something else. A file of no tables is an empty store.
  func look(at path: String) throws {
    var options = options.connection
    options.access = .readOnly
    let connection: Connection
    do {
      connection = try Connection(path: path, options: options)
    } catch let error as DatabaseError where error.code == .cannotOpen {
      // It's missing, or what keeps it from being opened is told by the next try.
      return
    }
    let id = try connection.row("PRAGMA application_id") { try $0.integer(0) }
    if id == StoreSchema.applicationID { return }
    let isEmpty = try connection.row("SELECT count(*) FROM sqlite_schema") { try $0.integer(0) }
    guard id == 0, isEmpty == 0 else { throw DocumentStoreProblem.notAStore(path) }
  }
}
