import SyncDatabase

/// Documents as they are here, what the server had of them last, and what is to be sent: in one
/// file, which other processes may have open, too, or in memory.
///
/// All access goes through closures, each of which has the store for itself until it returns. What
/// people do goes by `edit`, what a sync does by `sync`; of whichever account it is seen by:
///
/// ```swift
/// let note = try await store.read { try $0.document(id) }
/// try await store.edit { try $0.save(DocumentEdit(id, in: notes, ["title": "Milk"])) }
/// let outcomes = try await store.sync { try $0.pulled(page, of: notes) }
/// ```
///
/// Those that write are transactions: all of it is recorded when they return, nothing when they
/// throw. Readers don't wait for them, and see what was recorded when they began. What is asked of
/// a store and can't be done is a ``DocumentError``, what its file can't, a `DatabaseError`.
package struct DocumentStore: Sendable {
  private let writer: Database
  private let reader: Database
  private let clock: @Sendable () -> Int64
  /// Whose documents are read, edited and synced by this value; by default everybody's are.
  private(set) var owner: @Sendable () -> DocumentOwner? = { nil }
  /// What the store must be told still when something is written by this value.
  private var setup: StoreSetup?
  package let files: FileContents
  let hub = ChangeHub()

  /// Opens a store; makes it if it's missing and that is allowed.
  ///
  /// A file of a newer program (`.newerVersion`), and one that is something else
  /// (``DocumentError/notAStore(_:)``), is left as it is.
  package init(
    _ place: ReplicaStorePlace, options: DocumentStoreOptions = DocumentStoreOptions()
  ) async throws {
    let opening = DocumentStoreOpening(place: place, options: options)
    clock = options.clock
    files = place.path.map { FileContents(besideStoreAt: $0) } ?? FileContents()
    writer = try await DatabaseError.asDamage {
      try await Database.open(
        path: opening.name,
        executor: place == .memory ? nil : QueueExecutor(label: "documents.writing")
      ) { try opening.writer() }
    }
    // From here on, others are noticed.
    try await writer.withConnection { [hub] in try hub.look(at: $0) }
    guard opening.hasReader else {
      reader = writer
      return
    }
    reader = try await Database.open(
      path: opening.name, executor: QueueExecutor(label: "documents.reading")
    ) { try opening.reader() }
  }

  /// Runs `body` with the store as it is now, whatever is written meanwhile.
  package func read<Result: Sendable>(
    _ body: @Sendable (StoreReader) throws -> Result
  ) async throws -> Result {
    try await DatabaseError.asDamage {
      try await reader.withConnection { [now = clock()] connection in
        try connection.reading {
          let session = StoreSession(reading: connection, now: now, for: owner())
          return try body(StoreReader(session: session))
        }
      }
    }
  }

  /// Runs `body`, in which people do something to documents, as one transaction.
  package func edit<Result: Sendable>(
    _ body: @Sendable (StoreEditor) throws -> Result
  ) async throws -> Result {
    try await write(by: .user, for: owner) { try body(StoreEditor($0)) }
  }

  /// Runs `body`, in which a sync does something to documents, as one transaction.
  package func sync<Result: Sendable>(
    _ body: @Sendable (StoreEditor) throws -> Result
  ) async throws -> Result {
    try await write(by: .sync, for: owner) { try body(StoreEditor($0)) }
  }

  /// The same store, of which only what somebody has is read, edited and synced.
  ///
  /// - Parameter owner: who that is; asked within each transaction.
  package func seen(by owner: @escaping @Sendable () -> DocumentOwner) -> DocumentStore {
    var store = self
    store.owner = owner
    return store
  }

  /// The same store, which is written only as long as it's told what it was.
  ///
  /// - Parameter setup: what it was told; ``DocumentError/toldAnew`` where it's to be opened anew.
  func told(_ setup: StoreSetup) -> DocumentStore {
    var store = self
    store.setup = setup
    return store
  }

  /// The same store, of which everybody's documents are read and edited: for who deals with
  /// accounts.
  package var ofAllAccounts: DocumentStore {
    var store = self
    store.owner = { nil }
    return store
  }

  /// Closes the file. Later calls are errors, but for this one.
  package func close() async {
    hub.beginClosing()
    await reader.close()
    await writer.close()
    hub.close()
  }

  /// Runs `body` with the connection that writes, within no transaction.
  func withConnection<Result: Sendable>(
    _ body: @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await writer.withConnection(body)
  }

  private func write<Result: Sendable>(
    by origin: StoreChange.Origin, for owner: @Sendable () -> DocumentOwner?,
    _ body: @Sendable (StoreSession) throws -> Result
  ) async throws -> Result {
    try await DatabaseError.asDamage {
      // All of it where SQLite runs, so that commits are told in their order.
      try await writer.withConnection { [now = clock(), hub, setup] connection in
        let before = connection.totalChanges
        let (result, log) = try connection.transaction {
          try hub.look(at: connection)
          let session = try StoreSession(
            writing: connection, now: now, for: owner(), findsByAliases: origin == .user)
          if let setup { try StoreReader(session: session).check(isToldStill: setup) }
          if hub.hasListeners { session.log = ChangeLog() }
          let result = try body(session)
          try session.finish()
          return (result, session.log)
        }
        if let log {
          if let change = log.change(by: origin) { hub.tell(change) }
        } else if hub.hasListeners, connection.totalChanges > before {
          // Somebody began to listen meanwhile, and may have read before this was recorded.
          hub.tell(StoreChange(origin: origin, documents: [], isComplete: false))
        }
        return result
      }
    }
  }
}
