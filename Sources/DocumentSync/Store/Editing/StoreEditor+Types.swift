import SyncDatabase

/// Types that a store is to hold no more.
extension StoreEditor {
  /// Lets go of the types that `setup` hasn't, or has in another collection, in the transaction
  /// that keeps it: so nobody stores a document of one meanwhile. With the last type of a
  /// collection all that is known of that goes, so that it's fetched if a type comes back.
  ///
  /// - Throws: ``DocumentError/typeInUse(_:documents:)`` if something of one is here, of whatever
  ///   account.
  func endTypes(missingIn setup: StoreSetup) throws {
    guard let old = try reader.told() else { return }
    func isThere(_ kind: DocumentTypes.Kind) -> Bool {
      setup.kinds.contains { $0.name == kind.name && $0.collection == kind.collection }
    }
    for kind in old.kinds where !isThere(kind) {
      let neighbours = old.kinds.filter { $0.collection == kind.collection }
      let isLast = !neighbours.contains(where: isThere)
      // What doesn't say its type is of the collection's first.
      let isFirst = neighbours.first?.name == kind.name
      try checkNothing(of: kind, tellsAll: isLast, tellsUntyped: isFirst)
      if isLast { try dropAll(inCollection: kind.collection) }
    }
  }

  /// Makes sure that nothing of a type is here: no document, no deletion or file that is still to
  /// be told, and nothing that gave way and could be taken back.
  ///
  /// - Parameters:
  ///   - tellsAll: whether all that is in its collection counts as of the type.
  ///   - tellsUntyped: whether what doesn't say its type does.
  private func checkNothing(
    of kind: DocumentTypes.Kind, tellsAll: Bool, tellsUntyped: Bool
  ) throws {
    let found = try session.connection.row(
      """
      WITH known AS (
        SELECT documents.id, documents.scope, body IS NOT NULL AS is_there,
          coalesce(body, shown_body, base_body) ->> '$.docType' AS type
        FROM documents JOIN scopes ON scopes.number = documents.scope WHERE collection = ?1
      ), things AS (
        SELECT is_there, type FROM known
        UNION ALL SELECT 0, known.type
        FROM files JOIN scopes ON scopes.number = files.scope
          LEFT JOIN known ON known.id = files.id AND known.scope = files.scope
        WHERE collection = ?1 AND state = 'removing'
        UNION ALL SELECT 0,
          coalesce(CASE path WHEN '[]' THEN value ->> '$.docType' END, known.type,
            -- Its document is gone: nobody knows.
            CASE WHEN known.id IS NULL THEN ?3 END)
        FROM lost JOIN scopes ON scopes.number = lost.scope
          LEFT JOIN known ON known.id = lost.id AND known.scope = lost.scope
        WHERE collection = ?1
      )
      SELECT count(*) AS things, coalesce(sum(is_there), 0) AS documents FROM things
      WHERE ?2 OR coalesce(type, ?4) = ?3
      """, kind.collection, tellsAll, kind.name, tellsUntyped ? kind.name : ""
    ) { (things: try $0.integer("things"), documents: Int(try $0.integer("documents"))) }
    guard let found, found.things > 0 else { return }
    throw DocumentError.typeInUse(kind.name, documents: found.documents)
  }

  private func dropAll(inCollection collection: String) throws {
    let scopes = try session.connection.rows(
      "SELECT number FROM scopes WHERE collection = ?1", collection
    ) { try $0.integer("number") }
    for scope in scopes { try dropAll(in: scope) }
  }
}
