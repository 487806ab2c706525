/// Single documents, now: each call returns when the server has answered for this one.
///
/// None of them moves a checkpoint, and none asks for anything else. While a sync is under way,
/// they wait for its end, five seconds at most (``DocumentError/isSyncedElsewhere``).
extension DocumentReplica {
  /// Asks the server for one document. What it has meets what is here as in a sync: an edit that
  /// waits isn't lost.
  ///
  /// - Parameters:
  ///   - id: which document.
  ///   - collection: where it's at home; `nil` for where it's known, or else for whichever
  ///     collection has it.
  ///   - wishes: who decides where both sides changed it, before those that its collection names;
  ///     and whether a wait that the server asked for is overridden.
  /// - Returns: what the server has; `nil` if it says that it has none, which removes nothing here.
  /// - Throws: ``DocumentSyncFailure`` where it says neither; ``DocumentError``, what the store
  ///   throws, `CancellationError`.
  @discardableResult
  public func fetch(
    _ id: DocumentID, in collection: String? = nil, _ wishes: SyncWishes = SyncWishes()
  ) async throws -> DocumentValue? {
    let known = try await store.read { [processor = syncer.processor] reader in
      try reader.stored(id).map { document in
        (
          id: document.id, collection: document.scope.collection,
          isNamed: document.base != nil
            || !processor.place.keyless.contains(document.scope.collection)
        )
      }
    }
    // The server doesn't know an id that it hasn't made.
    if let known, !known.isNamed { return nil }
    let name = known?.id ?? id
    let collections =
      (collection ?? known?.collection).map { [$0] } ?? options.collections.map(\.name)
    let scopes = try collections.map { try scope(of: $0) }
    return try await call { processor in
      for scope in scopes {
        if let copy = try await processor.fetch(name, in: scope, wishes) {
          return copy.value.withoutTimes
        }
      }
      return nil
    }
  }

  /// Stores a new document, and returns when the server has it.
  ///
  /// - Parameters:
  ///   - content: what it says: an object.
  ///   - id: what it's called. Where the server makes the ids, until it's made.
  ///   - collection: where it's at home.
  ///   - others: the documents that it is sent after; those that wait are sent before.
  ///   - wishes: who decides about a conflict, and what becomes of it if it's refused.
  /// - Returns: what it's called now.
  /// - Throws: ``DocumentError/notSent(_:_:)`` where the server didn't take it, and
  ///   ``DocumentSyncFailure`` where it couldn't be asked: it's stored all the same, and sent with
  ///   the next sync. ``DocumentError/gaveWay(_:)`` where it, or some of it, gave way to what the
  ///   server has. Whatever ``save(_:_:in:after:)`` throws, before anything is stored.
  @discardableResult
  public func createNow(
    _ content: DocumentValue, as id: DocumentID = .uuid7(), in collection: String,
    after others: Set<DocumentID> = [], _ wishes: SyncWishes = SyncWishes()
  ) async throws -> DocumentID {
    try await store.edit { [self] editor in
      guard try editor.reader.stored(id) == nil else { throw DocumentError.isThere(id) }
      try editor.save(try edit(id, content, collection, after: others))
    }
    try await send(id, in: collection, wishes)
    return try await store.read { try $0.named(id) }
  }

  /// Changes members of a document, and returns when the server has the change.
  ///
  /// - Parameters:
  ///   - id: which document; it must be there.
  ///   - members: what they say from now on, by name; `nil` takes one out.
  ///   - wishes: who decides about a conflict, and what becomes of it if it's refused.
  /// - Returns: what the document says now.
  /// - Throws: as ``createNow(_:as:in:after:_:)``; ``DocumentError/noDocument(_:)``.
  @discardableResult
  public func updateNow(
    _ id: DocumentID, setting members: [String: DocumentValue?],
    _ wishes: SyncWishes = SyncWishes()
  ) async throws -> DocumentValue? {
    let collection = try await store.edit { [self] editor in
      guard let document = try editor.reader.stored(id), let body = document.body else {
        throw DocumentError.noDocument(id)
      }
      let content = try members.sorted { $0.key < $1.key }.reduce(body.asSeen) { content, member in
        try content.setting(member.key, to: member.value)
      }
      let collection = document.scope.collection
      try editor.save(try edit(document.id, content, collection, after: []))
      return collection
    }
    try await send(id, in: collection, wishes)
    return try await document(id)
  }

  /// Deletes a document, and returns when the server has it no more. Answers whether there was one.
  ///
  /// - Throws: as ``createNow(_:as:in:after:_:)``.
  @discardableResult
  public func deleteNow(
    _ id: DocumentID, _ wishes: SyncWishes = SyncWishes()
  ) async throws -> Bool {
    let (isDeleted, collection) = try await store.edit { editor in
      let collection = try editor.reader.scope(of: id)?.collection
      let isDeleted = try editor.delete(id)
      // No server has what was never sent.
      return (isDeleted, try editor.reader.isPending(id) ? collection : nil)
    }
    if isDeleted, let collection { try await send(id, in: collection, wishes) }
    return isDeleted
  }

  /// Sends what waits of one document.
  private func send(
    _ id: DocumentID, in collection: String, _ wishes: SyncWishes
  ) async throws {
    let scope = try scope(of: collection)
    let retries = if case .retry(let count) = wishes.onError { count } else { 0 }
    for attempt in 0...retries {
      let lost = try await call { try await $0.send(id, in: scope, wishes) }
      guard lost.isEmpty else { throw DocumentError.gaveWay(id) }
      guard let status = try await status(of: id), status.isPending else { return }
      guard status.problem == .rejected, attempt < retries else { break }
      try await store.edit { _ = try $0.retry(id) }
    }
    try await tellUnsent(id, wishes)
  }

  private func tellUnsent(_ id: DocumentID, _ wishes: SyncWishes) async throws {
    guard let status = try await status(of: id), let words = status.sentence else { return }
    if wishes.onError == .resign, status.problem == .rejected { try await resign(id) }
    throw DocumentError.notSent(id, words)
  }

  /// Makes a call while nobody syncs.
  private func call<Result: Sendable>(
    _ body: (DocumentProcessor) async throws -> Result
  ) async throws -> Result {
    let processor = syncer.processor
    return try await processor.alone { try await body(processor) }
  }
}
