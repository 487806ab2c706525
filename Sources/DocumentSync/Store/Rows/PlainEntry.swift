import SyncDatabase
import SyncText

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
    guard try reader.burial(of: id) == .none else { return false }
    var document = StoredDocument(id: id, scope: scope)
    var counter = session.counter
    guard try event(&document, &counter), let entry = document.newEntry else { return false }
    let isUnknown = try session.wholly {
      let number = try session.makeNumber(of: scope)
      // Nothing else is to be said of it, unless it waits.
      let since = entry.awaits.isEmpty ? session.now : nil
      let isUnknown = try insertUnknown(
        document, in: number, entry: entry.number, since: since)
      guard isUnknown else { return false }
      if since == nil {
        try OutboxTable(session: session).insert(entry, in: number, since: session.now)
      }
      return true
    }
    guard isUnknown else { return false }
    session.counter = counter
    session.log?.note(StoredDocument(id: id, scope: scope), document)
    return true
  }

  private static let insertUnknown: SQL = """
    INSERT INTO documents (id, scope, entry, hidden, body, since) VALUES (?1, ?2, ?3, 0, ?4, ?5)
    ON CONFLICT (id) DO NOTHING
    """

  /// Adds a row with a body and an entry, and with nothing else, unless there is one of that id.
  /// Answers whether it did.
  private func insertUnknown(
    _ document: StoredDocument, in scope: Int64, entry: Int64, since: Int64?
  ) throws -> Bool {
    guard let body = document.body else { return false }
    let before = session.connection.totalChanges
    try session.connection.withCursor(Self.insertUnknown) { cursor in
      try cursor.bind(scope, at: 2)
      try cursor.bind(entry, at: 3)
      try cursor.bind(.of(since), at: 5)
      try body.json.written.withUnsafeBufferPointer { text in
        try cursor.bind(text, at: 4)
        try cursor.binding(document.id.text, at: 1) { try cursor.run() }
      }
    }
    guard session.connection.totalChanges > before else { return false }
    try FileTable(session: session).noteNew(document)
    return true
  }
}
