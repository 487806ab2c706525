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
  private static let find: SQL = "SELECT number, scope, \(columns) FROM documents WHERE id = ?1"
  private static let insert: SQL = """
    INSERT INTO documents (\(columns), id, scope) VALUES (\(parameters: columns.count + 2))
    """
  private static let update: SQL = """
    UPDATE documents SET \(columns.enumerated().map { offset, column -> SQL in
      "\(column) = \(parameter: offset + 1)"
    }) WHERE number = \(parameter: columns.count + 1)
    """
  private static let updateSince: SQL = "UPDATE documents SET since = ?2 WHERE number = ?1"
  private static let delete: SQL = "DELETE FROM documents WHERE number = ?1"

  /// The row of a document; `nil` if there is none.
  func row(of id: DocumentID) throws -> Kept? {
    try session.connection.row(Self.find, id.text) { row in
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

  /// Adds a row.
  func insert(_ document: StoredDocument, since: Int64?) throws {
    let scope = try session.makeNumber(of: document.scope)
    let home: [StoredValue?] = [.text(document.id.text), .integer(scope)]
    try session.connection.run(Self.insert, values: Self.values(document, since) + home)
    try FileTable(session: session).noteNew(document)
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

  fileprivate var version: DocumentVersion? { copy?.version ?? burial.version }
}

extension DocumentValue? {
  /// Whether both are the same to the byte.
  fileprivate func isWritten(as other: DocumentValue?) -> Bool {
    self?.json.written == other?.json.written
  }
}
