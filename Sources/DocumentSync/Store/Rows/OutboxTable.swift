import SyncDatabase

/// What is to be sent, in the order of the first unsent changes.
struct OutboxTable {
  let session: StoreSession

  private static let columns: [Identifier] = [
    "revision", "change", "base", "phase", "is_last", "form", "details",
  ]
  private static let find: SQL = "SELECT id, scope, \(columns) FROM outbox WHERE number = ?1"
  private static let insert: SQL = """
    INSERT INTO outbox (\(columns), number, id, scope, since)
    VALUES (\(parameters: columns.count + 4))
    """
  private static let update: SQL = """
    UPDATE outbox SET \(columns.enumerated().map { offset, column -> SQL in
      "\(column) = \(parameter: offset + 1)"
    }) WHERE number = \(parameter: columns.count + 1)
    """
  private static let delete: SQL = "DELETE FROM outbox WHERE number = ?1"
  private static let contest: SQL = "UPDATE outbox SET contested = ?2 WHERE number = ?1"

  /// The entry of that number; `nil` if there is none.
  func entry(_ number: Int64) throws -> OutboxEntry? {
    let found = try session.connection.row(Self.find, number) { row in
      var entry = OutboxEntry(
        number: number, id: DocumentID(try row.text("id")),
        collection: try session.scope(try row.integer("scope")).collection,
        revision: Revision(try row.integer("revision")), change: try Self.change(row))
      EntryForm.complete(
        &entry, phase: try row.text("phase"), form: try row.integer("form"),
        details: try? .optional(row, "details"))
      return entry
    }
    guard var entry = found else { return nil }
    entry.awaits = try AwaitedTable(session: session).awaited(by: number)
    return entry
  }

  /// Adds an entry.
  ///
  /// - Parameter since: when the first unsent change was made, in milliseconds since 1970.
  func insert(_ entry: OutboxEntry, in scope: Int64, since: Int64) throws {
    let values = Self.values(entry)
    try session.connection.run(
      Self.insert,
      values: values + [
        .integer(entry.number), .text(entry.id.text), .integer(scope), .integer(since),
      ])
    if case .contested = entry.phase { try contest(entry) }
    try AwaitedTable(session: session).change(of: entry.number, from: [], to: entry.awaits)
  }

  /// Changes an entry, if it's another one now.
  func update(_ entry: OutboxEntry, from old: OutboxEntry) throws {
    guard entry != old else { return }
    try session.connection.run(
      Self.update, values: Self.values(entry) + [.integer(entry.number)])
    if case .contested = entry.phase, entry.phase != old.phase { try contest(entry) }
    try AwaitedTable(session: session).change(
      of: entry.number, from: old.awaits, to: entry.awaits)
  }

  /// It met the server's, or is looked at, later than all others.
  func contest(_ entry: OutboxEntry) throws {
    try session.connection.run(Self.contest, entry.number, session.counter.fresh().number)
  }

  /// Since when the present change of a document waits, in milliseconds since 1970.
  func since(_ entry: OutboxEntry) throws -> Int64? {
    try session.connection.row("SELECT since FROM outbox WHERE number = ?1", entry.number) {
      try $0.integer("since")
    }
  }

  func delete(_ old: OutboxEntry) throws {
    try session.connection.run(Self.delete, old.number)
    try AwaitedTable(session: session).change(of: old.number, from: old.awaits, to: [])
  }

  private static func values(_ entry: OutboxEntry) -> [StoredValue?] {
    let change =
      switch entry.change {
      case .create: "create"
      case .update: "update"
      case .delete: "delete"
      }
    return [
      .integer(entry.revision.number), .text(change), .of(entry.change.base?.text),
      .text(EntryForm.name(of: entry.phase)), .integer(entry.company == .last ? 1 : 0),
      .integer(EntryForm.current), .of(EntryForm.details(of: entry)?.text),
    ]
  }

  private static func change(_ row: borrowing Row) throws -> OutboxEntry.Change {
    let base = try row.optionalText("base").map { DocumentVersion($0) }
    switch (try row.text("change"), base) {
    case ("create", nil): return .create
    case ("update", let base?): return .update(base: base)
    case ("delete", let base): return .delete(base: base)
    default: throw row.wrongType("change", "it makes no sense with its base")
    }
  }
}

/// Which documents wait for which others.
struct AwaitedTable {
  let session: StoreSession

  /// Those that an entry waits for.
  func awaited(by entry: Int64) throws -> Set<DocumentID> {
    guard try session.holdsAwaited() else { return [] }
    return Set(
      try session.connection.rows("SELECT id FROM awaited WHERE entry = ?1", entry) {
        DocumentID(try $0.text("id"))
      })
  }

  /// Those that the entry of a document waits for; none, if it has none.
  func awaited(by id: DocumentID) throws -> Set<DocumentID> {
    Set(
      try session.connection.rows(
        """
        SELECT awaited.id FROM documents JOIN awaited ON awaited.entry = documents.entry
        WHERE documents.id = ?1
        """, id.text
      ) { DocumentID(try $0.text("id")) })
  }

  /// A document is at the server, or gone: nobody needs to wait for it.
  func settle(_ id: DocumentID) throws {
    guard try session.holdsAwaited() else { return }
    try session.connection.run("DELETE FROM awaited WHERE id = ?1", id.text)
  }

  /// An entry waits for others than before.
  func change(of entry: Int64, from old: Set<DocumentID>, to new: Set<DocumentID>) throws {
    guard old != new else { return }
    for id in old.subtracting(new) {
      try session.connection.run(
        "DELETE FROM awaited WHERE entry = ?1 AND id = ?2", entry, id.text)
    }
    if !new.isEmpty { session.mayHoldAwaited() }
    for id in new.subtracting(old) {
      try session.connection.run(
        "INSERT INTO awaited (entry, id) VALUES (?1, ?2)", entry, id.text)
    }
  }
}

extension OutboxEntry {
  /// Whether nothing is to be said of it but that a document is to be created, and after which.
  var isNew: Bool {
    guard case .create = change, case .waiting = phase, case .any = company, burial == .none else {
      return false
    }
    return revision.number == number && isNeverSent && tries == 0 && rounds == 0
  }
}
