import SyncDatabase

/// How long servers are to be left alone.
struct PauseTable {
  let session: StoreSession

  private static let set: SQL = """
    INSERT OR REPLACE INTO pauses (server, troubles, own_from, own_until, retry_from, retry_until,
      backoff_from, backoff_until)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    """

  /// The pause of a server; none if nothing is known.
  func pause(of server: String, _ rule: ServerPause.Rule) throws -> ServerPause {
    let pause = try session.connection.row(
      "SELECT * FROM pauses WHERE server = ?1", server
    ) { row in
      ServerPause(
        troubles: Int(clamping: try row.integer("troubles")),
        own: wait(try row.optionalInteger("own_from"), try row.optionalInteger("own_until")),
        retryAfter: wait(
          try row.optionalInteger("retry_from"), try row.optionalInteger("retry_until")),
        backoff: wait(
          try row.optionalInteger("backoff_from"), try row.optionalInteger("backoff_until")),
        rule: rule)
    }
    return pause ?? ServerPause(rule: rule)
  }

  func set(_ pause: ServerPause, of server: String) throws {
    try session.connection.run(
      Self.set, server, pause.troubles, pause.own?.from, pause.own?.until, pause.retryAfter?.from,
      pause.retryAfter?.until, pause.backoff?.from, pause.backoff?.until)
  }

  private func wait(_ from: Int64?, _ until: Int64?) -> PauseWait? {
    guard let from, let until else { return nil }
    return PauseWait(from: from, until: until)
  }
}

/// What servers have and what can't be stored.
struct FailureTable {
  let session: StoreSession

  /// It can't be stored, for this reason.
  func note(_ failed: UnreadableDocument, in scope: Int64) throws {
    try session.connection.run(
      """
      INSERT INTO failures (scope, name, words, at) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET words = excluded.words
      """, scope, failed.storedName, failed.words, session.now)
  }

  /// A query, or the list where it's `nil`, told these by their places, and no others.
  func keepNameless(
    _ told: Set<UnreadableDocument>, ofQuery query: String?, in scope: Int64
  ) throws {
    let names = Set(told.map(\.storedName))
    for failed in try failures(in: scope) where failed.isNameless(ofQuery: query) {
      if !names.contains(failed.storedName) { try forget(failed.storedName, in: scope) }
    }
  }

  /// It could be stored, or is gone.
  func forget(_ name: String, in scope: Int64) throws {
    try session.connection.run("DELETE FROM failures WHERE scope = ?1 AND name = ?2", scope, name)
  }

  /// All of a collection, by name.
  func failures(in scope: Int64) throws -> [UnreadableDocument] {
    try session.connection.rows(
      "SELECT name, words FROM failures WHERE scope = ?1 ORDER BY name", scope
    ) { UnreadableDocument(storedAs: try $0.text("name"), words: try $0.text("words")) }
  }
}

extension UnreadableDocument {
  /// Stands before the name of what has no id, so that it's never taken for one.
  private static let mark: Character = "\u{1}"

  /// What ``storedName`` gave.
  init(storedAs name: String, words: String) {
    let isNameless = name.first == Self.mark
    self.init(
      name: isNameless ? String(name.dropFirst()) : name, words: words, isNameless: isNameless)
  }

  fileprivate var storedName: String { isNameless ? "\(Self.mark)\(name)" : name }
}
