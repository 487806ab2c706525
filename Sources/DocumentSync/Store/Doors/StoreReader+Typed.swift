extension StoreReader {
  /// A document as a program's own type; `nil` if there is none, or one of another type.
  package func document<Document: SyncDocument>(
    _ type: Document.Type, _ id: DocumentID
  ) throws -> Document? {
    guard let content = try document(id), type.isType(of: content) else { return nil }
    return try Document(content, id: id)
  }

  /// The documents of a program's own type that are so, in the order that is asked for.
  package func documents<Document: SyncDocument>(
    _ type: Document.Type, matching query: DocumentQuery = DocumentQuery()
  ) throws -> [Document] {
    let member: DocumentPath = [.member(type.typeMember)]
    var query = query
    query.add(.or([.equal(member, DocumentValue(type.documentType)), .missing(member)]))
    return try documents(matching: query).map { try Document($0.content, id: $0.id) }
  }
}
