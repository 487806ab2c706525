/// What is asked of the documents, all of it of whoever is signed in.
extension DocumentReplica {
  /// A document as people see it; `nil` if there is none.
  public func document(_ id: DocumentID) async throws -> DocumentValue? {
    try await store.read { try $0.document(id) }
  }

  /// The documents that a query finds, in the order that it asks for. By default all.
  public func documents(
    matching query: DocumentQuery = DocumentQuery()
  ) async throws -> [FoundDocument] {
    try await store.read { [query = ours(query)] in try $0.documents(matching: query) }
  }

  /// The ids of the documents that a query finds, in the order that it asks for.
  public func ids(matching query: DocumentQuery = DocumentQuery()) async throws -> [DocumentID] {
    try await store.read { [query = ours(query)] in try $0.ids(matching: query) }
  }

  /// How many documents a query finds, whatever its limit and offset are.
  public func count(matching query: DocumentQuery = DocumentQuery()) async throws -> Int {
    try await store.read { [query = ours(query)] in try $0.count(matching: query) }
  }

  /// A document as a type of the program's; `nil` if there is none, or one of another type.
  /// - Throws: What reading the type throws, too.
  public func document<Document: SyncDocument>(
    _ type: Document.Type, _ id: DocumentID
  ) async throws -> Document? {
    try await store.read { try $0.document(type, id) }
  }

  /// The documents of a type of the program's that a query finds, in the order that it asks for.
  /// One that names no collection looks where the type is at home (``SyncDocument/collection``).
  /// - Throws: What reading the type throws, too.
  public func documents<Document: SyncDocument>(
    _ type: Document.Type, matching query: DocumentQuery = DocumentQuery()
  ) async throws -> [Document] {
    try await store.read { [query = ours(query.named(type.collection))] in
      try $0.documents(type, matching: query)
    }
  }

  /// Which of the values of a document is meant.
  public enum Side: Sendable {
    /// What people see.
    case here
    /// The server's that a local change stands on.
    case base
    /// The newest that is known of the server's.
    case server
  }

  /// A document with its id and its type, as ``export(_:_:)`` gives it; `nil` if there is none.
  public func shown(
    _ id: DocumentID, _ types: DocumentTypes, _ side: Side = .here
  ) async throws -> DocumentValue? {
    try await store.read { reader in
      let copy: ServerCopy?
      switch side {
      case .here: return try reader.shown(id, types)
      case .base: copy = try reader.baseCopy(id)
      case .server: copy = try reader.serverCopy(id)
      }
      guard let copy, let collection = try reader.scope(of: id)?.collection else { return nil }
      return types.shown(copy.value, id, in: collection)
    }
  }

  /// Runs a statement of SQL that the program wrote, which may only read, and gives its rows: each
  /// value by its column, numbers and text as JSON has them, bytes left out.
  ///
  /// It sees the documents of whoever is signed in, in the view `documents_view`: `id`, `type`,
  /// `server`, `account`, `collection`, `body` (JSON), `state` (`synced`, `created` or `edited`)
  /// and `pending` (0 or 1). SQLite's functions for JSON are there; the store's own tables can't be
  /// named. Never put values of others into the text: bind them.
  ///
  /// - Parameters:
  ///   - sql: one statement.
  ///   - values: for its parameters `?`, in their order: strings, numbers, truth values and `null`.
  /// - Throws: ``DocumentProblem/statement(_:)``, if it can't be run.
  public func rows(
    _ sql: String, _ values: [DocumentValue] = []
  ) async throws -> [[String: DocumentValue]] {
    try await store.read { try $0.values(ofRows: sql, values) }
  }

  /// The query, of the documents of this server and of whoever is signed in.
  func ours(_ query: DocumentQuery) -> DocumentQuery {
    var query = query
    (query.server, query.account) = (options.server, syncer.processor.place.account)
    return query
  }
}
