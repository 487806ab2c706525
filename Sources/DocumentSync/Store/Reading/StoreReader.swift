import SyncDatabase

package struct StoreReader {
  let session: StoreSession

  private static let visible: SQL = """
    SELECT documents.body FROM documents JOIN scopes ON scopes.number = documents.scope
    WHERE documents.id = ?1 AND documents.owner = ?2 AND \(StoreSchema.isSeen)
      AND documents.body IS NOT NULL
    """

  package func document(_ id: DocumentID) throws -> DocumentValue? {
    guard let owner = try owner(of: id) else { return nil }
    let id = try named(id, ownedBy: owner)
    return try session.connection.row(Self.visible, id.text, owner) {
      try DocumentValue($0, "body").asSeen
    }
  }

  /// The newest that is known of a document at its server; `nil` if it isn't known to have it.
  package func serverCopy(_ id: DocumentID) throws -> ServerCopy? {
    guard let document = try stored(id) else { return nil }
    guard let shown = document.shown else { return document.base }
    return shown.copy
  }

  package func baseCopy(_ id: DocumentID) throws -> ServerCopy? { try stored(id)?.base }

  package func conflict(_ id: DocumentID) throws -> DocumentConflict? { try stored(id)?.conflict }

  package func status(of id: DocumentID) throws -> DocumentStatus? {
    try stored(id).map { DocumentStatus($0, try reason(of: $0)) }
  }

  package func isPending(_ id: DocumentID) throws -> Bool { try stored(id)?.entry != nil }

  /// What a collection is known to be as new as; `nil` if nothing is known.
  package func checkpoint(of scope: DocumentScope) throws -> String? {
    let checkpoint = try session.connection.row(
      """
      SELECT checkpoint FROM scopes WHERE server = ?1 AND account = ?2 AND collection = ?3
      """, scope.server, scope.account, scope.collection
    ) { try $0.optionalText("checkpoint") }
    return checkpoint ?? nil
  }

  package func failures(of scope: DocumentScope) throws -> [UnreadableDocument] {
    guard let scope = try session.number(of: scope) else { return [] }
    return try failures(in: scope)
  }

  package func storeName() throws -> String { try session.storeName() }

  /// Where a document is at home, whether or not people see it; `nil` if there is none.
  package func scope(of id: DocumentID) throws -> DocumentScope? { try stored(id)?.scope }

  /// A document with what is to be sent of it; `nil` if it has no row, or is another account's. A
  /// deletion of it may be known all the same.
  func stored(_ id: DocumentID) throws -> StoredDocument? {
    try kept(id, ownedBy: owner(of: id))?.document
  }

  /// The document of that id that belongs to a collection's account.
  func stored(_ id: DocumentID, ofAccountOf scope: DocumentScope) throws -> StoredDocument? {
    try kept(id, ownedBy: session.number(of: scope.owner))?.document
  }
}

extension DocumentValue {
  /// Without what people and programs never see.
  var asSeen: DocumentValue { self[MemberTimes.name] == nil ? self : withoutTimes }
}
