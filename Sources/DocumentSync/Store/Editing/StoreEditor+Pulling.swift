import SyncDatabase

// MARK: - Pulls

extension StoreEditor {
  /// A pull of a collection begins. What it gives is to be handed in when a whole pull has ended.
  package func pullBegan() -> Int64 { session.counter.next }

  /// A part of a pull came: it meets what is here, and is written with its checkpoint.
  ///
  /// - Returns: What became of each document, in their order.
  package func pulled(
    _ page: PulledPage, of scope: DocumentScope, _ rules: MeetingRules = MeetingRules()
  ) throws -> [PulledOutcome] {
    let number = try session.makeNumber(of: scope)
    let found = try findCreations(in: page, of: scope, number, rules)
    let made = page.documents.isEmpty ? [:] : try reader.made(in: number)
    let outcomes = try page.documents.map { pulled in
      let twin =
        try rules.keys.areServers
        ? own(pulled, made, rules) : twin(of: pulled, made, in: scope)
      let outcome = try twin ?? meet(pulled, in: scope, rules)
      if let problem = outcome.failure {
        let failed = UnreadableDocument(name: pulled.id.text, words: problem.description)
        try keep(failed, in: number)
      } else {
        try forgetFailure(pulled.id.text, in: number)
      }
      return outcome
    }
    for unreadable in page.unreadable { try keep(unreadable, in: number) }
    if let checkpoint = page.checkpoint {
      try session.connection.run(
        """
        UPDATE scopes SET checkpoint = ?2, comparing = NULL
        WHERE number = ?1 AND (checkpoint IS NOT ?2 OR comparing IS NOT NULL)
        """, number, checkpoint)
    }
    return found + outcomes
  }

  /// A whole pull told nothing of these, and what is still in conflict of them wasn't shown by a
  /// look either: the server refuses it for a reason of its own.
  ///
  /// - Parameter keepsLostCreations: whether it couldn't tell what of them was made: they go on
  ///   waiting.
  package func notShown(
    _ ids: [DocumentID], in scope: DocumentScope, keepsLostCreations: Bool = false
  ) throws {
    for id in ids {
      try change(id, in: nil) { document, _ in
        guard document.scope == scope else { return }
        if keepsLostCreations, document.entry?.isLostCreation ?? false { return }
        document.notShown()
      }
    }
  }

  /// What is known of a collection counts for nothing any more: the next pull asks for everything.
  package func forgetCheckpoint(of scope: DocumentScope) throws {
    guard let number = try session.number(of: scope) else { return }
    try session.connection.run(
      "UPDATE scopes SET checkpoint = NULL WHERE number = ?1 AND checkpoint IS NOT NULL", number)
  }

  /// A collection may not be read, or may be again: its documents are kept, and nobody sees them
  /// meanwhile.
  package func hide(_ isHidden: Bool, _ scope: DocumentScope) throws {
    let number = try session.makeNumber(of: scope)
    let changed = try session.connection.run(
      "UPDATE scopes SET hidden = ?2 WHERE number = ?1 AND hidden <> ?2", number, isHidden)
    if changed > 0 { session.log?.noteWhole() }
  }

  /// A document may not be read: it's kept, and nobody sees it until the server shows it again.
  package func hide(_ id: DocumentID) throws {
    try change(id, in: nil) { document, _ in document.hide() }
  }

  /// What was sent to be made, and not answered, has that key under which the page shows all of it,
  /// if that isn't known here; or it's set aside, where keys aren't the server's.
  private func findCreations(
    in page: PulledPage, of scope: DocumentScope, _ number: Int64, _ rules: MeetingRules
  ) throws -> [PulledOutcome] {
    guard !page.documents.isEmpty else { return [] }
    var free = Set(page.documents.filter { $0.state.copy != nil }.map(\.id))
    var outcomes: [PulledOutcome] = []
    for id in try reader.contestedCreations(in: number)
    where !page.documents.contains(where: { $0.id == id }) {
      let sent = try reader.stored(id, ofAccountOf: scope)?.lostCreations ?? []
      let same = try page.documents.first { pulled in
        guard let copy = pulled.state.copy, free.contains(pulled.id),
          sent.contains(where: { copy.value.isCreation(of: $0, rules) })
        else { return false }
        return try reader.stored(pulled.id, ofAccountOf: scope)?.isNothing ?? true
      }
      guard let same, let version = same.state.copy?.version else { continue }
      let key = same.id
      free.remove(key)
      if rules.keys.areServers, try take(key, for: id, version, rules.keys) { continue }
      _ = try change(id, in: scope) { document, _ in document.found(as: key) }
      outcomes.append(
        PulledOutcome(
          id: id, isChanged: false, decision: nil, failure: .isMadeOf(id, key: key)))
    }
    if rules.keys.areServers, !rules.serverOwned.isEmpty {
      let rows = page.documents.filter { free.contains($0.id) }
      try setAsideWhatMayBe(one: rows, of: scope, number, rules)
    }
    return outcomes
  }

  /// Where what was sent to be made, and not answered, and a row that isn't known here differ in
  /// nothing but what the server writes itself, nothing tells whether that row was made of it.
  private func setAsideWhatMayBe(
    one rows: [DocumentChange], of scope: DocumentScope, _ number: Int64, _ rules: MeetingRules
  ) throws {
    let ids = try reader.contestedCreations(in: number)
    guard !ids.isEmpty else { return }
    let copies = try rows.filter { try reader.stored($0.id, ofAccountOf: scope)?.isNothing ?? true }
      .compactMap(\.state.copy)
    for id in ids {
      let sent = try reader.stored(id, ofAccountOf: scope)?.lostCreations ?? []
      guard copies.contains(where: { copy in sent.contains { copy.value.isMade(of: $0, rules) } })
      else { continue }
      _ = try change(id, in: scope) { document, counter in document.cannotBeFound(&counter) }
    }
  }

  /// What was set aside when nobody had said yet that keys are the server's has its key now.
  private func own(
    _ pulled: DocumentChange, _ made: [DocumentID: DocumentID], _ rules: MeetingRules
  ) throws -> PulledOutcome? {
    if let origin = made[pulled.id], let copy = pulled.state.copy {
      _ = try take(pulled.id, for: origin, copy.version, rules.keys)
    }
    return nil
  }

  /// That nobody sees two documents for one: what a service made of a document that was set aside
  /// for that isn't stored beside it. It's asked for again until that one is gone or was sent.
  private func twin(
    of pulled: DocumentChange, _ made: [DocumentID: DocumentID], in scope: DocumentScope
  ) throws -> PulledOutcome? {
    guard let origin = made[pulled.id], origin != pulled.id, pulled.state.copy != nil,
      try reader.stored(pulled.id, ofAccountOf: scope)?.base == nil
    else { return nil }
    return PulledOutcome(
      id: pulled.id, isChanged: false, decision: nil,
      failure: .isMadeOf(origin, key: pulled.id))
  }

  private func meet(
    _ pulled: DocumentChange, in scope: DocumentScope, _ rules: MeetingRules
  ) throws -> PulledOutcome {
    do {
      return try change(pulled, in: scope, rules)
    } catch let problem as DocumentError {
      // Where the id is that of another collection's document, it's as it should be: not here.
      var isHere = true
      if case .atHomeElsewhere = problem { isHere = pulled.state.copy != nil }
      return PulledOutcome(
        id: pulled.id, isChanged: false, decision: nil, failure: isHere ? problem : nil)
    }
  }

  private func change(
    _ pulled: DocumentChange, in scope: DocumentScope, _ rules: MeetingRules
  ) throws -> PulledOutcome {
    let outcome = try change(pulled.id, in: scope) { document, counter in
      let before = document.isHidden ? nil : document.body
      let decision = document.met(pulled.state, rules, &counter)
      return PulledOutcome(
        id: pulled.id, isChanged: !document.body.hasSameContent(as: before), decision: decision,
        taken: document.taken)
    }
    return outcome ?? PulledOutcome(id: pulled.id, isChanged: false, decision: nil)
  }

  /// It can't be stored, for this reason.
  private func keep(_ failed: UnreadableDocument, in scope: Int64) throws {
    try session.connection.run(
      """
      INSERT INTO failures (scope, name, words, at) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET words = excluded.words
      """, scope, failed.storedName, failed.words, session.now)
  }

  /// It could be stored, or is gone.
  func forgetFailure(_ name: String, in scope: Int64) throws {
    try session.connection.run("DELETE FROM failures WHERE scope = ?1 AND name = ?2", scope, name)
  }
}

extension DocumentValue? {
  /// Whether people see the same of both.
  func hasSameContent(as other: DocumentValue?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameContent(as: other)
  }
}

extension DocumentValue {
  /// Whether a server made it of what was sent, by its natural key or by all of it: what it writes
  /// itself is somebody else's, too, where that differs.
  fileprivate func isCreation(of sent: DocumentValue, _ rules: MeetingRules) -> Bool {
    let natural = rules.keys.natural
    if !natural.isEmpty, natural.allSatisfy({ sent[$0] != nil && self[$0] == sent[$0] }) {
      return true
    }
    var rules = rules
    rules.serverOwned = []
    return isMade(of: sent, rules)
  }
}
