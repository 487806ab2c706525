/// Documents as types of the program's.
extension DocumentReplica {
  /// Stores a document of a type of the program's, and has it sent. What the type doesn't know of
  /// the one that is there stays as it is.
  ///
  /// - Parameters:
  ///   - document: what is stored.
  ///   - collection: where it is stored; by default where its type is at home
  ///     (``SyncDocument/collection``).
  ///   - others: the documents that it is to be sent after: each must have succeeded before.
  /// - Returns: its id, which a new one may have by what it says
  ///   (``SyncDocument/documentID(for:)``).
  @discardableResult
  public func save<Document: SyncDocument>(
    _ document: Document, in collection: String? = nil, after others: Set<DocumentID> = []
  ) async throws -> DocumentID {
    let collection = collection ?? Document.collection
    let (id, hasChanged) = try await store.edit { [self] editor in
      let scope = try scope(of: collection)
      let done = try editor.save(
        document, in: scope, after: others, stamps: stamps(in: collection),
        keys: keys(of: collection))
      return try checked(done, editor, collection)
    }
    edited(hasChanged)
    return id
  }

  /// Stores a document of a type of the program's without having it sent.
  @discardableResult
  public func stash<Document: SyncDocument>(
    _ document: Document, in collection: String? = nil
  ) async throws -> DocumentID {
    let collection = collection ?? Document.collection
    return try await store.edit { [self] editor in
      let done = try editor.stash(
        document, in: try scope(of: collection), keys: keys(of: collection))
      return try checked(done, editor, collection).id
    }
  }

  /// Saves a document unless there is one already: the first that a query finds, or without a query
  /// one of the same id. Of two who do so at once, one makes it. A query that names no collection
  /// looks in that one alone.
  ///
  /// - Returns: the document that is there now, and whether it was made.
  public func getOrCreate<Document: SyncDocument>(
    _ document: Document, in collection: String? = nil, where query: DocumentQuery? = nil
  ) async throws -> (document: Document, isNew: Bool) {
    let collection = collection ?? Document.collection
    let made = try await store.edit { [self] editor in
      let made = try editor.getOrCreate(
        document, in: try scope(of: collection), where: query.map { ours($0.named(collection)) },
        keys: keys(of: collection))
      _ = try checked((made.document.id, made.isNew), editor, collection)
      return made
    }
    edited(made.isNew)
    return made
  }

  /// What was done within a transaction, if the server can take what came of it; else nothing was.
  private func checked(
    _ done: (id: DocumentID, isChanged: Bool), _ editor: StoreEditor, _ collection: String
  ) throws -> (id: DocumentID, isChanged: Bool) {
    if let content = try editor.reader.document(done.id),
      let problem = endpoint.problem(with: done.id, content, in: collection)
    {
      throw DocumentError.cannotTravel(done.id, problem)
    }
    return done
  }
}
