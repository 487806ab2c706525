import SyncDatabase

/// Types that a store is to hold no more.
extension StoreEditor {
  /// Lets go of the types that `setup` hasn't, or has in another collection, in the transaction
  /// that keeps it: so nobody stores a document of one meanwhile.
  ///
  /// - Throws: ``DocumentError/typeInUse(_:documents:)`` if something of one is here, of whatever
  ///   account.
  func endTypes(missingIn setup: StoreSetup) throws {
    guard let old = try reader.told() else { return }
    func isThere(_ kind: DocumentTypes.Kind) -> Bool {
      setup.kinds.contains { $0.name == kind.name && $0.collection == kind.collection }
    }
    for kind in old.kinds where !isThere(kind) {
      guard old.kinds.contains(where: { $0.collection == kind.collection && isThere($0) }) else {
        try endCollection(of: kind)
        continue
      }
      // Documents that don't say their type are of the collection's first.
      let first = old.kinds.first { $0.collection == kind.collection }
      try checkNothing(of: kind, tellsUntyped: first?.name == kind.name)
    }
  }

  private func checkNothing(of kind: DocumentTypes.Kind, tellsUntyped: Bool) throws {
    let count = try session.connection.row(
      """
      SELECT count(*) AS count FROM documents JOIN scopes ON scopes.number = documents.scope
      WHERE collection = ?1
        AND coalesce(coalesce(body, shown_body, base_body) ->> '$.docType', ?3) = ?2
      """, kind.collection, kind.name, tellsUntyped ? kind.name : ""
    ) { Int(try $0.integer("count")) }
    guard count == 0 else { throw DocumentError.typeInUse(kind.name, documents: count ?? 0) }
  }

  /// The same of a type that had its collection for itself: what is known of that goes, too, so
  /// that all of it is fetched if the type comes back.
  private func endCollection(of kind: DocumentTypes.Kind) throws {
    let scopes = try session.connection.rows(
      "SELECT number FROM scopes WHERE collection = ?1", kind.collection
    ) { try $0.integer("number") }
    for scope in scopes {
      let found = try session.connection.row(
        """
        SELECT EXISTS (SELECT 1 FROM documents WHERE scope = ?1)
            OR EXISTS (SELECT 1 FROM files WHERE scope = ?1 AND state = 'removing')
            OR EXISTS (SELECT 1 FROM lost WHERE scope = ?1) AS is_used,
          (SELECT count(*) FROM documents JOIN scopes ON scopes.number = documents.scope
            WHERE collection = ?2 AND body IS NOT NULL) AS count
        """, scope, kind.collection
      ) { (isUsed: try $0.flag("is_used"), count: Int(try $0.integer("count"))) }
      guard let found, !found.isUsed else {
        throw DocumentError.typeInUse(kind.name, documents: found?.count ?? 0)
      }
      try dropAll(in: scope)
    }
  }
}
