import SyncDatabase

/// Documents of a server that has no lists: what became of them is learned one by one.
extension StoreEditor {
  /// The documents of a collection that the server had, those first that it showed longest ago, or
  /// never; so many at most. With the version that is known of each.
  func unseen(
    in scope: DocumentScope, limit: Int
  ) throws -> [(id: DocumentID, version: DocumentVersion)] {
    guard let number = try session.number(of: scope) else { return [] }
    return try session.connection.rows(
      """
      SELECT id, base_version FROM documents
      LEFT JOIN sightings ON sightings.document = documents.number
      WHERE scope = ?1 AND base_version IS NOT NULL
      ORDER BY coalesce(at, 0), documents.number LIMIT ?2
      """, number, limit
    ) { row in
      (DocumentID(try row.text("id")), DocumentVersion(try row.text("base_version")))
    }
  }

  /// The server has a document still that it had no more, as it seemed.
  func isThere(_ id: DocumentID, in scope: DocumentScope) throws {
    guard let number = try session.number(of: scope) else { return }
    try forgetVanished(id, in: number)
  }

  /// The server has shown a document just now, or that it's as it was.
  func seen(_ id: DocumentID) throws {
    try session.connection.run(
      """
      INSERT INTO sightings (document, at)
        SELECT number, ?2 FROM documents WHERE id = ?1 AND owner = ?3
      ON CONFLICT (document) DO UPDATE SET at = excluded.at
      """, id.text, session.now, reader.owner(of: id))
  }
}
