import SyncDatabase

// MARK: - Accounts

extension UserDoor {
  /// Somebody signs in at a server: what wasn't sent under other accounts there is dealt with. What
  /// was changed before anybody signed in (under an account without a name) becomes theirs. What
  /// nobody changed stays, and is theirs once the server shows it to them.
  ///
  /// Only for who knows that nobody syncs. All of it is one transaction, the counting as well: what
  /// is saved at the same time comes before it or after it.
  ///
  /// - Returns: What was decided. If that is a refusal, nothing was changed.
  package func becomes(
    account: String, of server: String, unsent wish: UnsentEdits
  ) throws -> AccountChange.Decision {
    let table = AccountTable(session: session)
    let others = try table.scopes(of: server, except: account)
    let named = others.filter { !$0.scope.account.isEmpty }
    let unsent = try named.reduce(0) { try $0 + table.unsent(in: $1.number) }
    let decision = AccountChange(unsent: unsent, wish: wish).decision
    if case .refused = decision { return decision }
    for (number, scope) in others {
      try endSends(in: number)
      switch (decision, scope.account.isEmpty) {
      case (.moves, _), (_, true):
        let home = DocumentScope(
          server: server, account: account, collection: scope.collection)
        try table.move(from: number, to: session.makeNumber(of: home))
      case (.drops, false): try drop(in: number)
      case (.nothing, false), (.refused, false): break
      }
      try SyncDoor(session).forgetCheckpoint(of: scope)
      try table.leave(number)
    }
    for (number, scope) in try table.scopes(of: server) where scope.account == account {
      try table.enter(number)
    }
    return decision
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
  private func endSends(in scope: Int64) throws {
    try OutboxList(session: session).forEachSending { id in
      try shelf.change(id, in: nil) { document, counter in
        guard try session.number(of: document.scope) == scope else { return }
        _ = document.sendAbandoned(MeetingRules(), &counter)
      }
    }
  }

  private func drop(in scope: Int64) throws {
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
