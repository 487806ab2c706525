import SyncDatabase

extension StoreReader {
  /// What those that go after a document know of it.
  ///
  /// - Parameter scope: a collection of the account that is meant; by default that of who sees and
  ///   edits.
  func predecessor(_ id: DocumentID, for scope: DocumentScope? = nil) throws -> Predecessor {
    let owner = try scope.map { try session.number(of: $0.owner) } ?? owner(of: id)
    if let document = try kept(id, ownedBy: owner)?.document { return document.asPredecessor }
    return try tombstone(of: id, ownedBy: owner) == .none ? .unknown : .deleted
  }

  /// Whose document is meant by its id alone, or by what it was called: that of who sees and edits.
  func owner(of id: DocumentID) throws -> Int64? {
    if let owner = session.owner { return try session.number(of: owner) }
    return try DocumentTable(session: session).owner(of: id)
      ?? AliasTable(session: session).owner(of: id)
  }

  /// An account's document: its row, with its entry.
  ///
  /// - Parameter owner: the account's number; `nil` where nothing is kept of it.
  func kept(_ id: DocumentID, ownedBy owner: Int64?) throws -> DocumentTable.Kept? {
    guard let owner else { return nil }
    let table = DocumentTable(session: session)
    var found = try table.row(of: id, ownedBy: owner)
    if found == nil, session.findsByAliases,
      let name = try AliasTable(session: session).id(of: id, ownedBy: owner)
    {
      found = try table.row(of: name, ownedBy: owner)
    }
    guard var row = found else { return nil }
    guard let number = row.entry else { return row }
    if row.since != nil {
      row.document.entry = OutboxEntry(plainly: row.document, number)
      return row
    }
    guard let entry = try OutboxTable(session: session).entry(number) else {
      throw DatabaseError(
        code: .damaged, message: "what is to be sent of a document isn't there",
        path: session.connection.path)
    }
    row.document.entry = entry
    row.document.tombstone = entry.tombstone
    if entry.rememberedRevisions.count > 1 {
      row.document.contents = try contents(of: entry)
    }
    return row
  }

  /// The contents that an entry remembers, without the present one and those of deletions.
  func contents(of entry: OutboxEntry) throws -> [Revision: DocumentValue] {
    var contents: [Revision: DocumentValue] = [:]
    for revision in entry.rememberedRevisions where revision != entry.revision {
      contents[revision] = try session.connection.row(
        "SELECT body FROM contents WHERE revision = ?1", revision.number
      ) { try DocumentValue($0, "body") }
    }
    return contents
  }

  /// What is known of a deletion of that document.
  func tombstone(of id: DocumentID, ownedBy owner: Int64?) throws -> Tombstone {
    guard let owner, try session.holdsTombstones() else { return .none }
    return try session.connection.row(
      "SELECT version FROM burials WHERE id = ?1 AND owner = ?2", id.text, owner
    ) { row in
      .at(try row.optionalText("version").map { DocumentVersion($0) })
    } ?? .none
  }
}

extension StoreEditor {
  /// Something happens to a document: reads it, tells it, and writes what became of it.
  ///
  /// - Parameter scope: where it's at home. One that its account knows elsewhere is an error.
  ///   Without it, the document of who sees and edits is meant; if that isn't known, nothing
  ///   happens and the answer is `nil`.
  func change<Result>(
    _ id: DocumentID, in scope: DocumentScope?,
    _ event: (inout StoredDocument, inout RevisionCounter) throws -> Result
  ) throws -> Result? {
    let owner = try scope.map { try session.number(of: $0.owner) } ?? reader.owner(of: id)
    let old = try reader.kept(id, ownedBy: owner)
    session.expectsUnknown = old == nil
    if let scope, let home = old?.document.scope, home != scope {
      throw DocumentError.atHomeElsewhere(id, collection: home.collection)
    }
    guard let home = scope ?? old?.document.scope else { return nil }
    var document =
      try old?.document
      ?? StoredDocument(
        id: id, scope: home, tombstone: reader.tombstone(of: id, ownedBy: owner))
    let before = document
    let result = try event(&document, &session.counter)
    try session.wholly { try put(document, from: old, before: before) }
    session.log?.note(before, document)
    return result
  }

  // MARK: - Writing

  private func put(
    _ changed: StoredDocument, from old: DocumentTable.Kept?, before: StoredDocument
  ) throws {
    var document = changed
    document.forgetContents()
    try TraceTable(session: session).note(changed, from: before, since: old?.since)
    let since = try putEntry(document, before, old?.since)
    try keepContents(document.contents, over: before.contents)
    let table = DocumentTable(session: session)
    switch (old, document.isNothing) {
    case (let old?, true): try table.delete(old)
    case (let old?, false): try table.update(document, from: old, since: since)
    case (nil, false): try table.insert(document, since: since)
    case (nil, true): break
    }
    if document.tombstone != before.tombstone || old != nil && document.isNothing {
      try keep(document.tombstone, of: document.id, in: document.scope)
    }
    if !document.lost.isEmpty {
      try keep(
        document.lost, of: document.id, in: session.makeNumber(of: document.scope))
    }
    if document.isSettled {
      try AwaitedTable(session: session).settle(document.id, in: document.scope)
    }
  }

  /// Answers since when the document is to be created, if it has no row in the outbox now.
  ///
  /// - Parameter since: the same as it was before.
  private func putEntry(
    _ document: StoredDocument, _ before: StoredDocument, _ since: Int64?
  ) throws -> Int64? {
    let outbox = OutboxTable(session: session)
    let (old, new) = (before.entry, document.entry)
    let isSame = old?.number == new?.number
    if let old, let new, isSame, since == nil {
      try outbox.update(new, from: old)
      return nil
    }
    if let old, !isSame, since == nil { try outbox.delete(old) }
    guard let new else { return nil }
    let began = isSame ? since ?? session.now : session.now
    if document.isPlainlyNew { return began }
    try outbox.insert(new, in: session.makeNumber(of: document.scope), since: began)
    return nil
  }

  /// Keeps earlier contents that a server may have taken, by revision, in place of others.
  func keepContents(
    _ new: [Revision: DocumentValue], over old: [Revision: DocumentValue]
  ) throws {
    for revision in old.keys where new[revision] == nil {
      try session.connection.run("DELETE FROM contents WHERE revision = ?1", revision.number)
    }
    for (revision, content) in new where old[revision] == nil {
      try session.connection.run(
        "INSERT INTO contents (revision, body) VALUES (?1, ?2)", revision.number, content.text)
    }
  }

  /// Remembers a deletion, or forgets what was remembered.
  func keep(_ tombstone: Tombstone, of id: DocumentID, in scope: DocumentScope) throws {
    if tombstone == .none, try !session.holdsTombstones() { return }
    let owner = try session.makeHome(of: scope).owner
    switch tombstone {
    case .none:
      try session.connection.run(
        "DELETE FROM burials WHERE id = ?1 AND owner = ?2", id.text, owner)
    case .at(let version):
      session.mayHoldTombstones()
      try session.connection.run(
        """
        INSERT INTO burials (id, owner, version) VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET version = excluded.version
        """, id.text, owner, version?.text)
    }
  }
}

extension StoredDocument {
  /// Keeps only what the server may still show as having come from here.
  fileprivate mutating func forgetContents() {
    guard !contents.isEmpty else { return }
    let remembered = entry?.rememberedRevisions ?? []
    contents = contents.filter { remembered.contains($0.key) && $0.key != entry?.revision }
  }
}
