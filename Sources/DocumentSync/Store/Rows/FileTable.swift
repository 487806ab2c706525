import SyncDatabase

/// A file of a document, as the store knows it.
struct KeptFile: Sendable, Equatable {
  let number: Int64
  let place: FilePlace
  let facts: FileFacts
  /// Whether the server may have it, though no answer said so.
  let isTried: Bool
  /// How it stood when it was read, in the table's own words.
  let state: String
  /// Since when no document names it; `nil` if one did when it was read.
  let loose: Int64?
}

/// The files that documents name.
struct FileTable {
  let session: StoreSession

  /// How it stands with a file. One that is `dropped` is here, and isn't to be sent: for a document
  /// that names it later, it's as if nothing had been known of it.
  enum State: String {
    case up, down, settled, checking, refused, removing, removed, stays, dropped
  }

  var connection: Connection { session.connection }

  // MARK: - What documents name

  /// A document is to have a file that is here: it goes up once the document has. Answers whether
  /// one goes up now that the server refused, or that was to come from there.
  func add(
    _ facts: FileFacts, of id: DocumentID, in home: StoreSession.Home, isPreview: Bool
  ) throws -> Bool {
    try put(facts, of: id, in: home, isPreview: isPreview, as: .up, isTried: false)
    // The server may have it by now, or may have lost it: it's asked before it's sent.
    return try connection.run(
      """
      UPDATE files SET state = 'up', tried = 1, words = NULL
      WHERE id = ?1 AND owner = ?2 AND digest = ?3 AND state IN ('down', 'refused')
      """, id.text, home.owner, facts.digest) > 0
  }

  /// A document was added, which may name files. (SQLite itself notes what is changed or removed.)
  func noteNew(_ document: StoredDocument, of owner: Int64) throws {
    guard let body = document.body, FileReference.mayStand(in: body) else { return }
    try connection.run(
      """
      INSERT INTO file_news (id, owner, is_mine) VALUES (?1, ?2, ?3)
      ON CONFLICT (id, owner) DO UPDATE SET is_mine = max(is_mine, excluded.is_mine)
      """, document.id.text, owner, document.entry != nil)
  }

  /// Whether documents may name others than was noted.
  func hasNews() throws -> Bool {
    try connection.row("SELECT 1 FROM file_news LIMIT 1") { _ in true } ?? false
  }

  /// Notes what documents name now, of all accounts.
  func takeNews() throws {
    let news = try connection.rows("SELECT id, owner, is_mine FROM file_news") {
      (DocumentID(try $0.text("id")), try $0.integer("owner"), try $0.flag("is_mine"))
    }
    for (id, owner, isMine) in news { try renew(id, of: owner, isMine: isMine) }
    if !news.isEmpty { try connection.run("DELETE FROM file_news") }
  }

  private func renew(_ id: DocumentID, of owner: Int64, isMine: Bool) throws {
    let found = try connection.row(
      "SELECT scope, body FROM documents WHERE id = ?1 AND owner = ?2 AND body IS NOT NULL",
      id.text, owner
    ) { (try $0.integer("scope"), try DocumentValue($0, "body")) }
    let named = found.map { FileReference.all(in: $0.1) } ?? []
    let all = Set(named.flatMap { [$0.content.digest, $0.preview?.digest].compactMap(\.self) })
    let kept = try connection.rows(
      """
      SELECT number, digest FROM files
      WHERE id = ?1 AND owner = ?2 AND loose IS NULL AND member IS NULL
      """, id.text, owner
    ) { (try $0.integer("number"), try $0.text("digest")) }
    for (number, digest) in kept where !all.contains(digest) { try loosen(number, isMine) }
    guard let home = found.map({ StoreSession.Home(number: $0.0, owner: owner) }) else { return }
    for reference in named {
      let files = [(reference.content, false)] + (reference.preview.map { [($0, true)] } ?? [])
      for (facts, isPreview) in files {
        try put(
          facts, of: id, in: home, isPreview: isPreview, as: isMine ? .up : .down, isTried: true)
      }
    }
  }

  /// The document doesn't name it any more. Whoever made that so removes it at the server, unless
  /// that can't have it.
  private func loosen(_ number: Int64, _ isMine: Bool) throws {
    try connection.run(
      """
      UPDATE files SET loose = ?2, state =
        CASE WHEN ?3 AND (state IN ('settled', 'checking', 'down') OR tried) THEN 'removing'
        ELSE state END
      WHERE number = ?1
      """, number, session.now, isMine)
  }

  func put(
    _ facts: FileFacts, of id: DocumentID, in home: StoreSession.Home, isPreview: Bool,
    as state: State, isTried: Bool
  ) throws {
    // What is known already stays as it is, but for what was being removed, which is brought there
    // again, and for what was dropped.
    try connection.run(
      """
      INSERT INTO files (id, owner, scope, digest, size, name, type, is_preview, state, tried)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      ON CONFLICT (id, owner, digest) DO UPDATE SET loose = NULL, scope = excluded.scope,
        tried = CASE WHEN state = 'dropped' THEN max(tried, excluded.tried)
          ELSE max(tried, state IN ('removing', 'removed', 'stays')) END,
        words = CASE WHEN state IN ('removing', 'removed', 'stays') THEN NULL ELSE words END,
        state = CASE WHEN state IN ('removing', 'removed', 'stays') THEN 'up'
          WHEN state = 'dropped' THEN excluded.state ELSE state END
      """, id.text, home.owner, home.number, facts.digest, facts.size, facts.name, facts.type,
      isPreview, state.rawValue, isTried)
  }

  // MARK: - How they stand

  /// How many stand so.
  ///
  /// - Parameter isNamed: whether their documents name them.
  func count(_ state: State, isNamed: Bool = true) throws -> Int {
    let own = try session.isOwn("scope")
    return try connection.row(
      """
      SELECT count(*) AS count FROM files
      WHERE state = \(state.rawValue) AND (loose IS NULL) = \(isNamed) AND \(own)
      """
    ) { Int(try $0.integer("count")) } ?? 0
  }

  /// Files that aren't where they are to be, and why, by document; so many at most.
  func troubles(of id: DocumentID?, limit: Int) throws -> [FileTrouble] {
    let (own, meant) = (try session.isOwn("scope"), Self.isOf(id))
    return try connection.rows(
      """
      SELECT id, collection, name, state, words FROM files
      JOIN scopes ON scopes.number = files.scope
      WHERE words IS NOT NULL AND \(meant) AND \(own) AND (state = 'stays'
        OR (loose IS NULL AND state IN ('up', 'down', 'refused')))
      ORDER BY id, files.number LIMIT \(Int64(limit))
      """
    ) { row in
      FileTrouble(
        document: DocumentID(try row.text("id")), collection: try row.text("collection"),
        name: try row.text("name"), kind: .init(state: try row.text("state")),
        words: try row.text("words"))
    }
  }

  /// Whether a document of any account has a file with this content, or had one lately.
  func isNamed(_ digest: String, besides number: Int64) throws -> Bool {
    try connection.row(
      "SELECT 1 FROM files WHERE digest = ?1 AND number <> ?2", digest, number
    ) { _ in true } ?? false
  }

  /// What was refused is tried again, unless no document names it any more. Answers how much.
  ///
  /// - Parameter id: of that document only; `nil` for all.
  func retry(_ id: DocumentID? = nil) throws -> Int {
    let (own, meant) = (try session.isOwn("scope"), Self.isOf(id))
    return try connection.run(
      """
      UPDATE files SET state = CASE state WHEN 'refused' THEN 'up' ELSE 'removing' END,
        words = NULL
      WHERE (state = 'stays' OR state = 'refused' AND loose IS NULL) AND \(meant) AND \(own)
      """)
  }

  private static func isOf(_ id: DocumentID?) -> SQL { id.map { "id = \($0.text)" } ?? "1" }

  /// Somebody doubts that the server has the files of a document: that is to be seen. Answers how
  /// many there are.
  func doubt(of id: DocumentID) throws -> Int {
    let own = try session.isOwn("scope")
    return try connection.run(
      """
      UPDATE files SET state = 'checking'
      WHERE id = \(id.text) AND state = 'settled' AND loose IS NULL AND \(own)
      """)
  }

  /// The server forgot what it had: whether it has the files is to be seen.
  func doubt(in scope: Int64) throws {
    try connection.run(
      "UPDATE files SET state = 'checking' WHERE scope = ?1 AND state = 'settled'", scope)
  }

  // MARK: - What a sync did

  // While it asked the server, somebody may have taken the file out of its document, or put it in
  // again: what they want counts, and the next sync does it.
  private static let asRead: SQL = "number = ?1 AND state = ?2 AND loose IS ?3"

  func stands(_ file: KeptFile) throws -> Bool {
    try connection.row(
      "SELECT 1 FROM files WHERE \(Self.asRead)", file.number, file.state, file.loose
    ) { _ in true } ?? false
  }

  /// It is about to be sent: a server may have it from now on. Answers whether it's still to be.
  @discardableResult
  func tries(_ file: KeptFile) throws -> Bool {
    try connection.run(
      "UPDATE files SET tried = 1 WHERE \(Self.asRead)", file.number, file.state, file.loose) > 0
  }

  /// It stands otherwise.
  ///
  /// - Parameter words: what a server said that refused; `nil` if none did.
  func set(_ state: State, _ file: KeptFile, words: String? = nil) throws {
    try connection.run(
      "UPDATE files SET state = ?4, words = ?5 WHERE \(Self.asRead)", file.number, file.state,
      file.loose, state.rawValue, words)
  }

  /// It stays where it is, for this reason.
  func note(_ words: String, _ file: KeptFile) throws {
    try connection.run(
      "UPDATE files SET words = ?4 WHERE \(Self.asRead)", file.number, file.state, file.loose, words
    )
  }

  func forget(_ file: KeptFile) throws {
    try connection.run(
      "DELETE FROM files WHERE \(Self.asRead)", file.number, file.state, file.loose)
  }
}

extension FileTrouble.Kind {
  fileprivate init(state: String) {
    self =
      switch FileTable.State(rawValue: state) {
      case .up: .sending
      case .refused: .refused
      case .stays, .removing, .removed: .removing
      case .down, .checking, .settled, .dropped, nil: .fetching
      }
  }
}
