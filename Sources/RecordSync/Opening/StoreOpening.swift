import SyncDatabase

struct StoreOpening: Sendable {
  let location: StoreLocation
  let options: StoreOptions

  /// A connection to it, with all migrations done.
  func connection() throws -> Connection {
    let connection = try database()
    try MigrationRun(connection: connection, all: options.migrations).perform()
    try connection.execute("PRAGMA foreign_keys = ON")
    return connection
  }

  /// A connection that only reads, for which nothing changes any more. Only for a file.
  func snapshot() throws -> Connection {
    var options = options.connection
    options.access = .readOnly
    let connection = try Connection(path: location.name, options: options)
    try connection.holdSnapshot()
    return connection
  }

  private func database() throws -> Connection {
    guard case .file(let path, let missing) = location else {
      return try Connection(in: .memory, named: location.name, options: options.connection)
    }
    if case .copy(of: let shipped) = missing { try ShippedCopy(of: shipped, to: path).make() }
    var own = options.connection
    if missing == .make { own.access = .create }
    do {
      return try Self.readable(try Connection(path: path, options: own))
    } catch let error as DatabaseError where [.cannotOpen, .readOnly].contains(error.code) {
      let copy = UnsharedCopy(of: path, options)
      guard copy.isNeeded else { throw error }
      return try copy.connection()
    }
  }

  /// SQLite looks at a file only when it is read.
  private static func readable(_ connection: Connection) throws -> Connection {
    _ = try connection.row("PRAGMA schema_version") { try $0.integer(0) }
    return connection
  }
}
