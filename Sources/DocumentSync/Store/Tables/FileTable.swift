import SyncDatabase

/// A file of a document, as the store knows it.
struct KeptFile: Sendable, Equatable {
  /// The number of its row.
  let number: Int64
  /// Which file of which document.
  let place: FilePlace
  let facts: FileFacts
  /// Whether the server may have it, though no answer said so.
  let isTried: Bool
}

/// The files that documents name.
struct FileTable {
  let session: StoreSession

  /// How it stands with a file.
  enum State: String {
    case up, down, settled, refused, removing, removed
  }

  private var connection: Connection { session.connection }

  // MARK: - What documents name

  /// A document is to have a file that is here: it goes up once the document has.
  func add(_ facts: FileFacts, of id: DocumentID, in scope: Int64, isPreview: Bool) throws {
    try put(facts, of: id, in: scope, isPreview: isPreview, as: .up, isTried: false)
  }

  /// A document was added, which may name files. (SQLite itself notes what is changed or removed.)
  func noteNew(_ document: StoredDocument) throws {
    guard let body = document.body, FileReference.mayStand(in: body) else { return }
    try connection.run(
      """
      INSERT INTO file_news (id, is_mine) VALUES (?1, ?2)
      ON CONFLICT (id) DO UPDATE SET is_mine = max(is_mine, excluded.is_mine)
      """, document.id.text, document.entry != nil)
  }

  /// Whether documents may name others than was noted.
  func hasNews() throws -> Bool {
    try connection.row("SELECT 1 FROM file_news LIMIT 1") { _ in true } ?? false
  }

  /// Notes what documents name now.
  func takeNews() throws {
    let news = try connection.rows("SELECT id, is_mine FROM file_news") {
      (DocumentID(try $0.text("id")), try $0.flag("is_mine"))
    }
    for (id, isMine) in news { try renew(id, isMine: isMine) }
    if !news.isEmpty { try connection.run("DELETE FROM file_news") }
  }

  private func renew(_ id: DocumentID, isMine: Bool) throws {
    let found = try connection.row(
      "SELECT scope, body FROM documents WHERE id = ?1 AND body IS NOT NULL", id.text
    ) { (try $0.integer("scope"), try DocumentValue($0, "body")) }
    let named = found.map { FileReference.all(in: $0.1) } ?? []
    let all = Set(named.flatMap { [$0.content.digest, $0.preview?.digest].compactMap(\.self) })
    let kept = try connection.rows(
      "SELECT number, digest FROM files WHERE id = ?1 AND loose IS NULL", id.text
    ) { (try $0.integer("number"), try $0.text("digest")) }
    for (number, digest) in kept where !all.contains(digest) { try loosen(number, isMine) }
    guard let scope = found?.0 else { return }
    for reference in named {
      let files = [(reference.content, false)] + (reference.preview.map { [($0, true)] } ?? [])
      for (facts, isPreview) in files {
        try put(
          facts, of: id, in: scope, isPreview: isPreview, as: isMine ? .up : .down, isTried: true)
      }
    }
  }

  /// The document doesn't name it any more. Whoever made that so removes it at the server, unless
  /// that can't have it.
  private func loosen(_ number: Int64, _ isMine: Bool) throws {
    try connection.run(
      """
      UPDATE files SET loose = ?2, state =
        CASE WHEN ?3 AND (state IN ('settled', 'down') OR tried) THEN 'removing' ELSE state END
      WHERE number = ?1
      """, number, session.now, isMine)
  }

  private func put(
    _ facts: FileFacts, of id: DocumentID, in scope: Int64, isPreview: Bool, as state: State,
    isTried: Bool
  ) throws {
    // What is known already stays as it is, but for what was being removed: it's brought there
    // again.
    try connection.run(
      """
      INSERT INTO files (id, scope, digest, size, name, type, is_preview, state, tried)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      ON CONFLICT (id, digest) DO UPDATE SET loose = NULL, scope = excluded.scope,
        tried = max(tried, state IN ('removing', 'removed')),
        state = CASE WHEN state IN ('removing', 'removed') THEN 'up' ELSE state END
      """, id.text, scope, facts.digest, facts.size, facts.name, facts.type, isPreview,
      state.rawValue, isTried)
  }

  // MARK: - What is to be done

  /// Whether there is anything to do, or may be.
  func hasWork() throws -> Bool {
    try connection.row(
      """
      SELECT EXISTS (SELECT 1 FROM file_news)
        OR EXISTS (SELECT 1 FROM files WHERE state IN ('up', 'down', 'removing'))
        OR EXISTS (SELECT 1 FROM files WHERE loose < ?1) AS work
      """, session.now - StoreUpkeep.spanOfGone
    ) { try $0.flag("work") } ?? false
  }

  /// What is to go up: files whose documents the server has as they are here; smallest first.
  func uploads(_ isPreview: Bool, of server: String, _ account: String) throws -> [KeptFile] {
    try files(
      """
      state = 'up' AND is_preview = ?3 AND loose IS NULL AND EXISTS (
        SELECT 1 FROM documents WHERE documents.id = files.id AND entry IS NULL
          AND base_version IS NOT NULL)
      """, server, account, isPreview)
  }

  /// What is to come down; smallest first.
  func downloads(_ isPreview: Bool, of server: String, _ account: String) throws -> [KeptFile] {
    try files(
      "state = 'down' AND is_preview = ?3 AND loose IS NULL", server, account, isPreview)
  }

  /// What is to be removed at the server, once it knows that the document doesn't name it.
  func removals(of server: String, _ account: String) throws -> [KeptFile] {
    try files(
      """
      state = 'removing' AND ?3 IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM documents WHERE documents.id = files.id AND entry IS NOT NULL)
      """, server, account, false)
  }

  /// What no document has named for so long that it goes.
  func forgettable() throws -> [KeptFile] {
    try connection.rows(
      """
      \(Self.select) WHERE loose < ?1 AND state <> 'removing' ORDER BY files.number
      """, session.now - StoreUpkeep.spanOfGone
    ) { try Self.file($0) }
  }

  /// How many wait to go up, to come down, or were refused.
  func count(_ state: State) throws -> Int {
    try connection.row(
      "SELECT count(*) AS count FROM files WHERE state = ?1 AND loose IS NULL", state.rawValue
    ) { Int(try $0.integer("count")) } ?? 0
  }

  /// Whether any document has had the file.
  func isNamed(_ digest: String, besides number: Int64) throws -> Bool {
    try connection.row(
      "SELECT 1 FROM files WHERE digest = ?1 AND number <> ?2", digest, number
    ) { _ in true } ?? false
  }

  /// What was refused is tried again.
  func retry() throws {
    try connection.run("UPDATE files SET state = 'up' WHERE state = 'refused'")
  }

  /// It is about to be sent: a server may have it from now on.
  func tries(_ number: Int64) throws {
    try connection.run("UPDATE files SET tried = 1 WHERE number = ?1", number)
  }

  /// It stands otherwise; what no document names meanwhile only if it was to be removed.
  func set(_ state: State, _ number: Int64) throws {
    try connection.run("UPDATE files SET state = ?2 WHERE number = ?1", number, state.rawValue)
  }

  /// It is forgotten.
  func forget(_ number: Int64) throws {
    try connection.run("DELETE FROM files WHERE number = ?1", number)
  }

  /// What wasn't sent won't be.
  func dropUnsent(in scope: Int64) throws {
    try connection.run("DELETE FROM files WHERE scope = ?1 AND state IN ('up', 'refused')", scope)
  }

  private static let select: SQL = """
    SELECT files.number AS number, id, collection, digest, size, name, type, tried
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

  private static func file(_ row: borrowing Row) throws -> KeptFile {
    let digest = try row.text("digest")
    return KeptFile(
      number: try row.integer("number"),
      place: FilePlace(
        collection: try row.text("collection"), document: DocumentID(try row.text("id")),
        digest: digest),
      facts: FileFacts(
        digest: digest, size: try row.integer("size"), name: try row.text("name"),
        type: try row.text("type")),
      isTried: try row.flag("tried"))
  }
}
