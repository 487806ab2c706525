import SyncDatabase

/// A document that was asked for by what it's like.
public struct FoundDocument: Sendable {
  /// What it's called.
  public let id: DocumentID
  /// The collection that it's at home in.
  public let collection: String
  /// What people see of it.
  public let content: DocumentValue
}

extension StoreReader {
  package func documents(matching query: DocumentQuery) throws -> [FoundDocument] {
    var found: [FoundDocument] = []
    try forEach(matching: query) { found.append($0) }
    return found
  }

  package func forEach(
    matching query: DocumentQuery, _ body: (FoundDocument) throws -> Void
  ) throws {
    guard let statement = try statement(query) else { return }
    try session.connection.query(statement.rows(withBodies: true)) { row in
      try body(
        FoundDocument(
          id: DocumentID(try row.text("id")),
          collection: try session.scope(try row.integer("scope")).collection,
          content: try DocumentValue(row, "body").asSeen))
    }
  }

  package func ids(matching query: DocumentQuery) throws -> [DocumentID] {
    guard let statement = try statement(query) else { return [] }
    return try session.connection.rows(statement.rows(withBodies: false)) {
      DocumentID(try $0.text("id"))
    }
  }

  package func count(matching query: DocumentQuery) throws -> Int {
    guard let statement = try statement(query) else { return 0 }
    return try session.connection.row(statement.count) { Int(try $0.integer("count")) } ?? 0
  }

  private func statement(_ query: DocumentQuery) throws -> QueryStatement? {
    let scopes = try session.connection.rows("SELECT number, hidden FROM scopes") {
      (number: try $0.integer("number"), isHidden: try $0.flag("hidden"))
    }
    let meant = try scopes.filter {
      let scope = try session.scope($0.number)
      return query.means(scope) && session.isOwn(scope)
    }
    if query.condition?.asksForWords ?? false, try !WordTable.isThere(in: session.connection) {
      throw DocumentProblem.noWords
    }
    guard !meant.isEmpty else { return nil }
    return QueryStatement(
      query: query, scopes: meant.filter { !$0.isHidden }.map(\.number),
      hidden: meant.filter(\.isHidden).map(\.number))
  }

  // MARK: - Queries that a server answered

  package func documents(
    ofQuery name: String, in scope: DocumentScope
  ) throws -> [FoundDocument] {
    guard let number = try session.number(of: scope) else { return [] }
    return try documents(try ids(ofQuery: name, in: number), in: scope)
  }

  /// Documents in the order of their ids' list; those that aren't there aren't among them.
  func documents(_ ids: [DocumentID], in scope: DocumentScope) throws -> [FoundDocument] {
    try ids.compactMap { id in
      try document(id).map { FoundDocument(id: id, collection: scope.collection, content: $0) }
    }
  }

  /// What a query found last.
  func ids(ofQuery name: String, in scope: Int64) throws -> [DocumentID] {
    try session.connection.rows(
      "SELECT id FROM queries WHERE scope = ?1 AND name = ?2 ORDER BY place", scope, name
    ) { DocumentID(try $0.text("id")) }
  }

  // MARK: - Types of a program's own

  package func document<Document: SyncDocument>(
    _ type: Document.Type, _ id: DocumentID
  ) throws -> Document? {
    guard let content = try document(id), type.isType(of: content) else { return nil }
    return try Document(content, id: named(id))
  }

  package func documents<Document: SyncDocument>(
    _ type: Document.Type, matching query: DocumentQuery = DocumentQuery()
  ) throws -> [Document] {
    try documents(matching: query.ofType(type)).map { try Document($0.content, id: $0.id) }
  }
}

extension DocumentQuery {
  /// The same, of documents that say that they are of a type, or don't say of which.
  fileprivate func ofType<Document: SyncDocument>(_ type: Document.Type) -> DocumentQuery {
    let member: DocumentPath = [.member(type.typeMember)]
    var query = self
    query.add(.or([.equal(member, DocumentValue(type.documentType)), .missing(member)]))
    return query
  }

  /// The same, where the type is at home unless the query names a collection.
  func of<Document: SyncDocument>(_ type: Document.Type) -> DocumentQuery {
    named(type.collection).ofType(type)
  }
}
