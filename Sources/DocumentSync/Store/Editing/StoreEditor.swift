/// A document as a person, or a program for them, wants it to be.
package struct DocumentEdit: Sendable {
  /// What it's called.
  package let id: DocumentID
  /// Where it's at home.
  package let scope: DocumentScope
  /// What it says from now on: an object.
  package let content: DocumentValue
  /// The documents that it's to be sent after: each must have succeeded before.
  package var after: Set<DocumentID> = []
  /// Whether it carries when each of its members changed.
  package var stamps = false

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
    let others = try others(of: edit.id, after: edit.after, in: edit.scope)
    let stamp = try stamp(of: edit)
    try check(edit)
    return try make(edit.id, in: edit.scope) { document, counter in
      document.saved(edit.content(over: document.body, at: stamp), after: others, &counter)
    }
  }

  @discardableResult
  package func save(_ edits: some Sequence<DocumentEdit>) throws -> Int {
    try session.allOrNothing { try edits.reduce(0) { try $0 + (save($1) ? 1 : 0) } }
  }

  @discardableResult
  package func stash(_ edit: DocumentEdit) throws -> Bool {
    let stamp = try stamp(of: edit)
    return try change(edit) { document, counter in
      document.stashed(edit.content(over: document.body, at: stamp), &counter)
    }
  }

  @discardableResult
  package func stash(_ edits: some Sequence<DocumentEdit>) throws -> Int {
    try session.allOrNothing { try edits.reduce(0) { try $0 + (stash($1) ? 1 : 0) } }
  }

  @discardableResult
  package func delete(_ id: DocumentID, after others: Set<DocumentID> = []) throws -> Bool {
    let others = try self.others(of: id, after: others)
    if let home = try reader.scope(of: id), session.isOwn(home),
      let scope = try session.number(of: home)
    {
      try FileTable(session: session).leave(nil, of: id, in: scope)
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
    let table = FileTable(session: session)
    let files = try table.retry(id) + table.doubt(of: id)
    return try retryChange(id) || files > 0
  }

  @discardableResult
  package func retryAll() throws -> Int {
    var count = try FileTable(session: session).retry()
    try forEachSetAside { id, home in
      if session.isOwn(home) { count += try retryChange(id, in: home) ? 1 : 0 }
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
    let circle = try WaitingCircle(of: id, after: others) { try awaited.awaited(by: $0) }
    if let circle { throw DocumentError.circle(circle.way) }
    let readiness = try Readiness(awaiting: others) { try reader.predecessor($0, for: scope) }
    return Set(readiness.waitsFor.keys)
  }
}

extension DocumentEdit {
  fileprivate func content(over old: DocumentValue?, at stamp: Int64?) -> DocumentValue {
    stamp.map { content.stamped(over: old, at: $0) } ?? content
  }
}
