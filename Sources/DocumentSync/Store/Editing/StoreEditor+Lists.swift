import SyncDatabase

/// How many documents of a collection a list would take away, and of how many.
struct Vanishing: Sendable, Equatable {
  var count = 0
  /// How many there are that a server had.
  var held = 0
  /// How many of those that would go are only known to have left the collection's filter.
  var outsideFilter = 0
}

extension StoreEditor {
  /// A part of a list came. What the server has no more, and is here, is kept until the list's end
  /// has shown how much that is in all; all else meets what is here.
  ///
  /// - Returns: What became of each document that met what is here.
  func listed(
    _ page: PulledPage, of scope: DocumentScope, _ rules: MeetingRules
  ) throws -> [PulledOutcome] {
    let number = try session.makeNumber(of: scope)
    var meeting = page
    meeting.documents = []
    for pulled in page.documents {
      if pulled.state.copy == nil, try isHeld(pulled.id, in: scope) {
        try keepVanished(pulled.id, pulled.state, in: number)
        continue
      }
      if pulled.state.copy != nil { try forgetVanished(pulled.id, in: number) }
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
    let missing = try comparison.map { try self.missing(in: $0, of: scope) } ?? []
    var outcomes: [PulledOutcome] = []
    if comparison?.reason == .leftFilter {
      try leftFilter(missing, in: number)
    } else {
      let state = comparison?.news ?? .forgotten
      outcomes = try listed(
        PulledPage(missing.map { DocumentChange(id: $0, state: state) }), of: scope, rules)
    }
    try session.connection.run(
      """
      UPDATE scopes SET comparing = NULL, checkpoint = coalesce(?2, checkpoint)
      WHERE number = ?1 AND (comparing IS NOT NULL OR checkpoint IS NOT coalesce(?2, checkpoint))
      """, number, checkpoint)
    return outcomes
  }

  /// The documents that a server had and that a list doesn't name.
  func missing(in comparison: ListComparison, of scope: DocumentScope) throws -> [DocumentID] {
    if comparison.reason == .leftFilter {
      return comparison.candidates.subtracting(comparison.named).sorted { $0.text < $1.text }
    }
    guard let number = try session.number(of: scope) else { return [] }
    return try idsOfServer(in: number).filter { !comparison.named.contains($0) }
  }

  /// A list, or what a query found, came to its end: what can't be read and has no id is what it
  /// told, and nothing else. Neither says anything of what others told.
  func namelessTold(
    _ told: Set<UnreadableDocument>, byQuery query: String? = nil, of scope: DocumentScope
  ) throws {
    guard let number = try session.number(of: scope) else { return }
    let names = Set(told.map(\.storedName))
    for failed in try reader.failures(in: number) where failed.isNameless(ofQuery: query) {
      if !names.contains(failed.storedName) { try forgetFailure(failed.storedName, in: number) }
    }
  }

  package func remember(query name: String, _ ids: [DocumentID], of scope: DocumentScope) throws {
    let number = try session.makeNumber(of: scope)
    guard try ids != reader.ids(ofQuery: name, in: number) else { return }
    try session.connection.run(
      "DELETE FROM queries WHERE scope = ?1 AND name = ?2", number, name)
    for (place, id) in ids.enumerated() {
      try session.connection.run(
        "INSERT INTO queries (scope, name, place, id) VALUES (?1, ?2, ?3, ?4)", number, name,
        Int64(place), id.text)
    }
  }

  // MARK: - What has vanished

  func vanishing(in scope: DocumentScope) throws -> Vanishing {
    guard let number = try session.number(of: scope) else { return Vanishing() }
    let count = try reader.vanished(in: number)
    guard count > 0 else { return Vanishing() }
    return Vanishing(
      count: count, held: try reader.held(in: number),
      outsideFilter: try reader.outsideFilter(in: number))
  }

  /// What has vanished would be too much to go: it's told until somebody says that it may.
  func holdVanishedBack(of scope: DocumentScope) throws {
    guard let number = try session.number(of: scope) else { return }
    try session.connection.run(
      "UPDATE vanished SET held_back = 1 WHERE scope = ?1 AND NOT held_back", number)
  }

  /// What has vanished goes now, so many documents at most.
  ///
  /// - Returns: What became of each; none, if nothing is left that vanished.
  func letVanishedGo(
    of scope: DocumentScope, limit: Int64, _ rules: MeetingRules
  ) throws -> [PulledOutcome] {
    guard let number = try session.number(of: scope) else { return [] }
    let left = try letLeave(scope, number, limit: limit)
    guard left.isEmpty else { return left }
    let gone = try vanished(in: number, limit: limit)
    for one in gone { try forgetVanished(one.id, in: number) }
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
    return try session.connection.rows(
      """
      SELECT id FROM outbox INDEXED BY outbox_exceptions
      WHERE phase = 'contested' AND contested < ?2 AND scope = ?1
      ORDER BY contested, number LIMIT ?3
      """, number, mark, limit
    ) { DocumentID(try $0.text("id")) }
  }

  /// A document is looked at: whatever comes of that, all others have their turn before it's looked
  /// at again.
  func lookBegan(_ id: DocumentID) throws {
    guard let entry = try reader.stored(id)?.entry, case .contested = entry.phase else { return }
    try OutboxTable(session: session).contest(entry)
  }

  /// What may have been made at the server, and is looked for before it's sent again.
  func lostCreations(in scope: DocumentScope) throws -> [DocumentID] {
    guard let number = try session.number(of: scope) else { return [] }
    return try reader.contestedCreations(in: number).filter {
      try reader.stored($0, ofAccountOf: scope)?.entry?.isLostCreation ?? false
    }
  }

  /// Whether none of a collection's documents may be read just now.
  func isHidden(_ scope: DocumentScope) throws -> Bool {
    guard let number = try session.number(of: scope) else { return false }
    return try session.connection.row("SELECT hidden FROM scopes WHERE number = ?1", number) {
      try $0.flag("hidden")
    } ?? false
  }

  /// Whether a copy of it is here that a server had, and nothing of it is to be sent.
  private func isHeld(_ id: DocumentID, in scope: DocumentScope) throws -> Bool {
    guard let document = try reader.stored(id, ofAccountOf: scope), document.scope == scope else {
      return false
    }
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

  private func keepVanished(_ id: DocumentID, _ state: DocumentState, in scope: Int64) throws {
    var version: DocumentVersion?
    if case .deleted(let named) = state { version = named }
    try session.connection.run(
      """
      INSERT INTO vanished (scope, id, forgotten, version) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (scope, id) DO UPDATE
        SET forgotten = excluded.forgotten, version = excluded.version, outside = 0
      """, scope, id.text, state == .forgotten, version?.text)
  }

  /// A server has a document after all.
  func forgetVanished(_ id: DocumentID, in scope: Int64) throws {
    try session.connection.run("DELETE FROM vanished WHERE scope = ?1 AND id = ?2", scope, id.text)
  }

  /// What vanished, and what the server says of it, by name; so many at most.
  private func vanished(in scope: Int64, limit: Int64) throws -> [DocumentChange] {
    try session.connection.rows(
      """
      SELECT id, forgotten, version FROM vanished WHERE scope = ?1 AND NOT outside
      ORDER BY id LIMIT ?2
      """, scope, limit
    ) { row in
      let version = try row.optionalText("version").map { DocumentVersion($0) }
      return DocumentChange(
        id: DocumentID(try row.text("id")),
        state: try row.flag("forgotten") ? .forgotten : .deleted(version))
    }
  }
}
