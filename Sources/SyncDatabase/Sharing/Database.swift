/// A ``Connection`` for asynchronous code: an actor that runs on a queue of its own, or, where no
/// disk is waited for, where its callers do.
///
/// One closure at a time has the connection, and keeps it until it returns. A closure that has
/// begun is not cut short when its task is cancelled, unless it looks for that itself.
package actor Database {
  package nonisolated let path: String
  private nonisolated let executor: (any BlockingExecutor)?
  /// Whose executor this actor shares that has none of its own.
  private nonisolated let turns = Turns()
  private var connection: Connection?

  private actor Turns {}

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor?.asUnownedSerialExecutor() ?? turns.unownedExecutor
  }

  /// Opens a file; see ``Connection/init(path:options:migrations:)``.
  ///
  /// - Parameter executor: Where SQLite runs. Default: a new serial queue. A test that replays
  ///   schedules gives its own.
  package static func open(
    path: String, options: ConnectionOptions = ConnectionOptions(), migrations: [Migration]? = nil,
    executor: any BlockingExecutor = QueueExecutor(label: "database")
  ) async throws -> Database {
    try await open(path: path, executor: executor) {
      try Connection(path: path, options: options, migrations: migrations)
    }
  }

  /// Opens what `connect` gives, which runs where SQLite runs from then on.
  ///
  /// - Parameters:
  ///   - path: What errors name it.
  ///   - executor: Where SQLite runs. Default: a new serial queue. `nil` is where its callers run,
  ///     one after the other: for a database in memory, where the way to another thread and back
  ///     takes longer than most statements do.
  package static func open(
    path: String, executor: (any BlockingExecutor)? = QueueExecutor(label: "database"),
    by connect: @Sendable () throws -> Connection
  ) async throws -> Database {
    let database = Database(path: path, executor: executor)
    try await database.connect(by: connect)
    return database
  }

  /// A database that nobody else sees, with all that this one holds now; see
  /// ``Connection/copy(in:options:)``.
  ///
  /// - Parameter check: Called first, where SQLite runs; throws where there is to be no copy.
  package nonisolated func copied(
    in place: Connection.PrivatePlace, options: ConnectionOptions = ConnectionOptions(),
    unless check: @Sendable (Connection) throws -> Void = { _ in }
  ) async throws -> Database {
    let copy = try await withConnection { connection in
      try check(connection)
      return Handover(connection: try connection.copy(in: place, options: options))
    }
    return try await Database.open(path: path) { copy.connection }
  }

  /// A connection that nobody uses any more where it was made.
  private struct Handover: @unchecked Sendable {  // One thread after the other has it.
    let connection: Connection
  }

  private init(path: String, executor: (any BlockingExecutor)?) {
    self.path = path
    self.executor = executor
  }

  private func connect(by connect: @Sendable () throws -> Connection) throws {
    connection = try connect()
  }

  /// Runs `body` with the connection and returns what it returns.
  package func withConnection<Result: Sendable>(
    _ body: @Sendable (Connection) throws -> Result
  ) throws -> Result {
    guard let connection else {
      throw DatabaseError(code: .misuse, message: "it has been closed", path: path)
    }
    return try body(connection)
  }

  /// Runs `body` as one transaction; see ``Connection/transaction(_:)``.
  package func transaction<Result: Sendable>(
    _ body: @Sendable (Connection) throws -> Result
  ) throws -> Result {
    try withConnection { connection in try connection.transaction { try body(connection) } }
  }

  /// Runs `body` as one transaction and blocks the calling thread until it has ended: for code on
  /// a queue of its own, which no task of Swift's waits on.
  package nonisolated func transactionAndWait<Result: Sendable>(
    _ body: @Sendable (Connection) throws -> Result
  ) throws -> Result {
    try withConnectionAndWait { connection in
      try connection.transaction { try body(connection) }
    }
  }

  /// As ``withConnection(_:)``, likewise. Without a queue of its own it's an error (`.misuse`).
  package nonisolated func withConnectionAndWait<Result: Sendable>(
    _ body: @Sendable (Connection) throws -> Result
  ) throws -> Result {
    guard let executor else {
      throw DatabaseError(code: .misuse, message: "it has no queue to wait for", path: path)
    }
    var result: Swift.Result<Result, any Error>?
    executor.runAndWait {
      result = assumeIsolated { database in
        Swift.Result { try database.withConnection(body) }
      }
    }
    guard let result else { preconditionFailure("the executor ran nothing") }
    return try result.get()
  }

  /// Closes the file. Later calls are errors (`.misuse`), but for this one.
  package func close() {
    connection = nil
  }
}
