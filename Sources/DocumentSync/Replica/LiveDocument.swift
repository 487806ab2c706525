public import Observation

/// A document that a view shows and edits, on the main actor:
///
/// ```swift
/// @State var note: LiveDocument<Note>
/// …
/// TextField("Title", text: $note.value.title)
///   .task { try? await note.follow() }
///   .onSubmit { Task { try await note.save() } }
/// ```
///
/// While it follows, it shows what others make of the document, but for the members that were
/// edited here and aren't saved yet: nobody's typing is taken from under their fingers. A save
/// stores these members alone, in whatever the document says by then.
///
/// A document has one live document in a view, and a view that is gone needs none. What isn't saved
/// is gone with it.
@MainActor
public final class LiveDocument<Document: SyncDocument>: Observable {
  private let registrar = ObservationRegistrar()
  private let replica: DocumentReplica
  private let collection: String
  /// What the document said when it was heard of last; what `shown` says otherwise is edited.
  private var base: Document
  private var shown: Document
  private var wasStored: Bool
  private var isRemoved = false
  private var followers = 0
  private var saves = 0

  /// Shows a document; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - document: what it says, as it was read; or a new one.
  ///   - isNew: whether it's a new one, which the first save makes.
  ///   - replica: where it is.
  ///   - collection: where it's stored. By default where its type is at home.
  public init(
    _ document: Document, isNew: Bool = false, in replica: DocumentReplica,
    collection: String? = nil
  ) {
    (base, shown, self.replica) = (document, document, replica)
    wasStored = !isNew
    self.collection = collection ?? Document.collection
  }

  /// What a view shows, and edits.
  public var value: Document {
    get {
      registrar.access(self, keyPath: \.value)
      return shown
    }
    set { registrar.withMutation(of: self, keyPath: \.value) { shown = newValue } }
  }

  /// Whether ``value`` says something that isn't saved.
  public var isEdited: Bool {
    registrar.access(self, keyPath: \.value)
    return (try? DocumentValue.encode(shown) != DocumentValue.encode(base)) ?? true
  }

  /// Whether the document was there, and isn't any more; ``value`` is what it said last.
  public var isGone: Bool {
    registrar.access(self, keyPath: \.value)
    return isRemoved
  }

  /// Follows the document, until the task is cancelled or the replica is closed.
  ///
  /// - Throws: What reading the store or the type throws.
  public func follow() async throws {
    followers += 1
    defer { followers -= 1 }
    var known = saves
    for try await var content in replica.values(of: shown.id) {
      // What was read before a save would put back what that has just stored.
      while known != saves {
        known = saves
        content = try await replica.document(shown.id)
      }
      try heard(content)
    }
  }

  /// Stores what was edited, and has it sent; of a new document all.
  ///
  /// - Throws: ``DocumentError/noDocument(_:)`` where it's gone; what storing it throws. What was
  ///   edited stays so, then.
  public func save() async throws {
    let (saved, old) = (shown, base)
    let content = try await replica.save(saved, over: old, in: collection, isNew: !wasStored)
    // A follower hears of it in its turn, so that it hears of all in their order. What is edited
    // from now on is so against what was saved.
    guard followers > 0 else { return try heard(content) }
    let edited = try Document.edits(from: old, to: saved, of: base)
    saves += 1
    change { $0.base = edited }
  }

  private func heard(_ content: DocumentValue?) throws {
    guard let content else {
      if wasStored { change { $0.isRemoved = true } }
      return
    }
    let newest = try Document(content, id: shown.id)
    let edited = try Document.edits(from: base, to: shown, of: newest)
    change { live in
      (live.base, live.shown) = (newest, edited)
      (live.wasStored, live.isRemoved) = (true, false)
    }
  }

  private func change(_ body: (LiveDocument) -> Void) {
    registrar.withMutation(of: self, keyPath: \.value) { body(self) }
  }
}

extension SyncDocument {
  /// What is made of a document by the edits that lead from one value of it to another, member by
  /// member: what wasn't edited stays as the document has it.
  fileprivate static func edits(
    from base: Self, to edited: Self, of newest: Self
  ) throws -> Self {
    let edits = ThreeWayMerge(
      base: try DocumentValue.encode(base), here: try DocumentValue.encode(edited),
      there: try DocumentValue.encode(newest)
    ) { _ in .here }
    return try edits.value.decode()
  }
}

extension DocumentReplica {
  /// Stores what was edited of a document, whatever it says by now. Answers what it says then.
  ///
  /// - Parameter isNew: whether it's made where it isn't there.
  fileprivate func save<Document: SyncDocument>(
    _ edited: Document, over base: Document, in collection: String, isNew: Bool
  ) async throws -> DocumentValue {
    let (content, hasChanged) = try await store.edit { [self] editor in
      let old = try editor.reader.document(edited.id)
      guard old != nil || isNew else { throw DocumentError.noDocument(edited.id) }
      let newest = try old.map { try Document($0, id: edited.id) }
      let merged = try newest.map { try Document.edits(from: base, to: edited, of: $0) } ?? edited
      let content = try merged.content(over: old, id: edited.id)
      let hasChanged = try editor.save(try edit(edited.id, content, collection, after: []))
      return (content, hasChanged)
    }
    self.edited(hasChanged)
    return content
  }
}
