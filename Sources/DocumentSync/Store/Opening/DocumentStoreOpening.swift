package import SyncDatabase
private import SyncEssentials
import SyncLock
private import SyncSystem

/// Where documents are kept.
public enum ReplicaStorePlace: Sendable, Equatable {
  /// In a file, which is made if it's missing. The name must not be a link; its directory must
  /// exist, and may be reached through links.
  case file(String)
  /// In memory; it begins empty, and is gone with the replica.
  case memory

  /// The file; `nil` in memory.
  var path: String? {
    switch self {
    case .file(let path): path
    case .memory: nil
    }
  }
}

package struct DocumentStoreOptions: Sendable {
  /// What may be done with the file. By default it's made if it's missing. A store that may only be
  /// read must have been brought up to date by who may write.
  package var access = ConnectionOptions.Access.create
  /// Whether nobody can write to a store that may only be read, while it's open: then it's read
  /// also where nothing can be made beside it.
  package var isUnshared = false
  /// How long somebody else who writes is waited for. By default 5 s.
  package var busyTimeout = Duration.seconds(5)
  /// When a write waits for the disk. By default, what has returned survives a power cut.
  package var synchronous = ConnectionOptions.Synchronous.full
  /// The indexes on members that are wanted: those that are missing are made when the store is
  /// opened, and others that were declared before are removed. By default, they stay as they are.
  package var indexes: [MemberIndex]?
  /// The members that are to be searched by their words, likewise.
  package var texts: [MemberText]?
  /// What time it is, in milliseconds since 1970.
  package var clock: @Sendable () -> Int64 = WallClock.milliseconds

  package init() {}

  var connection: ConnectionOptions {
    var options = ConnectionOptions()
    options.access = access
    options.isUnshared = isUnshared
    options.busyTimeout = busyTimeout
    options.synchronous = synchronous
    options.declaredIndexes = MemberIndex.prefix
    return options
  }
}

extension DocumentStoreOptions {
  /// Only reads, where nothing can be written.
  static func reading(_ path: String) -> DocumentStoreOptions {
    var options = DocumentStoreOptions()
    var facts = statvfs()
    options.access = .readOnly
    options.isUnshared = statvfs(path, &facts) == 0 && UInt(facts.f_flag) & UInt(ST_RDONLY) != 0
    return options
  }
}

/// Opens the connections of a store.
struct DocumentStoreOpening: Sendable {
  let place: ReplicaStorePlace
  let options: DocumentStoreOptions

  var name: String { place.path ?? ":memory:" }

  /// A connection that writes, with all migrations done. A database of something else is an error,
  /// and so is one of a newer program; neither is changed.
  func writer() throws -> Connection {
    let connection = try migrated()
    try QueryFunctions.install(in: connection)
    if let indexes = options.indexes, options.access != .readOnly {
      try DeclaredIndexes(indexes: indexes).make(in: connection)
    }
    if let texts = options.texts, options.access != .readOnly {
      try DeclaredWords(texts: texts).make(in: connection)
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
    if options.access != .readOnly { StoreEditor.tidy(connection, now: options.clock()) }
    return connection
  }

  /// Whether another connection may read beside the one that writes.
  var hasReader: Bool { place != .memory && options.access != .readOnly }

  func reader() throws -> Connection {
    var options = options.connection
    options.access = .readOnly
    let connection = try Connection(path: name, options: options)
    try QueryFunctions.install(in: connection)
    return connection
  }

  /// Throws if the file is there and is none, or holds something else. A file of no tables is an
  /// empty store.
  func look(at path: String) throws {
    try requireFile(at: path)
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
    if id == StoreSchema.applicationID { return try requireToday(connection, at: path) }
    let isEmpty = try connection.row("SELECT count(*) FROM sqlite_schema") { try $0.integer(0) }
    guard id == 0, isEmpty == 0 else { throw DocumentError.notAStore(path) }
  }
}

extension DocumentStoreOpening {
  /// Of a folder SQLite says that the disk fails.
  private func requireFile(at path: String) throws {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw DocumentError.unusableFile(path: path, "it's a folder; name a file, maybe one in it")
    default: throw DocumentError.unusableFile(path: path, "it's no file that could hold a store")
    }
  }

  /// Throws if the store is one of the forms that never were released: they had no view of what is
  /// to be sent.
  private func requireToday(_ connection: Connection, at path: String) throws {
    let found = try connection.row(
      """
      SELECT count(*) FILTER (WHERE name = 'outbox') AS tables,
        count(*) FILTER (WHERE name = 'entries') AS views FROM sqlite_schema
      """
    ) { (try $0.integer("tables"), try $0.integer("views")) }
    if let found, found == (1, 0) { throw DocumentError.ofEarlierState(path) }
  }
}

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

/// The system's clock.
enum WallClock {
  /// What time it is, in milliseconds since 1970.
  @Sendable static func milliseconds() -> Int64 {
    Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))
  }
}
