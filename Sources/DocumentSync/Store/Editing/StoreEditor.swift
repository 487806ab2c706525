/// A document as a person, or a program for them, wants it to be.
package struct DocumentEdit: Sendable {
  /// What it's called.
  package fileprivate(set) var id: DocumentID
  /// Where it's at home.
  package let scope: DocumentScope
  /// What it says from now on: an object.
  package let content: DocumentValue
  /// The documents that it's to be sent after: each must have succeeded before.
  package var after: Set<DocumentID> = []
  /// Whether it carries when each of its members changed.
  package var stamps = false
  /// Where the ids of its collection come from, and which members name others.
  package var keys = KeyRules()

  /// An edit that goes after no others and isn't stamped.
  package init(_ id: DocumentID, in scope: DocumentScope, _ content: DocumentValue) {
    self.id = id
    self.scope = scope
    self.content = content
  }
}

/// Changes documents, within one transaction: what people do to them, and what syncs do.
///
/// What is saved or deleted enters the outbox. What a server says meets what is here, and never
/// enters it; what becomes of a request is noted with the entry that it was for. A pull is written
/// together with its checkpoint, so that neither is ever ahead of the other.
package struct StoreEditor {
  let session: StoreSession

  init(_ session: StoreSession) { self.session = session }

  /// Reads what was written so far, too.
  package var reader: StoreReader { StoreReader(session: session) }

  @discardableResult
  package func save(_ edit: DocumentEdit) throws -> Bool {
    var edit = edit
    let wished = try keepApart(&edit)
    let others = try others(of: edit.id, after: edit.after, in: edit.scope)
    let stamp = try stamp(of: edit)
    try check(edit)
    let isChanged = try make(edit.id, in: edit.scope) { [edit] document, counter in
      let content = edit.content(over: document.body, at: stamp)
      document.names(content, edit.keys)
      return document.saved(content, after: others, &counter)
    }
    if let wished { try keepWished(wished, for: edit) }
    return isChanged
  }

  @discardableResult
  package func save(_ edits: some Sequence<DocumentEdit>) throws -> Int {
    try session.allOrNothing { try edits.reduce(0) { try $0 + (save($1) ? 1 : 0) } }
  }

  @discardableResult
  package func stash(_ edit: DocumentEdit) throws -> Bool {
    var edit = edit
    let wished = try keepApart(&edit)
    let stamp = try stamp(of: edit)
    let isChanged = try change(edit) { [edit] document, counter in
      document.stashed(edit.content(over: document.body, at: stamp), &counter)
    }
    if let wished { try keepWished(wished, for: edit) }
    return isChanged
  }

  @discardableResult
  package func stash(_ edits: some Sequence<DocumentEdit>) throws -> Int {
    try session.allOrNothing { try edits.reduce(0) { try $0 + (stash($1) ? 1 : 0) } }
  }

  @discardableResult
  package func delete(_ id: DocumentID, after others: Set<DocumentID> = []) throws -> Bool {
    let others = try self.others(of: id, after: others)
    if let document = try reader.stored(id), let scope = try session.number(of: document.scope) {
      try FileTable(session: session).leave(nil, of: document.id, in: scope)
    }
    return try change(id, in: nil) { document, counter in
      document.deleted(after: others, &counter)
    } ?? false
  }

  @discardableResult
  package func drop(_ id: DocumentID) throws -> Bool {
    try change(id, in: nil) { document, _ in
      guard document.entry == nil else { throw DocumentError.isToBeSent(id) }
      document.dropped()
      return true
    } ?? false
  }

  @discardableResult
  package func retry(_ id: DocumentID) throws -> Bool {
    let (table, id) = (FileTable(session: session), try reader.named(id))
    let files = try table.retry(id) + table.doubt(of: id)
    return try retryChange(id) || files > 0
  }

  @discardableResult
  package func retryAll() throws -> Int {
    var count = try FileTable(session: session).retry()
    try forEachSetAside { id, home in
      guard session.isOwn(home) else { return }
      // What may have been made is made again for who names it.
      if try reader.stored(id)?.entry?.phase == .setAside(.mayBeMade) { return }
      count += try retryChange(id, in: home) ? 1 : 0
    }
    return count
  }

  /// Has a change sent again that was set aside.
  func retryChange(_ id: DocumentID, in scope: DocumentScope? = nil) throws -> Bool {
    try change(id, in: scope) { document, counter in document.retryWanted(&counter) } ?? false
  }

  @discardableResult
  package func resolve(
    _ id: DocumentID, _ resolution: DocumentConflict.Resolution
  ) throws -> Decision {
    let decision = try change(id, in: nil) { document, counter in
      document.resolved(resolution, &counter)
    }
    guard let decision = decision ?? nil else { throw DocumentError.notInConflict(id) }
    return decision
  }

  // MARK: - What all have in common

  /// A new document whose id the server makes has one of its own until then, lest the server's next
  /// document is called so.
  ///
  /// - Returns: the id that was wished for it, by which it's found, too; `nil` if it has that.
  private func keepApart(_ edit: inout DocumentEdit) throws -> DocumentID? {
    let wished = edit.id
    guard edit.keys.areServers, !wished.isUUID, !wished.text.isEmpty,
      try reader.stored(wished, ofAccountOf: edit.scope) == nil
    else { return nil }
    edit.id = .uuid7(at: session.now)
    return wished
  }

  /// A document is found by the id that was wished for it, and those of its account that wait for
  /// one of that id wait for this one.
  private func keepWished(_ wished: DocumentID, for edit: DocumentEdit) throws {
    let owner = try session.makeHome(of: edit.scope).owner
    try AliasTable(session: session).add(wished, to: edit.id, ownedBy: owner)
    guard try session.holdsAwaited() else { return }
    try session.connection.run(
      """
      UPDATE OR REPLACE awaited SET id = ?2 WHERE id = ?1 AND entry IN (
        SELECT number FROM outbox WHERE scope IN (SELECT number FROM scopes WHERE owner = ?3))
      """, wished.text, edit.id.text, owner)
  }

  private func change(
    _ edit: DocumentEdit, _ event: (inout StoredDocument, inout RevisionCounter) -> Bool
  ) throws -> Bool {
    try check(edit)
    return try change(edit.id, in: edit.scope, event) ?? false
  }

  private func check(_ edit: DocumentEdit) throws {
    guard !edit.id.text.isEmpty else { throw DocumentError.noID }
    guard edit.content.isObject else { throw DocumentError.notAnObject(edit.id) }
  }

  /// When the changes of this transaction were made, by the server's clock if ours is wrong.
  private func stamp(of edit: DocumentEdit) throws -> Int64? {
    edit.stamps ? try stamp(for: edit.scope.server) : nil
  }

  /// Those of the others that a document must wait for: those that the server has, and those that
  /// are gone, it needn't. A circle is an error.
  private func others(
    of id: DocumentID, after others: Set<DocumentID>, in scope: DocumentScope? = nil
  ) throws -> Set<DocumentID> {
    guard !others.isEmpty else { return [] }
    let awaited = AwaitedTable(session: session)
    let others = Set(try others.map { try reader.named($0) })
    let circle = try WaitingCircle(of: try reader.named(id), after: others) {
      try awaited.awaited(by: $0)
    }
    if let circle {
      throw DocumentError.circle(try circle.way.map { try reader.givenName(of: $0) })
    }
    let readiness = try Readiness(awaiting: others) { try reader.predecessor($0, for: scope) }
    return Set(readiness.waitsFor.keys)
  }
}

extension DocumentEdit {
  fileprivate func content(over old: DocumentValue?, at stamp: Int64?) -> DocumentValue {
    stamp.map { content.stamped(over: old, at: $0) } ?? content
  }
}
