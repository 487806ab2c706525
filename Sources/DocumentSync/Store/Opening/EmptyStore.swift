import SyncDatabase
import SyncLock

/// An empty store in memory, of which each new one there is a copy: making the tables anew takes
/// several times as long.
enum EmptyStore {
  private static let model = Locked(
    Result {
      try Connection(in: .memory, named: ":memory:", migrations: StoreSchema.migrations)
    })

  private struct Made: @unchecked Sendable {  // Nobody else has it.
    let connection: Connection
  }

  /// A new store.
  ///
  /// - Parameters:
  ///   - name: What errors name it.
  ///   - options: How it's opened.
  static func copy(named name: String, options: ConnectionOptions) throws -> Connection {
    let made = try model.withLock { model in
      Made(connection: try model.get().copy(in: .memory, named: name, options: options))
    }
    // All others have a name of their own, too.
    try made.connection.run("UPDATE store SET name = lower(hex(randomblob(16)))")
    return made.connection
  }
}
