import SyncDatabase

/// Documents whose ids the server makes.
extension StoreEditor {
  /// The server made a document under a key of its own: it's called so from now on, and whatever
  /// waits for it, or names it in a declared member, does as well. All of it is one transaction
  /// with the answer, or with the list, that told the key.
  ///
  /// - Parameter version: what the server calls the state of it that it made.
  /// - Returns: whether it's called so. Not where another document of that key is here whose change
  ///   is to be sent: nobody can tell whose the key is.
  func take(
    _ key: DocumentID, for id: DocumentID, _ version: DocumentVersion?, _ rules: KeyRules
  ) throws -> Bool {
    guard let document = try reader.stored(id) else { return false }
    guard document.id != key else { return true }
    let owner = try session.makeHome(of: document.scope).owner
    if let other = try DocumentTable(session: session).row(of: key, ownedBy: owner) {
      guard other.document.scope == document.scope, other.document.isSynced else { return false }
      // A list told of it before anybody knew what it was made of.
      _ = try change(key, in: document.scope) { document, _ in document.vanish(after: .none) }
    }
    try session.wholly {
      try AliasTable(session: session).rename(document.id, to: key, ownedBy: owner)
      try session.connection.run(
        "DELETE FROM failures WHERE scope = ?1 AND name = ?2",
        session.makeNumber(of: document.scope), key.text)
    }
    session.log?.note(document, StoredDocument(id: document.id, scope: document.scope))
    if let named = try reader.stored(key) {
      session.log?.note(StoredDocument(id: key, scope: document.scope), named)
    }
    _ = try change(key, in: nil) { changed, _ in changed.note(.named(before: document.id)) }
    let name = rules.written(key, version, document.scope.collection)
    try rename(document.id, to: name, in: document.scope, rules)
    return true
  }

  /// Has the members that name a document name it by its key.
  private func rename(
    _ id: DocumentID, to name: DocumentValue, in scope: DocumentScope, _ rules: KeyRules
  ) throws {
    for (collection, paths) in rules.referring {
      let place = DocumentScope(
        server: scope.server, account: scope.account, collection: collection)
      for other in try unsynced(in: place, saying: id) {
        try change(other, in: nil) { document, counter in
          document.renames(id, to: name, at: paths, &counter)
        }
      }
    }
  }

  /// The documents of a collection that differ from the server's, or that it doesn't have, and that
  /// say such a text.
  private func unsynced(in scope: DocumentScope, saying id: DocumentID) throws -> [DocumentID] {
    guard let number = try session.number(of: scope) else { return [] }
    // However the others are escaped, these aren't.
    let isPlain = id.text.utf8.allSatisfy { $0 >= 0x30 && $0 < 0x7B || $0 == UInt8(ascii: "-") }
    return try session.connection.rows(
      """
      SELECT id FROM documents WHERE scope = ?1 AND body IS NOT NULL
        AND (base_version IS NULL OR base_body IS NOT NULL) AND (?2 IS NULL OR instr(body, ?2))
      ORDER BY number
      """, number, isPlain ? id.text : nil
    ) { DocumentID(try $0.text("id")) }
  }

  /// Has a document that is to be sent name others by their keys. Those that have none yet it goes
  /// after; where they go after it themselves, it's set aside.
  ///
  /// - Returns: whether it can be sent now.
  func namesByKeys(_ id: DocumentID, _ rules: KeyRules) throws -> Bool {
    guard !rules.references.isEmpty, let document = try reader.stored(id),
      let body = document.body
    else { return true }
    var unnamed: Set<DocumentID> = []
    for (path, collection) in rules.references {
      for name in body.ids(at: path) {
        // What is no UUID may be what the server calls another one, which isn't here.
        guard let other = try reader.stored(name.isUUID ? try reader.named(name) : name),
          other.scope.collection == collection
        else {
          continue
        }
        if other.base == nil, other.body != nil, other.id != document.id {
          unnamed.insert(other.id)
        } else {
          // Its first id, or an id that names its model, where the server has the key alone.
          let written = rules.written(other.id, other.base?.version, collection)
          guard written.namedID != name else { continue }
          _ = try change(id, in: nil) { document, counter in
            document.renames(name, to: written, at: [path], &counter)
          }
        }
      }
    }
    guard !unnamed.isEmpty else { return true }
    let awaited = AwaitedTable(session: session)
    let circle = try WaitingCircle(of: id, after: unnamed) { try awaited.awaited(by: $0) }
    _ = try change(id, in: nil) { document, _ in document.goesAfter(unnamed, circle) }
    return false
  }

  /// What was sent to be made and not answered, and that a pull didn't show: a list of all that
  /// there is shows that it wasn't made, and where there are no lists, nothing ever will.
  ///
  /// - Parameters:
  ///   - mark: when the pull began.
  ///   - hasLists: whether the server has lists.
  func notFound(in scope: DocumentScope, before mark: Int64, hasLists: Bool) throws {
    guard let number = try session.number(of: scope) else { return }
    for id in try reader.contestedCreations(in: number, before: mark) {
      _ = try change(id, in: nil) { document, counter in
        if hasLists { document.notMade(&counter) } else { document.cannotBeFound(&counter) }
      }
    }
  }
}

extension StoredDocument {
  /// It's to name others than before: those that it doesn't name any more it needn't go after.
  mutating func names(_ content: DocumentValue, _ rules: KeyRules) {
    guard let body, entry != nil else { return }
    for path in rules.references.keys {
      let others = Set(body.ids(at: path)).subtracting(content.ids(at: path))
      _ = change { $0.goesNoLongerAfter(others) }
    }
  }

  /// Members that name another document name it otherwise.
  fileprivate mutating func renames(
    _ id: DocumentID, to name: DocumentValue, at paths: [DocumentPath],
    _ counter: inout RevisionCounter
  ) {
    guard let content = body?.naming(id, as: name, at: paths), content != body else { return }
    let fresh = counter.fresh()
    _ = change { $0.renamed(as: fresh) }
    body = content
  }

  /// It goes after others that it names, unless they go after it.
  fileprivate mutating func goesAfter(_ others: Set<DocumentID>, _ circle: WaitingCircle?) {
    guard let circle else {
      _ = change { $0.goesAfter(others) }
      return
    }
    let way = circle.way.map(\.description).joined(separator: " → ")
    let words = "it can't be sent: these name each other, and none has a key yet: \(way)"
    _ = change { $0.isInCircle(Refusal(status: 0, words: words)) }
    note(.refused(status: 0, words: words))
  }
}
