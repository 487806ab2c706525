import SyncDatabase
import SyncText

/// The rows of documents, without what is to be sent of them.
struct DocumentTable {
  let session: StoreSession

  struct Kept {
    var number: Int64
    var document: StoredDocument
    var entry: Int64?
    /// Since when it's to be created, where it has no row in the outbox .
    var since: Int64?
  }

  private static let columns: [Identifier] = [
    "entry", "hidden", "base_version", "base_time", "shown", "shown_version", "shown_time", "body",
    "base_body", "shown_body", "since",
  ]
  private static let find: SQL = """
    SELECT number, scope, \(columns) FROM documents WHERE id = ?1 AND owner = ?2
    """
  private static let owners: SQL = "SELECT owner FROM documents WHERE id = ?1 LIMIT 2"
  private static let insert: SQL = """
    INSERT INTO documents (\(columns), id, scope, owner) VALUES (\(parameters: columns.count + 3))
    """
  private static let update: SQL = """
    UPDATE documents SET \(columns.enumerated().map { offset, column -> SQL in
      "\(column) = \(parameter: offset + 1)"
    }) WHERE number = \(parameter: columns.count + 1)
    """
  private static let updateSince: SQL = "UPDATE documents SET since = ?2 WHERE number = ?1"
  private static let delete: SQL = "DELETE FROM documents WHERE number = ?1"

  /// Whose document of an id is meant where nobody said it: theirs who alone have one.
  func owner(of id: DocumentID) throws -> Int64? {
    let owners = try session.connection.rows(Self.owners, id.text) { try $0.integer("owner") }
    guard owners.count < 2 else {
      throw DatabaseError(
        code: .misuse, message: "several accounts have a document of this id",
        path: session.connection.path)
    }
    return owners.first
  }

  func row(of id: DocumentID, ownedBy owner: Int64) throws -> Kept? {
    try session.connection.row(Self.find, id.text, owner) { row in
      var document = StoredDocument(
        id: id, scope: try session.scope(try row.integer("scope")))
      document.isHidden = try row.flag("hidden")
      document.body = try .optional(row, "body")
      document.base = try Self.base(row, body: document.body)
      document.shown = try Self.shown(row)
      return Kept(
        number: try row.integer("number"), document: document,
        entry: try row.optionalInteger("entry"), since: try row.optionalInteger("since"))
    }
  }

  /// The number of a row; `nil` if the account has none of that id.
  func number(of id: DocumentID, ownedBy owner: Int64) throws -> Int64? {
    try session.connection.row(
      "SELECT number FROM documents WHERE id = ?1 AND owner = ?2", id.text, owner
    ) { try $0.integer("number") }
  }

  /// Adds a row.
  func insert(_ document: StoredDocument, since: Int64?) throws {
    let home = try session.makeHome(of: document.scope)
    let place: [StoredValue?] = [
      .text(document.id.text), .integer(home.number), .integer(home.owner),
    ]
    try session.connection.run(Self.insert, values: Self.values(document, since) + place)
    try FileTable(session: session).noteNew(document, of: home.owner)
  }

  /// Changes a row, if it's another one now.
  func update(_ document: StoredDocument, from old: Kept, since: Int64?) throws {
    guard !Self.isSameRow(document, old) else {
      if since != old.since { try session.connection.run(Self.updateSince, old.number, since) }
      return
    }
    try session.connection.run(
      Self.update, values: Self.values(document, since) + [.integer(old.number)])
  }

  /// Removes a row.
  func delete(_ old: Kept) throws {
    try session.connection.run(Self.delete, old.number)
  }

  private static func values(_ document: StoredDocument, _ since: Int64?) -> [StoredValue?] {
    let (base, shown) = (document.base, document.shown)
    return [
      .of(document.entry?.number), .integer(document.isHidden ? 1 : 0), .of(base?.version.text),
      .of(base?.time), .of(shown?.name), .of(shown?.version?.text), .of(shown?.copy?.time),
      .of(document.body?.text), .of(document.isSynced ? nil : base?.value.text),
      .of(shown?.copy?.value.text), .of(since),
    ]
  }

  private static func isSameRow(_ document: StoredDocument, _ old: Kept) -> Bool {
    document.entry?.number == old.entry && document.isHidden == old.document.isHidden
      && document.shown == old.document.shown
      && document.body.isWritten(as: old.document.body)
      && document.base?.version == old.document.base?.version
      && document.base?.time == old.document.base?.time
      && document.base?.value.json.written == old.document.base?.value.json.written
  }

  // MARK: - Reading

  private static func base(
    _ row: borrowing Row, body: DocumentValue?
  ) throws -> ServerCopy? {
    guard let version = try row.optionalText("base_version") else { return nil }
    guard let value = try .optional(row, "base_body") ?? body else {
      throw row.wrongType("base_body", "a server's copy has no content")
    }
    return ServerCopy(
      value: value, version: DocumentVersion(version), time: try row.optionalInteger("base_time"))
  }

  private static func shown(_ row: borrowing Row) throws -> DocumentState? {
    guard let name = try row.optionalText("shown") else { return nil }
    let version = try row.optionalText("shown_version").map { DocumentVersion($0) }
    switch name {
    case "deleted": return .deleted(version)
    case "forgotten": return .forgotten
    case "present", "revived":
      guard let version else { throw row.wrongType("shown_version", "a copy has no version") }
      let copy = ServerCopy(
        value: try DocumentValue(row, "shown_body"), version: version,
        time: try row.optionalInteger("shown_time"))
      return name == "present" ? .present(copy) : .revived(copy)
    default: throw row.wrongType("shown", "a server said what has no name")
    }
  }
}

extension DocumentState {
  /// How a row says it.
  fileprivate var name: String {
    switch self {
    case .present: "present"
    case .revived: "revived"
    case .deleted: "deleted"
    case .forgotten: "forgotten"
    }
  }

  fileprivate var version: DocumentVersion? { copy?.version ?? tombstone.version }
}

extension DocumentValue? {
  /// Whether both are the same to the byte.
  fileprivate func isWritten(as other: DocumentValue?) -> Bool {
    self?.json.written == other?.json.written
  }
}

/// A new document of which nothing is to be said but that it's to be created has no row in the
/// outbox: its own row says since when (`documents.since`), and the view `entries` shows both.
///
/// With a row each, 100,000 new documents take 2.6 × a bare UPSERT of the same JSON; without, 2.0 ×
/// (`bench`, B24).
extension OutboxEntry {
  /// The entry of a document whose own row says all there is to say
  /// (``StoredDocument/isPlainlyNew``).
  init(plainly document: StoredDocument, _ number: Int64) {
    self.init(
      number: number, id: document.id, collection: document.scope.collection,
      revision: Revision(number), change: .create)
  }

  /// Whether nothing is to be said of it but that a document is to be created, and after which.
  fileprivate var isNew: Bool {
    guard case .create = change, case .waiting = phase, case .any = batchShare, tombstone == .none
    else {
      return false
    }
    return revision.number == number && isNeverSent && tries == 0 && rounds == 0
  }
}

extension StoredDocument {
  /// Whether it's to be created, and nothing else is to be said of that: then its own row is
  /// enough.
  var isPlainlyNew: Bool {
    guard let entry, entry.isNew, entry.awaits.isEmpty else { return false }
    return body != nil && base == nil && shown == nil
  }

  /// Its entry, if there is nothing to be said of the document but that it's to be created.
  fileprivate var newEntry: OutboxEntry? {
    guard body != nil, base == nil, shown == nil, lost.isEmpty, events.isEmpty, !isSettled,
      let entry, entry.isNew
    else { return nil }
    return entry
  }
}

/// Many documents that are saved one after the other are mostly all new, or all known.
extension StoreEditor {
  /// As ``change(_:in:_:)``, for a document that is likely to be unknown if the last one was: then
  /// it's written without a look at whether it's there, which the index of ids tells anyway.
  ///
  /// - Parameter event: is called again if the document is there after all.
  func make(
    _ id: DocumentID, in scope: DocumentScope,
    _ event: (inout StoredDocument, inout RevisionCounter) throws -> Bool
  ) throws -> Bool {
    if session.expectsUnknown, try madeAnew(id, in: scope, event) { return true }
    return try change(id, in: scope, event) ?? false
  }

  /// Answers whether it was unknown, and is written now as it became.
  private func madeAnew(
    _ id: DocumentID, in scope: DocumentScope,
    _ event: (inout StoredDocument, inout RevisionCounter) throws -> Bool
  ) throws -> Bool {
    if let owner = try session.number(of: scope.owner) {
      guard try reader.tombstone(of: id, ownedBy: owner) == .none else { return false }
      if session.findsByAliases,
        try AliasTable(session: session).id(of: id, ownedBy: owner) != nil
      {
        return false
      }
    }
    var document = StoredDocument(id: id, scope: scope)
    var counter = session.counter
    guard try event(&document, &counter), let entry = document.newEntry else { return false }
    let isUnknown = try session.wholly {
      let home = try session.makeHome(of: scope)
      // Nothing else is to be said of it, unless it waits.
      let since = entry.awaits.isEmpty ? session.now : nil
      let isUnknown = try insertUnknown(
        document, in: home, entry: entry.number, since: since)
      guard isUnknown else { return false }
      if since == nil {
        try OutboxTable(session: session).insert(entry, in: home.number, since: session.now)
      }
      return true
    }
    guard isUnknown else { return false }
    session.counter = counter
    session.log?.note(StoredDocument(id: id, scope: scope), document)
    return true
  }

  private static let insertUnknown: SQL = """
    INSERT INTO documents (id, scope, entry, hidden, body, since, owner)
    VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6) ON CONFLICT (id, owner) DO NOTHING
    """

  /// Adds a row with a body and an entry, and with nothing else, unless there is one of that id.
  /// Answers whether it did.
  private func insertUnknown(
    _ document: StoredDocument, in home: StoreSession.Home, entry: Int64, since: Int64?
  ) throws -> Bool {
    guard let body = document.body else { return false }
    let before = session.connection.totalChanges
    try session.connection.withCursor(Self.insertUnknown) { cursor in
      try cursor.bind(home.number, at: 2)
      try cursor.bind(entry, at: 3)
      try cursor.bind(.of(since), at: 5)
      try cursor.bind(home.owner, at: 6)
      try body.json.written.withUnsafeBufferPointer { text in
        try cursor.bind(text, at: 4)
        try cursor.binding(document.id.text, at: 1) { try cursor.run() }
      }
    }
    guard session.connection.totalChanges > before else { return false }
    try FileTable(session: session).noteNew(document, of: home.owner)
    return true
  }
}
