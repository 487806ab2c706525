import SyncDatabase

/// What a server that lost its data is given again.
extension StoreEditor {
  /// What was at the server, of a collection, and isn't among what that names now; in the order of
  /// their ids.
  func lacking(_ named: Set<DocumentID>, in scope: DocumentScope) throws -> [DocumentID] {
    guard let number = try session.number(of: scope) else { return [] }
    return try session.connection.rows(
      """
      SELECT id FROM documents WHERE scope = ?1 AND base_version IS NOT NULL AND body IS NOT NULL
      ORDER BY id
      """, number
    ) { DocumentID(try $0.text("id")) }.filter { !named.contains($0) }
  }

  /// The server has a document no more: it's to be made there again. Answers whether it is.
  @discardableResult
  func republish(_ id: DocumentID, in scope: DocumentScope) throws -> Bool {
    guard let number = try session.number(of: scope) else { return false }
    let isMade = try change(id, in: scope) { document, counter in document.republished(&counter) }
    guard isMade ?? false else { return false }
    // It hasn't vanished: it's on its way back.
    try session.connection.run(
      "DELETE FROM vanished WHERE scope = ?1 AND id = ?2", number, id.text)
    return true
  }

  /// Which of a page's documents the server has in an older version than it had.
  func older(_ page: ChangePage, in scope: DocumentScope) throws -> [(DocumentID, ServerCopy)] {
    try page.documents.compactMap { change in
      guard let copy = change.state.copy,
        let document = try reader.stored(change.id, ofAccountOf: scope), document.scope == scope,
        let base = document.base, copy.version != base.version, copy.isOlder(than: base)
      else { return nil }
      return (change.id, copy)
    }
  }

  /// What is here is sent in the place of an older version.
  func republish(_ id: DocumentID, over copy: ServerCopy, in scope: DocumentScope) throws {
    let isSent = try change(id, in: scope) { document, counter in
      document.republished(over: copy, &counter)
    }
    // Whether a server that was put back has its files is to be seen.
    if isSent ?? false { _ = try FileTable(session: session).doubt(of: id) }
  }
}
