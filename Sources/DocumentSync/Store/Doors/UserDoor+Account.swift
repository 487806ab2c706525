import SyncDatabase

// MARK: - Accounts

extension UserDoor {
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
    let others = try AccountTable(session: session).scopes(of: server, except: account)
    let decision = AccountChange(
      unsent: try reader.unsent(ofOthersThan: account, at: server), wish: wish
    ).decision
    if case .refused = decision { return decision }
    for (number, scope) in others where !scope.account.isEmpty {
      try endSends(in: scope, routed)
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
    for (number, scope) in try AccountTable(session: session).scopes(of: server, except: account) {
      try endSends(in: scope, routed)
      if scope.account.isEmpty { try move(number, scope, to: account) }
      try leave(number, scope)
    }
    try enter(account, server)
  }

  /// Somebody signs out: what is known of the server's lists counts no more; documents and changes
  /// stay.
  package func leaves(account: String, of server: String) throws {
    for (_, scope) in try AccountTable(session: session).scopes(of: server)
    where scope.account == account {
      try SyncDoor(session).forgetCheckpoint(of: scope)
    }
  }

  /// Nothing is on its way any more: what was, may have been taken.
  private func endSends(in scope: DocumentScope, _ routed: Set<String>) throws {
    try SyncDoor(session).abandonSends(routed: routed, in: scope)
  }

  private func move(_ number: Int64, _ scope: DocumentScope, to account: String) throws {
    let home = DocumentScope(
      server: scope.server, account: account, collection: scope.collection)
    let (table, new) = (AccountTable(session: session), try session.makeNumber(of: home))
    guard scope.account.isEmpty else { return try table.moveChanges(from: number, to: new) }
    try table.moveAll(from: number, to: new)
    try table.moveRuns(of: scope.server, to: account)
  }

  private func leave(_ number: Int64, _ scope: DocumentScope) throws {
    try SyncDoor(session).forgetCheckpoint(of: scope)
    try AccountTable(session: session).leave(number)
  }

  private func enter(_ account: String, _ server: String) throws {
    let table = AccountTable(session: session)
    for (number, scope) in try table.scopes(of: server) where scope.account == account {
      try table.enter(number)
    }
    // What people see is another account's from now on.
    session.log?.noteWhole()
  }

  private func drop(_ scope: Int64) throws {
    try FileTable(session: session).dropUnsent(in: scope)
    try OutboxList(session: session).forEach(in: scope) { id in
      try shelf.change(id, in: nil) { document, counter in document.editDropped(&counter) }
    }
  }
}

extension StoreReader {
  /// How many changes wait to be sent under other accounts of a server than this one.
  package func unsent(ofOthersThan account: String, at server: String) throws -> Int {
    let table = AccountTable(session: session)
    return try table.scopes(of: server, except: account)
      .filter { !$0.scope.account.isEmpty }
      .reduce(0) { try $0 + table.unsent(in: $1.number) }
  }
}
