/// Hands over what is kept of a server to the account that signs in there: the one way to do so,
/// whether an app's account or a program asks.
///
/// Where a file is handed over, nobody may sync it meanwhile, in whatever process: what is on its
/// way would be sent for one account and remembered for the other.
package struct AccountHandover: Sendable {
  private let old: String?
  private let name: String
  private let server: String
  private let unsent: UnsentEdits
  private let path: String?
  private let routed: Set<String>
  private let goesOn: Bool

  /// A change of account that isn't made yet.
  ///
  /// - Parameters:
  ///   - old: who was signed in before, as far as is known. Where nobody else signs in, others may
  ///     go on syncing.
  ///   - name: who signs in.
  ///   - server: where.
  ///   - unsent: what is to become of changes of others that weren't sent.
  ///   - path: the store's file; `nil` for one in memory.
  ///   - routed: the collections that something else than the server's endpoint sends.
  ///   - goesOn: whether a sync that is under way may go on where nobody else signs in; not if
  ///     something else that it goes by changes, too.
  package init(
    from old: String?, to name: String, of server: String, unsent: UnsentEdits,
    storeAt path: String?, routed: Set<String> = [], goesOn: Bool = true
  ) {
    (self.old, self.name, self.server, self.unsent, self.path) = (old, name, server, unsent, path)
    (self.routed, self.goesOn) = (routed, goesOn)
  }

  /// Makes the change, in one transaction with whatever else is to be kept of it.
  ///
  /// - Parameter isStale: whether it's not to be made any more, by what the store knows.
  /// - Returns: what `keep` gives; `nil` where the change is stale.
  /// - Throws: ``DocumentError/unsentEdits(_:)`` where nobody said what is to become of them;
  ///   ``DocumentError/isSyncedElsewhere``. Then nothing was changed.
  @discardableResult
  package func make<Result: Sendable>(
    in store: DocumentStore,
    unless isStale: @escaping @Sendable (StoreReader) throws -> Bool = { _ in false },
    _ keep: @escaping @Sendable (StoreEditor) throws -> Result
  ) async throws -> Result? {
    let turn = old == name && goesOn ? nil : try takeLock()
    defer { turn?.end() }
    return try await store.ofAllAccounts.edit { [name, server, unsent, routed] editor in
      if try isStale(editor.reader) { return nil }
      let decision = try editor.becomes(
        account: name, of: server, unsent: unsent, routed: routed)
      if case .refused(let count) = decision { throw DocumentError.unsentEdits(count) }
      return try keep(editor)
    }
  }

  /// Who is signed in has become known: all that was here before that becomes theirs, in one
  /// transaction with whatever else is to be kept of it.
  ///
  /// - Throws: ``DocumentError/isSyncedElsewhere``. Then nothing was changed.
  package func adopt<Result: Sendable>(
    in store: DocumentStore, _ keep: @escaping @Sendable (StoreEditor) throws -> Result
  ) async throws -> Result {
    let turn = try takeLock()
    defer { turn?.end() }
    return try await store.ofAllAccounts.edit { [name, server, routed] editor in
      try editor.adopts(account: name, of: server, routed: routed)
      return try keep(editor)
    }
  }

  private func takeLock() throws -> StoreLock? { try path.map { try StoreLock(storeAt: $0) } }
}
