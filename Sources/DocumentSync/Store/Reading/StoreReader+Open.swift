import SyncDatabase

/// What waits for somebody.
package enum OpenQuestion: Sendable {
  /// Somebody is to decide between a document and the server's.
  case conflict
  case setAside
}

extension StoreReader {
  private static let conflicts: SQL = """
    SELECT documents.number AS number, documents.id AS id, documents.scope AS scope
    FROM documents INDEXED BY documents_exceptions
      LEFT JOIN outbox ON outbox.number = documents.entry
    WHERE shown IS NOT NULL AND coalesce(phase, 'parked') IN ('parked', 'setAside')
    """
  private static let setAside: SQL = """
    SELECT number, id, scope FROM outbox INDEXED BY outbox_exceptions
    WHERE phase = 'setAside' AND number NOT IN (
      SELECT entry FROM documents INDEXED BY documents_exceptions
      WHERE shown IS NOT NULL AND entry IS NOT NULL)
    """

  package func open(
    _ question: OpenQuestion, in scope: DocumentScope? = nil, after number: Int64 = 0, limit: Int
  ) throws -> [(number: Int64, id: DocumentID)] {
    let meant: SQL
    if let scope {
      guard let known = try session.number(of: scope) else { return [] }
      meant = "scope = \(known)"
    } else {
      meant = try session.isOwn("scope")
    }
    let found: SQL = question == .conflict ? Self.conflicts : Self.setAside
    return try session.connection.rows(
      """
      SELECT number, id FROM (\(found)) WHERE number > \(number) AND \(meant)
      ORDER BY number LIMIT \(limit)
      """
    ) { (number: try $0.integer("number"), id: DocumentID(try $0.text("id"))) }
  }

  // MARK: - Why something waits

  /// Why a document isn't at the server as it is here; `nil` if it is, or isn't known.
  package func reason(of id: DocumentID) throws -> UnsentReason? {
    try stored(id).flatMap { try reason(of: $0) }
  }

  /// Why a document isn't at the server as it is here; `nil` if it is.
  func reason(of document: StoredDocument) throws -> UnsentReason? {
    guard let entry = document.entry else {
      if document.isInConflict { return .isInConflict }
      if let reason = try whyHeldBack(document) { return reason }
      return document.isSynced || document.isNothing ? nil : .isStashed
    }
    switch entry.phase {
    case .waiting: return try reasonToWait(entry, in: document.scope)
    case .sending: return .isUnderWay
    case .contested where entry.isLostCreation: return .mayBeMade
    case .contested: return .wasOvertaken
    case .parked: return .isInConflict
    case .setAside(.refused(let refusal)):
      return .isRefused(status: refusal.status, words: refusal.words)
    case .setAside(.madeAs(let key)): return .isMadeAs(key)
    case .setAside(.mayBeMade):
      return entry.change.isDeletion ? .deletionCannotBeFound : .cannotBeFound
    case .setAside(.outrun(let rounds)): return .wasOutrun(rounds: rounds)
    case .setAside(.unknownForm): return .isUnknown
    }
  }

  private func reasonToWait(_ entry: OutboxEntry, in scope: DocumentScope) throws -> UnsentReason {
    if !entry.awaits.isEmpty {
      let others = try entry.awaits.map { (try givenName(of: $0), try predecessor($0, for: scope)) }
      return .waits(for: Dictionary(others, uniquingKeysWith: { first, _ in first }))
    }
    var pause = try pause(of: scope.server)
    switch pause.permission(at: session.now, isUnderWay: false) {
    case .open: return .isToBeSent(tries: entry.tries, after: try lastTrouble(of: entry))
    case .ownWait: return .backsOff(until: pause.own?.until ?? session.now)
    case .asked(let until): return .serverAsked(until: until)
    }
  }

  /// The trouble that a server answered to a change of which it's told; `nil` where none is known.
  private func lastTrouble(of entry: OutboxEntry) throws -> Trouble? {
    guard entry.tries > 0 else { return nil }
    return try AnswerTable(session: session).answer(to: entry.number)?.trouble
  }

  /// Why a document is here that would have gone, if so many hadn't gone with it; `nil` if it isn't
  /// so.
  private func whyHeldBack(_ document: StoredDocument) throws -> UnsentReason? {
    guard document.body != nil, let number = try session.number(of: document.scope) else {
      return nil
    }
    return try session.connection.row(
      "SELECT outside FROM vanished WHERE scope = ?1 AND id = ?2 AND held_back", number,
      document.id.text
    ) { try $0.flag("outside") ? .isOutsideFilter : .isHeldBack }
  }

  /// What a server has no more and what wasn't removed here, by collection.
  package func heldBack() throws -> [HeldBackRemovals] {
    let own = try session.isOwn("scope")
    let scopes = try session.connection.rows(
      "SELECT DISTINCT scope FROM vanished WHERE held_back AND \(own) ORDER BY scope"
    ) { try $0.integer("scope") }
    return try scopes.compactMap { number in
      let count = try vanished(in: number, isHeldBack: true)
      guard count > 0 else { return nil }
      let held = try held(in: number)
      return HeldBackRemovals(
        collection: try session.scope(number).collection, count: count, held: held,
        outsideFilter: try outsideFilter(in: number))
    }
  }

  /// Of how many documents that vanished a copy is here.
  ///
  /// - Parameter isHeldBack: whether only those count that would have been too much to go, and not
  ///   those of a list whose end didn't come yet.
  func vanished(in scope: Int64, isHeldBack: Bool = false) throws -> Int {
    try session.connection.row(
      """
      SELECT count(*) AS count FROM vanished JOIN documents ON documents.id = vanished.id
      WHERE vanished.scope = ?1 AND documents.scope = ?1 AND documents.body IS NOT NULL
        AND held_back >= ?2
      """, scope, isHeldBack
    ) { Int(try $0.integer("count")) } ?? 0
  }

  /// How many of them are only known to have left the collection's filter.
  func outsideFilter(in scope: Int64) throws -> Int {
    try session.connection.row(
      """
      SELECT count(*) AS count FROM vanished JOIN documents ON documents.id = vanished.id
      WHERE vanished.scope = ?1 AND documents.scope = ?1 AND documents.body IS NOT NULL AND outside
      """, scope
    ) { Int(try $0.integer("count")) } ?? 0
  }

  /// How many documents are here that a server had.
  func held(in scope: Int64) throws -> Int {
    try session.connection.row(
      """
      SELECT count(*) AS held FROM documents
      WHERE scope = ?1 AND body IS NOT NULL AND base_version IS NOT NULL
      """, scope
    ) { Int(try $0.integer("held")) } ?? 0
  }

  // MARK: - What couldn't be stored

  package func failures() throws -> [DocumentFailure] {
    let own = try session.isOwn("scope")
    return try session.connection.rows(
      """
      SELECT collection, failures.name AS name, words, at FROM failures
      JOIN scopes ON scopes.number = failures.scope WHERE \(own)
      ORDER BY collection, failures.name, scope
      """
    ) { row in
      let document = UnreadableDocument(
        storedAs: try row.text("name"), words: try row.text("words"))
      return DocumentFailure(
        collection: try row.text("collection"), name: document.name, words: document.words,
        time: try row.integer("at"))
    }
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

  var storedName: String { isNameless ? "\(Self.mark)\(name)" : name }
}
