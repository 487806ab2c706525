/// Documents as lines of JSON, out and in, and taken away all at once. None of it asks a server.
extension DocumentReplica {
  /// Hands every document to `body`, each as one line of JSON with a line feed at its end, with its
  /// id and its type. Of what is in conflict it's the local one; what is deleted isn't there.
  ///
  /// - Parameters:
  ///   - types: which collection has which type of documents.
  ///   - body: is given one line at a time. What it throws ends the export.
  public func export(
    _ types: DocumentTypes, _ body: @Sendable ([UInt8]) throws -> Void
  ) async throws {
    try await store.read { try $0.export(types, body) }
  }

  /// The same of the documents of all accounts that are in the store, also of those that aren't
  /// signed in: the only call that looks at others'. Each line says whose the document is:
  /// `{"server":…,"account":…,"document":{…}}`, with `null` for nobody's, and is none that
  /// ``importDocuments(_:_:)`` takes.
  ///
  /// - Parameters:
  ///   - types: which collection has which type of documents.
  ///   - body: is given one line at a time. What it throws ends the export.
  public func exportAllAccounts(
    _ types: DocumentTypes, _ body: @Sendable ([UInt8]) throws -> Void
  ) async throws {
    try await store.ofAllAccounts.read { try $0.exportAllAccounts(types, body) }
  }

  /// Saves documents as ``export(_:_:)`` gives them, one on each line. All are saved or, if one
  /// line is bad, none (``DocumentError/badLine(_:_:)``).
  @discardableResult
  public func importDocuments(
    _ lines: [UInt8], _ types: DocumentTypes
  ) async throws -> (documents: Int, changed: Int) {
    let summary = try await store.edit { [self] editor in
      let account = syncer.processor.place.account
      return try editor.importDocuments(lines, types, of: options.server, account: account) {
        $0 = try edit($0.id, $0.content, $0.scope.collection, after: [])
      }
    }
    edited(summary.changed > 0)
    return (summary.documents, summary.changed)
  }

  /// Takes the local copies of documents away, of which no server is told; the next pull brings all
  /// that the server has.
  ///
  /// - Parameters:
  ///   - collection: whose documents go; those of all by default.
  ///   - discardingChanges: whether changes that wait to be sent go, too. By default it's an error
  ///     that there are any, and nothing is dropped.
  /// - Returns: how many documents went.
  @discardableResult
  public func dropAll(
    of collection: String? = nil, discardingChanges: Bool = false
  ) async throws -> Int {
    let meant = try collection.map { try scope(of: $0) }
    return try await store.edit { editor in
      guard let meant else {
        return try editor.dropEverything(discardingChanges: discardingChanges)
      }
      return try editor.dropCollection(meant, discardingChanges: discardingChanges)
    }
  }
}
