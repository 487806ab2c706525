import SyncDatabase

extension StoreSchema {
  static let queries: StaticString = """
    -- What queries of a server found last, in its order.
    CREATE TABLE queries (
      scope INTEGER NOT NULL,
      name TEXT NOT NULL,
      place INTEGER NOT NULL,
      id TEXT NOT NULL,
      PRIMARY KEY (scope, name, place)
    ) STRICT, WITHOUT ROWID;
    """
}

/// What queries of a server found last, by the names that they are remembered under.
struct QueryTable {
  let session: StoreSession

  /// A query found these, in this order; what it found before is forgotten.
  func remember(_ name: String, _ ids: [DocumentID], in scope: Int64) throws {
    guard try ids != self.ids(name, in: scope) else { return }
    try session.connection.run(
      "DELETE FROM queries WHERE scope = ?1 AND name = ?2", scope, name)
    for (place, id) in ids.enumerated() {
      try session.connection.run(
        "INSERT INTO queries (scope, name, place, id) VALUES (?1, ?2, ?3, ?4)", scope, name,
        Int64(place), id.text)
    }
  }

  /// What a query found last.
  func ids(_ name: String, in scope: Int64) throws -> [DocumentID] {
    try session.connection.rows(
      "SELECT id FROM queries WHERE scope = ?1 AND name = ?2 ORDER BY place", scope, name
    ) { DocumentID(try $0.text("id")) }
  }
}

extension SyncDoor {
  /// A query of the server found these documents, in this order.
  package func remember(query name: String, _ ids: [DocumentID], of scope: DocumentScope) throws {
    try QueryTable(session: session).remember(name, ids, in: session.makeNumber(of: scope))
  }
}

extension StoreReader {
  /// The documents that a remembered query found last and that people see, in its order.
  package func documents(
    ofQuery name: String, in scope: DocumentScope
  ) throws -> [FoundDocument] {
    guard let number = try session.number(of: scope) else { return [] }
    return try QueryTable(session: session).ids(name, in: number).compactMap { id in
      try document(id).map { FoundDocument(id: id, scope: scope, content: $0) }
    }
  }
}
