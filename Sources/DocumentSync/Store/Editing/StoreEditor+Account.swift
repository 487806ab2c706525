import SyncDatabase

// MARK: - Accounts

extension StoreEditor {
  /// Somebody signs in at a server: what wasn't sent under other accounts there is dealt with. All
  /// that was here before anybody signed in (under an account without a name) becomes theirs. What
  /// other accounts had and didn't change stays, and is theirs once the server shows it to them.
  ///
  /// Only for who knows that nobody syncs. All of it is one transaction, the counting as well: what
  /// is saved at the same time comes before it or after it.
  ///
  /// - Parameter routed: the collections that something else than the server's endpoint sends.
  /// - Returns: What was decided. If that is a refusal, nothing was changed.
  package func becomes(
    account: String, of server: String, unsent wish: UnsentEdits, routed: Set<String> = []
  ) throws -> AccountChange.Decision {
    let others = try reader.scopes(of: server, except: account)
    let decision = AccountChange(
      unsent: try reader.unsent(ofOthersThan: account, at: server), wish: wish
    ).decision
    if case .refused = decision { return decision }
    for (number, scope) in others where !scope.account.isEmpty {
      try abandonSends(routed: routed, in: scope)
      if decision == .moves { try move(number, scope, to: account) }
      if decision == .drops { try drop(number) }
    }
    try adopts(account: account, of: server, routed: routed)
    return decision
  }

  /// Who is signed in at a server has become known: all that was here before that (under an account
  /// without a name) is theirs. Other accounts' documents stay as they are; what they didn't change
  /// is this one's, too, once the server shows it.
  package func adopts(account: String, of server: String, routed: Set<String> = []) throws {
    for (number, scope) in try reader.scopes(of: server, except: account) {
      try abandonSends(routed: routed, in: scope)
      if scope.account.isEmpty { try move(number, scope, to: account) }
      try leave(number, scope)
    }
    try enter(account, server)
  }

  /// Somebody signs out: what is known of the server's lists counts no more; documents and changes
  /// stay.
  package func leaves(account: String, of server: String) throws {
    for (_, scope) in try reader.scopes(of: server)
    where scope.account == account {
      try forgetCheckpoint(of: scope)
    }
  }

  private func move(_ number: Int64, _ scope: DocumentScope, to account: String) throws {
    let home = DocumentScope(
      server: scope.server, account: account, collection: scope.collection)
    let new = try session.makeNumber(of: home)
    guard scope.account.isEmpty else { return try moveChanges(from: number, to: new) }
    try moveAll(from: number, to: new)
    try moveRuns(of: scope.server, to: account)
  }

  /// Another account took over: what this collection shows may be shown to that one, too.
  private func leave(_ number: Int64, _ scope: DocumentScope) throws {
    try forgetCheckpoint(of: scope)
    try session.connection.run("INSERT OR IGNORE INTO left_scopes (scope) VALUES (?1)", number)
  }

  private func enter(_ account: String, _ server: String) throws {
    for (number, scope) in try reader.scopes(of: server) where scope.account == account {
      try session.connection.run("DELETE FROM left_scopes WHERE scope = ?1", number)
    }
    // What people see is another account's from now on.
    session.log?.noteWhole()
  }

  /// Whether another account took over.
  func isLeft(_ scope: Int64) throws -> Bool {
    try session.connection.row("SELECT 1 FROM left_scopes WHERE scope = ?1", scope) { _ in
      true
    } ?? false
  }

  private func drop(_ scope: Int64) throws {
    try FileTable(session: session).dropUnsent(in: scope)
    try forEach(in: scope) { id in
      try change(id, in: nil) { document, counter in document.editDropped(&counter) }
    }
  }

  // MARK: - What moves

  /// Documents that were changed here are at home elsewhere from now on, whether they're to be sent
  /// or not, and so is what happened to them, and their files. What gave way stays with whose it
  /// was, and so does what their server told them: queries, what can't be read, and what has
  /// vanished.
  private func moveChanges(from old: Int64, to new: Int64) throws {
    for table in ["files", "traces"] as [SQL] {
      try session.connection.run(
        """
        UPDATE \(table) SET scope = ?2 WHERE scope = ?1
          AND id IN (SELECT id FROM documents WHERE scope = ?1 AND state <> 'synced')
        """, old, new)
    }
    let count = try session.connection.run(
      "UPDATE documents SET scope = ?2 WHERE scope = ?1 AND state <> 'synced'", old, new)
    try session.connection.run("UPDATE outbox SET scope = ?2 WHERE scope = ?1", old, new)
    if count > 0 { try compareAnew(new) }
  }

  /// All that is here is at home elsewhere from now on. What happened to documents that are others'
  /// by now, what gave way of those, and their files, stays.
  private func moveAll(from old: Int64, to new: Int64) throws {
    // Whether the server shows it there is to be seen.
    try session.connection.run(
      """
      UPDATE documents SET hidden = 1 WHERE scope = ?1 AND base_version IS NOT NULL
        AND (SELECT hidden FROM scopes WHERE number = ?1)
      """, old)
    try moveAnswers(from: old, to: new)
    let count = try session.connection.run(
      "UPDATE documents SET scope = ?2 WHERE scope = ?1", old, new)
    try session.connection.run("UPDATE outbox SET scope = ?2 WHERE scope = ?1", old, new)
    for table in ["files", "traces", "lost"] as [SQL] {
      try session.connection.run(
        """
        UPDATE \(table) SET scope = ?2 WHERE scope = ?1 AND NOT EXISTS (
          SELECT 1 FROM documents WHERE documents.id = \(table).id AND documents.scope <> ?2)
        """, old, new)
    }
    if count > 0 { try compareAnew(new) }
  }

  /// What a server told nobody, and told the account nothing of. What had vanished for nobody may
  /// be there for the account: the next list says so. What one couldn't have, as the other one had
  /// its id, is no failure any more.
  private func moveAnswers(from old: Int64, to new: Int64) throws {
    try session.connection.run(
      """
      UPDATE queries SET scope = ?2
      WHERE scope = ?1 AND name NOT IN (SELECT name FROM queries WHERE scope = ?2)
      """, old, new)
    try session.connection.run(
      """
      DELETE FROM failures WHERE scope IN (?1, ?2) AND name IN (
        SELECT id FROM documents WHERE documents.scope IN (?1, ?2)
          AND documents.scope <> failures.scope)
      """, old, new)
    try session.connection.run(
      "UPDATE OR IGNORE failures SET scope = ?2 WHERE scope = ?1", old, new)
    for table in ["queries", "failures", "vanished"] as [SQL] {
      try session.connection.run("DELETE FROM \(table) WHERE scope = ?1", old)
    }
  }

  /// Nobody's syncs with a server are an account's from now on, unless nobody synced with others,
  /// too: which one a sync was with isn't known.
  private func moveRuns(of server: String, to account: String) throws {
    try session.connection.run(
      """
      UPDATE runs SET account = ?2 WHERE account = ''
        AND NOT EXISTS (SELECT 1 FROM scopes WHERE account = '' AND server <> ?1)
      """, server, account)
  }

  /// Documents came here that the server may have changed before the list that is known here ended:
  /// the next one is of everything. What it doesn't name needn't have been deleted, as the server
  /// may not show it to this account.
  private func compareAnew(_ scope: Int64) throws {
    try session.connection.run(
      "UPDATE scopes SET checkpoint = NULL, comparing = 'forgotten' WHERE number = ?1", scope)
  }
}

extension StoreReader {
  /// How many changes wait to be sent under other accounts of a server than this one.
  package func unsent(ofOthersThan account: String, at server: String) throws -> Int {
    try scopes(of: server, except: account)
      .filter { !$0.scope.account.isEmpty }
      .reduce(0) { try $0 + unsent(in: $1.number) }
  }

  /// The collections of a server that anything is kept of, of all accounts but one.
  func scopes(
    of server: String, except account: String? = nil
  ) throws -> [(number: Int64, scope: DocumentScope)] {
    try session.connection.rows(
      """
      SELECT number, account, collection FROM scopes
      WHERE server = ?1 AND account IS NOT ?2 ORDER BY number
      """, server, account
    ) { row in
      let scope = DocumentScope(
        server: server, account: try row.text("account"), collection: try row.text("collection"))
      return (try row.integer("number"), scope)
    }
  }

  /// How many changes and files of a collection wait to be sent.
  func unsent(in scope: Int64) throws -> Int {
    let count = try session.connection.row(
      """
      SELECT (SELECT count(*) FROM entries WHERE scope = ?1)
        + (SELECT count(*) FROM files WHERE scope = ?1 AND state = 'up' AND loose IS NULL) AS count
      """, scope
    ) { Int(try $0.integer("count")) }
    return count ?? 0
  }
}
