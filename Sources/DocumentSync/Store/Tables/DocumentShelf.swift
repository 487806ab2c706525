import SyncDatabase

/// Takes documents out of the tables, and puts them back changed.
struct DocumentShelf {
  let session: StoreSession
  let documents: DocumentTable
  let outbox: OutboxTable
  private let awaited: AwaitedTable
  private let contents: ContentTable
  let burials: BurialTable

  init(_ session: StoreSession) {
    self.session = session
    documents = DocumentTable(session: session)
    outbox = OutboxTable(session: session)
    awaited = AwaitedTable(session: session)
    contents = ContentTable(session: session)
    burials = BurialTable(session: session)
  }

  /// A document; `nil` if it has no row, or is another account's. A deletion of it may be known all
  /// the same.
  func document(_ id: DocumentID) throws -> StoredDocument? {
    guard let document = try row(of: id)?.document, session.isOwn(document.scope) else {
      return nil
    }
    return document
  }

  /// What those that go after a document know of it.
  func predecessor(_ id: DocumentID) throws -> Predecessor {
    if let document = try document(id) { return document.asPredecessor }
    return try burials.burial(of: id) == .none ? .unknown : .deleted
  }

  /// Something happens to a document: reads it, tells it, and writes what became of it.
  ///
  /// - Parameter scope: where it's at home. One that is known elsewhere is an error. Without it,
  ///   and if the document isn't known or is another account's, nothing happens and the answer is
  ///   `nil`.
  func change<Result>(
    _ id: DocumentID, in scope: DocumentScope?,
    _ event: (inout StoredDocument, inout RevisionCounter) throws -> Result
  ) throws -> Result? {
    let old = try row(of: id)
    session.expectsUnknown = old == nil
    if let scope, let home = old?.document.scope, home != scope {
      throw DocumentStoreProblem.taken(id, by: home, for: scope)
    }
    guard let home = scope ?? old?.document.scope, scope != nil || session.isOwn(home) else {
      return nil
    }
    var document =
      try old?.document
      ?? StoredDocument(id: id, scope: home, burial: burials.burial(of: id))
    let before = document
    let result = try event(&document, &session.counter)
    try session.wholly { try put(document, from: old, before: before) }
    session.log?.note(before, document)
    return result
  }

  private func row(of id: DocumentID) throws -> DocumentTable.Kept? {
    guard var row = try documents.row(of: id) else { return nil }
    guard let number = row.entry else { return row }
    if row.since != nil {
      row.document.entry = OutboxEntry(plainly: row.document, number)
      return row
    }
    guard let entry = try outbox.entry(number) else {
      throw DatabaseError(
        code: .damaged, message: "what is to be sent of a document isn't there",
        path: session.connection.path)
    }
    row.document.entry = entry
    row.document.burial = entry.burial
    if entry.rememberedRevisions.count > 1 {
      row.document.contents = try contents.contents(of: entry)
    }
    return row
  }

  // MARK: - Writing

  private func put(
    _ changed: StoredDocument, from old: DocumentTable.Kept?, before: StoredDocument
  ) throws {
    var document = changed
    document.forgetContents()
    try TraceTable(session: session).note(changed, from: before)
    let since = try putEntry(document, before, old?.since)
    try contents.change(from: before.contents, to: document.contents)
    switch (old, document.isNothing) {
    case (let old?, true): try documents.delete(old)
    case (let old?, false): try documents.update(document, from: old, since: since)
    case (nil, false): try documents.insert(document, since: since)
    case (nil, true): break
    }
    if document.burial != before.burial || old != nil && document.isNothing {
      try burials.keep(document.burial, of: document.id)
    }
    if !document.lost.isEmpty {
      try LostTable(session: session).add(
        document.lost, of: document.id, in: session.makeNumber(of: document.scope))
    }
    if document.isSettled { try awaited.settle(document.id) }
  }

  /// Answers since when the document is to be created, if it has no row in the outbox now.
  ///
  /// - Parameter since: the same as it was before.
  private func putEntry(
    _ document: StoredDocument, _ before: StoredDocument, _ since: Int64?
  ) throws -> Int64? {
    let isPlain = document.isPlainlyNew
    switch (before.entry, document.entry, since) {
    case (let old?, let new?, nil) where old.number == new.number:
      try outbox.update(new, from: old)
      return nil
    case (let old?, let new?, let since?) where old.number == new.number:
      if isPlain { return since }
      try outbox.insert(new, in: session.makeNumber(of: document.scope), since: since)
      return nil
    case (let old, let new, let since):
      if let old, since == nil { try outbox.delete(old) }
      guard let new else { return nil }
      if isPlain { return session.now }
      try outbox.insert(
        new, in: session.makeNumber(of: document.scope), since: session.now)
      return nil
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
