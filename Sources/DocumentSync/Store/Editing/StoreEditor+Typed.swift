extension StoreEditor {
  /// Stores a document of a program's own type, and has it sent; what the type doesn't know of the
  /// one that is there stays.
  ///
  /// - Parameters:
  ///   - others: documents whose changes must have succeeded before.
  ///   - stamps: whether it carries when each of its members changed.
  /// - Returns: its id, which a new one may have by what it says, and whether anything changed.
  @discardableResult
  package func save<Document: SyncDocument>(
    _ document: Document, in scope: DocumentScope, after others: Set<DocumentID> = [],
    stamps: Bool = false
  ) throws -> (id: DocumentID, isChanged: Bool) {
    var edit = try edit(document, in: scope)
    (edit.after, edit.stamps) = (others, stamps)
    return (edit.id, try save(edit))
  }

  /// Stores a document of a program's own type without having it sent; as
  /// ``save(_:in:after:stamps:)`` otherwise.
  @discardableResult
  package func stash<Document: SyncDocument>(
    _ document: Document, in scope: DocumentScope
  ) throws -> (id: DocumentID, isChanged: Bool) {
    let edit = try edit(document, in: scope)
    return (edit.id, try stash(edit))
  }

  /// Saves a document unless there is one already that people see: the first that a query finds, or
  /// without a query one of the same id. Of two who do so at once, one makes it.
  ///
  /// - Returns: the document that is there now, and whether it was made.
  package func getOrCreate<Document: SyncDocument>(
    _ document: Document, in scope: DocumentScope, where query: DocumentQuery? = nil
  ) throws -> (document: Document, isNew: Bool) {
    let edit = try edit(document, in: scope)
    let found =
      if let query {
        try first(query)
      } else {
        try reader.document(edit.id) == nil ? nil : edit.id
      }
    if let found, let there = try reader.document(Document.self, found) { return (there, false) }
    try save(edit)
    return (try Document(edit.content, id: edit.id), true)
  }

  private func first(_ query: DocumentQuery) throws -> DocumentID? {
    var query = query
    query.limit = min(1, query.limit ?? 1)
    return try reader.ids(matching: query).first
  }

  private func edit<Document: SyncDocument>(
    _ document: Document, in scope: DocumentScope
  ) throws -> DocumentEdit {
    var (id, old) = (document.id, try reader.stored(document.id)?.body)
    if old == nil, let other = Document.documentID(for: document) {
      (id, old) = (other, try reader.stored(other)?.body)
    }
    return DocumentEdit(id, in: scope, try document.content(over: old?.asSeen, id: id))
  }
}
