import SyncDatabase
import SyncText

/// What stands for all that a server is known to have, whichever way it came here.
struct StoreDigest: ~Copyable {
  private var hasher = SHA256Hasher()

  /// Takes the next document. All are to come in the order of their ids.
  mutating func add(
    _ id: DocumentID, in collection: String, _ version: DocumentVersion, _ content: DocumentValue
  ) {
    add(Array(collection.utf8))
    add(Array(id.text.utf8))
    add(Array(version.text.utf8))
    add(content.withoutTimes.json.canonicalBytes)
  }

  consuming func finish() -> String { hasher.finish().description }

  /// With its length before it, so that no two lists of parts are the same bytes.
  private mutating func add(_ part: [UInt8]) {
    withUnsafeBytes(of: UInt64(part.count).bigEndian) { hasher.update($0) }
    part.withUnsafeBytes { hasher.update($0) }
  }
}

extension StoreReader {
  /// By ids, of which no two are the same: so the order in which they came doesn't count.
  private static func copies(_ own: SQL) -> SQL {
    """
    SELECT documents.id, collection,
      CASE WHEN shown IS NULL THEN base_version ELSE shown_version END AS version,
      CASE WHEN shown IS NULL THEN coalesce(base_body, body) ELSE shown_body END AS content
    FROM documents JOIN scopes ON scopes.number = documents.scope
    WHERE CASE WHEN shown IS NULL THEN base_version IS NOT NULL
      ELSE shown IN ('present', 'revived') END AND \(own)
    ORDER BY documents.id
    """
  }

  private static func unrest(_ own: SQL) -> SQL {
    """
    SELECT EXISTS (SELECT 1 FROM entries WHERE \(own))
      OR EXISTS (SELECT 1 FROM documents WHERE shown IS NOT NULL AND \(own))
      OR EXISTS (SELECT 1 FROM failures WHERE \(own)) AS waits
    """
  }

  package func digest() throws -> String {
    var digest = StoreDigest()
    try session.connection.query(Self.copies(session.isOwn("documents.scope"))) { row in
      digest.add(
        DocumentID(try row.text("id")), in: try row.text("collection"),
        DocumentVersion(try row.text("version")), try DocumentValue(row, "content"))
    }
    return digest.finish()
  }

  package func isAtRest() throws -> Bool {
    try session.connection.row(Self.unrest(session.isOwn("scope"))) {
      try !$0.flag("waits")
    } ?? true
  }
}
