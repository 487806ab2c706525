import SyncDatabase

// MARK: - Accounts

extension StoreEditor {
  /// Somebody signs in at a server: what wasn't sent under other accounts there is dealt with. All
  /// that was here before anybody signed in (under an account without a name) becomes theirs. What
  /// other accounts had and didn't change stays theirs, unseen until they are back.
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
      if decision == .moves { try move(scope, to: account) }
      if decision == .drops { try drop(number) }
      try forgetCheckpoint(of: scope)
    }
    try adopts(account: account, of: server, routed: routed)
    return decision
  }

  /// Who is signed in at a server has become known: all that was here before that (under an account
  /// without a name) is theirs. Other accounts' documents stay as they are.
  package func adopts(account: String, of server: String, routed: Set<String> = []) throws {
    for (_, scope) in try reader.scopes(of: server, except: account) {
      try abandonSends(routed: routed, in: scope)
      if scope.account.isEmpty { try move(scope, to: account) }
    }
    // What people see is another account's from now on.
    session.log?.noteWhole()
  }

  /// Somebody signs out: what is known of the server's lists counts no more; documents and changes
  /// stay.
  package func leaves(account: String, of server: String) throws {
    for (_, scope) in try reader.scopes(of: server)
    where scope.account == account {
      try forgetCheckpoint(of: scope)
    }
  }

  private func move(_ scope: DocumentScope, to account: String) throws {
    let old = try session.makeHome(of: scope)
    let new = try session.makeHome(
      of: DocumentScope(server: scope.server, account: account, collection: scope.collection))
    guard scope.account.isEmpty else { return try moveChanges(from: old, to: new) }
    try moveAll(from: old, to: new)
    try moveRuns(of: scope.server, to: account)
    try forgetCheckpoint(of: scope)
  }

  private func drop(_ scope: Int64) throws {
    try FileTable(session: session).dropUnsent(in: scope)
    try forEach(in: scope) { id, home in
      _ = try change(id, in: home) { document, counter in document.editDropped(&counter) }
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
