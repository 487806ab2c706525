/// What people do to documents.
extension DocumentReplica {
  /// Stores a document, and has it sent. Answers whether that changed anything.
  ///
  /// - Parameters:
  ///   - id: what it's called.
  ///   - content: what it says from now on: an object.
  ///   - collection: where it's at home.
  ///   - others: the documents that it is to be sent after: each must have succeeded before.
  @discardableResult
  public func save(
    _ id: DocumentID, _ content: DocumentValue, in collection: String,
    after others: Set<DocumentID> = []
  ) async throws -> Bool {
    let hasChanged = try await store.edit { [self] in
      try $0.save(try edit(id, content, collection, after: others))
    }
    edited(hasChanged)
    return hasChanged
  }

  /// Stores all of them, or none if one can't be. Answers how many changed anything.
  @discardableResult
  public func save(
    _ documents: [(id: DocumentID, content: DocumentValue)], in collection: String
  ) async throws -> Int {
    let count = try await store.edit { [self] in
      try $0.save(documents.map { try edit($0.id, $0.content, collection, after: []) })
    }
    edited(count > 0)
    return count
  }

  /// Stores what is made of a document, and has it sent: nobody changes it meanwhile. Answers
  /// whether that changed anything.
  ///
  /// - Parameters:
  ///   - id: what it's called.
  ///   - collection: where it's at home.
  ///   - others: the documents that it is to be sent after.
  ///   - sends: whether it's sent; else it's only stored, as ``stash(_:_:in:)`` does.
  ///   - change: makes what it says from now on of what it says; `nil` where there is none.
  @discardableResult
  public func update(
    _ id: DocumentID, in collection: String, after others: Set<DocumentID> = [],
    sends: Bool = true, _ change: @Sendable (DocumentValue?) throws -> DocumentValue
  ) async throws -> Bool {
    let hasChanged = try await store.edit { [self] editor in
      let content = try change(try editor.reader.document(id))
      let edit = try edit(id, content, collection, after: others)
      return sends ? try editor.save(edit) : try editor.stash(edit)
    }
    if sends { edited(hasChanged) }
    return hasChanged
  }

  /// Stores a document without having it sent.
  @discardableResult
  public func stash(
    _ id: DocumentID, _ content: DocumentValue, in collection: String
  ) async throws -> Bool {
    try await store.edit { [self] in
      try $0.stash(try edit(id, content, collection, after: []))
    }
  }

  /// Deletes a document: it's gone at once for everybody who reads. There is no way back.
  @discardableResult
  public func delete(_ id: DocumentID) async throws -> Bool {
    let hasChanged = try await store.edit { try $0.delete(id) }
    edited(hasChanged)
    return hasChanged
  }

  /// Takes the local copy of a document away, of which no server is told. While a change of it
  /// waits to be sent, it's an error.
  @discardableResult
  public func drop(_ id: DocumentID) async throws -> Bool {
    try await store.edit { try $0.drop(id) }
  }

  /// Whether something of a document is to be sent.
  package func isPending(_ id: DocumentID) async throws -> Bool {
    try await store.read { try $0.isPending(id) }
  }

  /// What waits for somebody to decide; `nil` if nothing does.
  public func conflict(_ id: DocumentID) async throws -> DocumentConflict? {
    try await store.read { try $0.conflict(id) }
  }

  /// Decides between a document and the server's. It's an error if there was nothing to decide.
  public func resolve(
    _ id: DocumentID, _ resolution: DocumentConflict.Resolution
  ) async throws {
    _ = try await store.edit { try $0.resolve(id, resolution) }
    edited(true)
  }

  /// Gives up what is to be sent of a document: the server's last value is here again, or nothing
  /// if the server has none. What was given up is told as lost. Answers whether there was something
  /// to give up; while a request with it is under way, it's an error.
  @discardableResult
  public func resign(_ id: DocumentID) async throws -> Bool {
    try await store.edit { try $0.resign(id) }
  }

  /// Makes something that was lost a new edit: a member of the document as it is now, or the whole
  /// document. Answers which document was edited, or made.
  ///
  /// - Parameters:
  ///   - number: of what was lost, see ``lost(of:)``.
  ///   - newID: what a new document is called that is made of it. By default the document itself is
  ///     edited; one that is gone is made anew.
  @discardableResult
  public func restore(_ number: Int64, as newID: DocumentID? = nil) async throws -> DocumentID {
    let id = try await store.edit { [self] editor in
      let home = try editor.home(ofLost: number)?.collection
      return try editor.restore(number, as: newID, stamps: home.map(stamps(in:)) ?? false)
    }
    edited(true)
    return id
  }

  /// Has a change of a document sent again that was set aside, or that no pull has found to be
  /// made, and those of its files that the server refused, or has no more. Answers whether there
  /// is anything to try.
  @discardableResult
  public func retry(_ id: DocumentID) async throws -> Bool {
    let hasChanged = try await store.edit { try $0.retry(id) }
    edited(hasChanged)
    return hasChanged
  }

  /// The same of all changes that were set aside, and of all files. Answers how many there are to
  /// try. What may have been made is tried only by its id, see ``retry(_:)``.
  @discardableResult
  public func retryAll() async throws -> Int {
    let count = try await store.edit { try $0.retryAll() }
    edited(count > 0)
    return count
  }

  /// An edit of a document of whoever is signed in: within the transaction, so that nobody else
  /// signs in between.
  func edit(
    _ id: DocumentID, _ content: DocumentValue, _ collection: String, after: Set<DocumentID>
  ) throws -> DocumentEdit {
    if let problem = endpoint.problem(with: id, content, in: collection) {
      throw DocumentError.cannotTravel(id, problem)
    }
    var edit = DocumentEdit(id, in: try scope(of: collection), content)
    (edit.after, edit.stamps) = (after, stamps(in: collection))
    edit.keys = keys(of: collection)
    return edit
  }

  /// Where the ids of a collection's documents come from, and which of their members name others.
  func keys(of collection: String) -> KeyRules { syncer.processor.place.keys(of: collection) }

  /// Whether documents of a collection carry when each of their members changed.
  func stamps(in collection: String) -> Bool {
    options.collections.first { $0.name == collection }?.policies.contains(.latest) ?? false
  }
}
