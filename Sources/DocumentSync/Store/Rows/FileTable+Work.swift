import SyncDatabase

/// What is to be done with files.
extension FileTable {
  /// Whether there is anything to do, or may be.
  func hasWork() throws -> Bool {
    try connection.row(
      """
      SELECT EXISTS (SELECT 1 FROM file_news)
        OR EXISTS (SELECT 1 FROM files WHERE state IN ('up', 'down', 'removing'))
        OR EXISTS (SELECT 1 FROM files WHERE state = 'checking' AND loose IS NULL)
        OR EXISTS (SELECT 1 FROM files WHERE loose < ?1) AS work
      """, session.now - StoreEditor.spanOfGone
    ) { try $0.flag("work") } ?? false
  }

  /// What is to go up: files whose documents the server has as they are here; smallest first.
  func uploads(_ isPreview: Bool, of server: String, _ account: String) throws -> [KeptFile] {
    try files(
      """
      state = 'up' AND is_preview = ?3 AND loose IS NULL AND EXISTS (
        SELECT 1 FROM documents
        WHERE documents.id = files.id AND documents.owner = files.owner AND entry IS NULL
          AND base_version IS NOT NULL)
        AND NOT EXISTS (
          SELECT 1 FROM vanished WHERE vanished.scope = files.scope AND vanished.id = files.id)
      """, server, account, isPreview)
  }

  /// What is to come down; smallest first.
  func downloads(_ isPreview: Bool, of server: String, _ account: String) throws -> [KeptFile] {
    try files(
      "state = 'down' AND is_preview = ?3 AND loose IS NULL", server, account, isPreview)
  }

  /// What the server is to be asked for once more, of documents that it has.
  func checks(of server: String, _ account: String) throws -> [KeptFile] {
    try files(
      """
      state = 'checking' AND ?3 IS NOT NULL AND loose IS NULL AND EXISTS (
        SELECT 1 FROM documents
        WHERE documents.id = files.id AND documents.owner = files.owner AND entry IS NULL
          AND base_version IS NOT NULL)
        AND NOT EXISTS (
          SELECT 1 FROM vanished WHERE vanished.scope = files.scope AND vanished.id = files.id)
      """, server, account, false)
  }

  /// What is to be removed at the server, once it knows that the document doesn't name it.
  func removals(of server: String, _ account: String) throws -> [KeptFile] {
    try files(
      """
      state = 'removing' AND ?3 IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM documents
        WHERE documents.id = files.id AND documents.owner = files.owner AND entry IS NOT NULL)
      """, server, account, false)
  }

  /// What no document has named for so long that it goes, of whatever account.
  func forgettable() throws -> [KeptFile] {
    try connection.rows(
      """
      \(Self.select) WHERE loose < ?1 AND state <> 'removing' ORDER BY files.number
      """, session.now - StoreEditor.spanOfGone
    ) { try Self.file($0) }
  }

  static let select: SQL = """
    SELECT files.number AS number, id, collection, digest, size, name, type, tried,
      state, loose, member, address
    FROM files JOIN scopes ON scopes.number = files.scope
    """

  private func files(
    _ condition: SQL, _ server: String, _ account: String, _ isPreview: Bool
  ) throws -> [KeptFile] {
    try connection.rows(
      """
      \(Self.select) WHERE server = ?1 AND account = ?2 AND \(condition) ORDER BY size, files.number
      """, server, account, isPreview
    ) { try Self.file($0) }
  }

  static func file(_ row: borrowing Row) throws -> KeptFile {
    let digest = try row.text("digest")
    return KeptFile(
      number: try row.integer("number"),
      place: FilePlace(
        collection: try row.text("collection"), document: DocumentID(try row.text("id")),
        digest: digest, member: try row.optionalText("member"),
        address: try row.optionalText("address")),
      facts: FileFacts(
        digest: digest, size: try row.integer("size"), name: try row.text("name"),
        type: try row.text("type")),
      isTried: try row.flag("tried"), state: try row.text("state"),
      loose: try row.optionalInteger("loose"))
  }

  /// What wasn't sent won't be. It stays known, so that its content goes after a time, too.
  func dropUnsent(in scope: Int64) throws {
    // What these documents are left with names other files, or the same, which others have sent.
    try connection.run(
      """
      INSERT INTO file_news (id, owner, is_mine)
        SELECT DISTINCT id, owner, 0 FROM files WHERE scope = ?1 AND state IN ('up', 'refused')
      ON CONFLICT (id, owner) DO UPDATE SET is_mine = 0
      """, scope)
    try connection.run(
      """
      UPDATE files SET state = 'dropped', words = NULL, loose = coalesce(loose, ?2)
      WHERE scope = ?1 AND state IN ('up', 'refused')
      """, scope, session.now)
  }
}
