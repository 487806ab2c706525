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

/// What people do to documents, within one transaction.
///
/// What is saved or deleted enters the outbox; what a server says comes in by ``SyncDoor``, and
/// never does. Each answers whether it changed anything.
package struct UserDoor {
  let session: StoreSession
  let shelf: DocumentShelf

  init(_ session: StoreSession) {
    self.session = session
    shelf = DocumentShelf(session)
  }

  /// Reads what was written so far, too.
  package var reader: StoreReader { StoreReader(session: session) }

  /// Stores a document, and has it sent.
  ///
  /// Of a document that is to be sent already, only the latest content is, in its old place.
  /// Saving what is there already does nothing, unless it was only stashed; saving what the server
  /// had last ends the change.
  @discardableResult
  package func save(_ edit: DocumentEdit) throws -> Bool {
    let others = try OrderCheck(shelf: shelf).others(of: edit.id, after: edit.after)
    let stamp = try stamp(of: edit)
    try check(edit)
    return try shelf.make(edit.id, in: edit.scope) { document, counter in
      document.saved(edit.content(over: document.body, at: stamp), after: others, &counter)
    }
  }

  /// Saves all of them or, if one can't be, none. Answers how many changed anything.
  @discardableResult
  package func save(_ edits: some Sequence<DocumentEdit>) throws -> Int {
    try session.allOrNothing { try edits.reduce(0) { try $0 + (save($1) ? 1 : 0) } }
  }

  /// Stores a document without having it sent; if a change of it waits to be sent already, this
  /// content is sent in its place.
  @discardableResult
  package func stash(_ edit: DocumentEdit) throws -> Bool {
    let stamp = try stamp(of: edit)
    return try change(edit) { document, counter in
      document.stashed(edit.content(over: document.body, at: stamp), &counter)
    }
  }

  /// Stashes all of them or, if one can't be, none. Answers how many changed anything.
  @discardableResult
  package func stash(_ edits: some Sequence<DocumentEdit>) throws -> Int {
    try session.allOrNothing { try edits.reduce(0) { try $0 + (stash($1) ? 1 : 0) } }
  }

  /// Stashes a document unless there is one of that id. Of two who do so at once, one is told that
  /// it did.
  package func stashIfAbsent(_ edit: DocumentEdit) throws -> Bool {
    let stamp = try stamp(of: edit)
    return try change(edit) { document, counter in
      guard document.body == nil else { return false }
      return document.stashed(edit.content(over: nil, at: stamp), &counter)
    }
  }

  /// Saves a document unless there is one already.
  ///
  /// - Parameter find: answers the id of the one that is there. By default one of the same id is.
  /// - Returns: the id of the document, and whether it was made.
  package func getOrCreate(
    _ edit: DocumentEdit, unless find: ((StoreReader) throws -> DocumentID?)? = nil
  ) throws -> (id: DocumentID, isNew: Bool) {
    let found =
      if let find {
        try find(reader)
      } else {
        try shelf.document(edit.id)?.body == nil ? nil : edit.id
      }
    if let found { return (found, false) }
    try save(edit)
    return (edit.id, true)
  }

  // MARK: - What all have in common

  private func change(
    _ edit: DocumentEdit, _ event: (inout StoredDocument, inout RevisionCounter) -> Bool
  ) throws -> Bool {
    try check(edit)
    return try shelf.change(edit.id, in: edit.scope, event) ?? false
  }

  private func check(_ edit: DocumentEdit) throws {
    guard !edit.id.text.isEmpty else { throw DocumentStoreProblem.noID }
    guard edit.content.isObject else { throw DocumentStoreProblem.notAnObject(edit.id) }
  }

  /// When the changes of this transaction were made, by the server's clock if ours is wrong.
  private func stamp(of edit: DocumentEdit) throws -> Int64? {
    edit.stamps ? try session.stamp(for: edit.scope.server) : nil
  }
}

extension DocumentEdit {
  fileprivate func content(over old: DocumentValue?, at stamp: Int64?) -> DocumentValue {
    stamp.map { content.stamped(over: old, at: $0) } ?? content
  }
}
