/// Queries that the server answers, and whose answers are remembered.
extension DocumentReplica {
  /// Asks the server for the documents for which a query holds, and remembers which they are, and
  /// in which order, under a name. They meet what is here as those of a sync do; a document that
  /// the query doesn't name stays. What of the answer can't be read is told by ``failures()``, and
  /// so is an answer that says that it's a part: of that, what came is remembered.
  ///
  /// - Parameters:
  ///   - name: what the query is called; what it found before is forgotten.
  ///   - query: what is asked, as the server knows it: names and values.
  ///   - sort: by which members it's sorted, a `-` before those that go downwards.
  ///   - collection: which collection.
  /// - Returns: what the query found, as ``documents(ofQuery:in:)`` has it.
  /// - Throws: ``DocumentSyncFailure``, ``DocumentError/noQueries``, what the store throws.
  @discardableResult
  public func remember(
    query name: String, matching query: [(name: String, value: String)],
    sortedBy sort: [String] = [],
    in collection: String
  ) async throws -> [FoundDocument] {
    let scope = try scope(of: collection)
    guard let page = try await page(matching: query, sortedBy: sort, in: collection) else {
      return []
    }
    let rules = syncer.processor.place.rules(of: collection, SyncWishes())
    var unread = UnreadEntries()
    let unreadable = unread.note(page, of: name)
    // Of whoever asked, whoever is signed in by now.
    return try await store.seen { scope.owner }.sync { [told = unread.nameless] editor in
      try editor.namelessTold(told, byQuery: name, of: scope)
      _ = try editor.pulled(
        PulledPage(page.documents, unreadable: unreadable), of: scope, rules)
      try editor.remember(query: name, page.documents.map(\.id), of: scope)
      return try editor.reader.documents(ofQuery: name, in: scope)
    }
  }

  /// Asks the server for the documents for which a query holds, and remembers nothing of it but
  /// them: they meet what is here as those of a sync do, and what the query doesn't name stays.
  ///
  /// - Parameters:
  ///   - query: what is asked, as the server knows it: names and values.
  ///   - sort: by which members it's sorted, a `-` before those that go downwards.
  ///   - collection: which collection.
  ///   - wishes: who decides where both sides changed a document, before those that its collection
  ///     names.
  /// - Returns: what the query found and is here now, in its order.
  /// - Throws: ``DocumentSyncFailure``, also where the answer is a part, or holds what can't be
  ///   read: what came is here all the same; ``DocumentError/noQueries``, what the store throws.
  public func filter(
    matching query: [(name: String, value: String)], sortedBy sort: [String] = [],
    in collection: String, _ wishes: SyncWishes = SyncWishes()
  ) async throws -> [FoundDocument] {
    let scope = try scope(of: collection)
    guard let page = try await page(matching: query, sortedBy: sort, in: collection) else {
      return []
    }
    let rules = syncer.processor.place.rules(of: collection, wishes)
    let found = try await store.seen { scope.owner }.sync { editor in
      _ = try editor.pulled(PulledPage(page.documents), of: scope, rules)
      return try editor.reader.documents(page.documents.map(\.id), in: scope)
    }
    if let unread = page.unreadable.first {
      throw DocumentSyncFailure(reason: .unreadable(unread.reason), report: DocumentReport())
    }
    return found
  }

  /// What the server answers a query; `nil` if that is nothing.
  private func page(
    matching query: [(name: String, value: String)], sortedBy sort: [String],
    in collection: String
  ) async throws -> ChangePage? {
    guard let endpoint = endpoint as? any QueriedEndpoint else { throw DocumentError.noQueries }
    let session = try await ServerSession(
      store, server: options.server, SessionState.Caller(isPerson: true, overridesWait: false),
      seams: syncer.processor.seams)
    let reply: EndpointReply<ChangesAnswer>
    do {
      reply = try await session.ask(about: collection, notes: \EndpointReply<ChangesAnswer>.notes) {
        [self] in
        try await underAccount {
          try await endpoint.documents(in: collection, matching: query, sortedBy: sort)
        }
      }
    } catch let error as DocumentSyncError {
      var report = DocumentReport()
      report.answers[error] = session.lastTrouble
      throw DocumentSyncFailure(reason: error, report: report)
    }
    guard case .page(let page) = reply.end else {
      if case .withoutLists = reply.end { throw DocumentError.noQueries }
      return nil
    }
    return page
  }

  /// Asks once more under newer credentials where there are such.
  private func underAccount(_ ask: () async throws -> EndpointReply<ChangesAnswer>) async throws
    -> EndpointReply<ChangesAnswer>
  {
    guard let account else { return try await ask() }
    return try await AccountEndpoint(endpoint, account: account).call(ask, date: \.notes.date)
  }

  /// The documents that a remembered query found last and that are still there, in its order. No
  /// server is asked.
  public func documents(
    ofQuery name: String, in collection: String
  ) async throws -> [FoundDocument] {
    try await store.read { [self] in
      try $0.documents(ofQuery: name, in: try scope(of: collection))
    }
  }
}
