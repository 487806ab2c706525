import SyncDatabase

/// How many documents of a collection a list would take away, and of how many.
struct Vanishing: Sendable, Equatable {
  var count = 0
  /// How many there are that a server had.
  var held = 0
}

// MARK: - Lists

extension SyncDoor {
  /// A part of a list came. What the server has no more, and is here, is kept until the list's end
  /// has shown how much that is in all; all else meets what is here.
  ///
  /// - Returns: What became of each document that met what is here.
  func listed(
    _ page: PulledPage, of scope: DocumentScope, _ rules: MeetingRules
  ) throws -> [PulledOutcome] {
    let number = try session.makeNumber(of: scope)
    let table = VanishedTable(session: session)
    var meeting = page
    meeting.documents = []
    for pulled in page.documents {
      if pulled.state.copy == nil, try isHeld(pulled.id, in: scope) {
        try table.note(pulled.id, pulled.state, in: number)
        continue
      }
      if pulled.state.copy != nil { try table.forget(pulled.id, in: number) }
      meeting.documents.append(pulled)
    }
    return try pulled(meeting, of: scope, rules)
  }

  /// The end of a list of everything came: what it doesn't name has vanished, and the collection
  /// counts as compared.
  ///
  /// - Parameter comparison: `nil` where there was nothing that could have vanished.
  /// - Returns: What became of documents of which a change is to be sent, and which the server has
  ///   no more: they meet that at once.
  func listEnded(
    _ comparison: ListComparison?, of scope: DocumentScope, checkpoint: String?,
    _ rules: MeetingRules
  ) throws -> [PulledOutcome] {
    // The next list is held against it again.
    if let comparison, comparison.isUncertain { return [] }
    let number = try session.makeNumber(of: scope)
    var missing: [DocumentID] = []
    if let comparison {
      missing = try idsOfServer(in: number).filter { !comparison.named.contains($0) }
    }
    let state = comparison?.news ?? .forgotten
    let outcomes = try listed(
      PulledPage(missing.map { DocumentChange(id: $0, state: state) }), of: scope, rules)
    try session.connection.run(
      """
      UPDATE scopes SET comparing = NULL, checkpoint = coalesce(?2, checkpoint)
      WHERE number = ?1 AND (comparing IS NOT NULL OR checkpoint IS NOT coalesce(?2, checkpoint))
      """, number, checkpoint)
    return outcomes
  }

  /// A list, or what a query found, came to its end: what can't be read and has no id is what it
  /// told, and nothing else. Neither says anything of what others told.
  func namelessTold(
    _ told: Set<UnreadableDocument>, byQuery query: String? = nil, of scope: DocumentScope
  ) throws {
    guard let number = try session.number(of: scope) else { return }
    try FailureTable(session: session).keepNameless(told, ofQuery: query, in: number)
  }

  func vanishing(in scope: DocumentScope) throws -> Vanishing {
    guard let number = try session.number(of: scope) else { return Vanishing() }
    let count = try VanishedTable(session: session).count(in: number)
    guard count > 0 else { return Vanishing() }
    return Vanishing(count: count, held: try VanishedTable(session: session).held(in: number))
  }

  /// What has vanished would be too much to go: it's told until somebody says that it may.
  func holdVanishedBack(of scope: DocumentScope) throws {
    guard let number = try session.number(of: scope) else { return }
    try VanishedTable(session: session).holdBack(in: number)
  }

  /// What has vanished goes now, so many documents at most.
  ///
  /// - Returns: What became of each; none, if nothing is left that vanished.
  func letVanishedGo(
    of scope: DocumentScope, limit: Int64, _ rules: MeetingRules
  ) throws -> [PulledOutcome] {
    guard let number = try session.number(of: scope) else { return [] }
    let table = VanishedTable(session: session)
    let gone = try table.all(in: number, limit: limit)
    for one in gone { try table.forget(one.id, in: number) }
    return try pulled(PulledPage(gone), of: scope, rules)
  }

  /// The server forgot what it had: the next list is one of everything, which is compared with what
  /// is here, however long it takes until one came whole.
  func serverForgot(_ scope: DocumentScope) throws {
    let number = try session.makeNumber(of: scope)
    try session.connection.run(
      "UPDATE scopes SET comparing = 'forgotten', checkpoint = NULL WHERE number = ?1", number)
    try session.connection.run("DELETE FROM vanished WHERE scope = ?1", number)
    try FileTable(session: session).doubt(in: number)
  }

  /// What the next list is to be held against; `nil` if there is nothing that could have vanished.
  ///
  /// - Parameter isOfEverything: whether the list names all that there is.
  func comparison(
    of scope: DocumentScope, isOfEverything: Bool
  ) throws -> ListComparison? {
    guard isOfEverything, let number = try session.number(of: scope) else { return nil }
    let isForgotten = try session.connection.row(
      "SELECT comparing IS NOT NULL AS forgotten FROM scopes WHERE number = ?1", number
    ) { try $0.flag("forgotten") }
    let hasAny = try session.connection.row(
      "SELECT 1 FROM documents WHERE scope = ?1 AND \(Self.isOfServer) LIMIT 1", number
    ) { _ in true }
    guard hasAny == true else { return nil }
    return ListComparison(reason: isForgotten == true ? .forgotten : .deleted)
  }

  /// What met the server's before a number was given, without being shown what that is; so many
  /// documents at most, those first that met it, or were looked at, longest ago.
  func contested(in scope: DocumentScope, before mark: Int64, limit: Int) throws -> [DocumentID] {
    guard let number = try session.number(of: scope) else { return [] }
    return try OutboxList(session: session).contested(in: number, before: mark, limit: limit)
  }

  /// A document is looked at: whatever comes of that, all others have their turn before it's looked
  /// at again.
  func lookBegan(_ id: DocumentID) throws {
    guard let entry = try shelf.document(id)?.entry, case .contested = entry.phase else { return }
    try OutboxTable(session: session).contest(entry)
  }

  /// What may have been made at the server, and is looked for before it's sent again.
  func lostCreations(in scope: DocumentScope) throws -> [DocumentID] {
    guard let number = try session.number(of: scope) else { return [] }
    return try OutboxList(session: session).contestedCreations(in: number).filter {
      try shelf.document($0)?.entry?.isLostCreation ?? false
    }
  }

  /// Whether none of a collection's documents may be read just now.
  func isHidden(_ scope: DocumentScope) throws -> Bool {
    guard let number = try session.number(of: scope) else { return false }
    return try session.connection.row("SELECT hidden FROM scopes WHERE number = ?1", number) {
      try $0.flag("hidden")
    } ?? false
  }

  func setCapabilities(_ said: EndpointCapabilities, of server: String) throws {
    try CapabilityTable(session: session).set(said, of: server)
  }

  /// Whether a copy of it is here that a server had, and nothing of it is to be sent.
  private func isHeld(_ id: DocumentID, in scope: DocumentScope) throws -> Bool {
    guard let document = try shelf.document(id), document.scope == scope else { return false }
    return document.body != nil && document.base != nil && document.entry == nil
  }

  /// Whether a server had it: a change stands on its copy, or is in conflict with that.
  private static let isOfServer: SQL =
    "(base_version IS NOT NULL OR shown IN ('present', 'revived'))"

  private func idsOfServer(in scope: Int64) throws -> [DocumentID] {
    try session.connection.rows(
      """
      SELECT id FROM documents WHERE scope = ?1 AND \(Self.isOfServer) ORDER BY id
      """, scope
    ) { DocumentID(try $0.text("id")) }
  }
}

extension StoreReader {
  /// What a server said that it can do, and when, in milliseconds since 1970; `nil` if it was never
  /// asked.
  func capabilities(
    of server: String
  ) throws -> (said: EndpointCapabilities, at: Int64)? {
    try CapabilityTable(session: session).capabilities(of: server)
  }
}

extension StoreReader {
  /// Whether something of a collection met the server's since a number was given, and waits for a
  /// pull that says more.
  func hasContested(_ scope: DocumentScope, since mark: Int64) throws -> Bool {
    guard let number = try session.number(of: scope) else { return false }
    return try session.connection.row(
      """
      SELECT 1 FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'contested' AND contested >= ?2 AND scope = ?1 LIMIT 1
      """, number, mark
    ) { _ in true } ?? false
  }
}
