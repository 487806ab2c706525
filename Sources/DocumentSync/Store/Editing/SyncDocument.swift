/// A document as a program's own type.
///
/// ```swift
/// struct Note: SyncDocument {
///   static let documentType = "note"
///   static let collection = "notes"
///   static var members: [PartialKeyPath<Note>: String] { [\.title: "title"] }
///   let id: DocumentID
///   var title: String
///   var due: Date?
/// }
/// ```
///
/// A member that is a file is a ``FileReference``. In a module whose default isolation is the main
/// actor, such a type says `nonisolated`: it's read and written where the store is.
///
/// Documents say more than any one version of a program knows: members that the type doesn't have
/// stay as they are when a document is saved, and what it didn't change stays as it was written.
public protocol SyncDocument: Codable, Sendable {
  /// The type's name, as other programs know it.
  static var documentType: String { get }
  /// The member that holds the type's name. By default `docType`.
  static var typeMember: String { get }
  /// The collection that its documents are at home in, unless a call names another one. By default
  /// the type's name.
  static var collection: String { get }
  /// Where in its documents members of the type stand, as ``DocumentPath/init(parsing:)`` reads it,
  /// for conditions, orders, indexes and mergers. By default nothing is said of that.
  static var members: [PartialKeyPath<Self>: String] { get }
  /// The member as which the id is written, if it's among the coding keys. By default `id`. The
  /// store has ids apart from contents, and adds this one when a document is read.
  static var idMember: String { get }
  /// What brings a document of an earlier form into the type's own, each step behind the one
  /// before. By default there are none.
  static var steps: [DocumentStep] { get }
  /// What the document is called. A new one may have ``DocumentID/uuid7()``.
  var id: DocumentID { get }
  /// The id that a new document has by what it says, so that two devices which make the same make
  /// one document; see ``DocumentID/named(_:ofType:ignoringCase:)``. By default `nil`: it has its
  /// own. Documents that are known keep their id, whatever they come to say.
  static func documentID(for content: Self) -> DocumentID?
}

extension SyncDocument {
  /// `docType`.
  public static var typeMember: String { "docType" }
  /// `id`.
  public static var idMember: String { "id" }
  /// The type's name.
  public static var collection: String { documentType }
  /// There are none.
  public static var steps: [DocumentStep] { [] }
  /// Nothing is said of any.
  public static var members: [PartialKeyPath<Self>: String] { [:] }
  /// None: each document has an id of its own.
  public static func documentID(for content: Self) -> DocumentID? { nil }
}

/// A change of the form in which documents of a type are written, by name: another name of a
/// member, another unit.
///
/// Documents come in an earlier form for as long as any device writes it, so a step is taken each
/// time that a document is read, and of one that has the new form already it must make the same.
/// What is stored, and what the server has, changes only where the document is edited: then it's
/// saved in the new form. Queries, indexes and words see what is stored.
public struct DocumentStep: Sendable {
  /// What it's called, for whoever is told that it failed.
  public let name: String
  private let change: @Sendable (DocumentValue) throws -> DocumentValue

  /// A step of that name.
  public init(
    _ name: String, _ change: @escaping @Sendable (DocumentValue) throws -> DocumentValue
  ) {
    (self.name, self.change) = (name, change)
  }

  fileprivate func taken(by content: DocumentValue) throws -> DocumentValue {
    do {
      return try change(content)
    } catch {
      throw DocumentProblem.step(name, "\(error)")
    }
  }
}

extension SyncDocument {
  /// Where a member stands, as ``members`` says: `.like(Note[\.title], "M%")`. Of a member that
  /// isn't there, or has no path, nothing can be asked: that ends the program.
  public static subscript(member: PartialKeyPath<Self>) -> DocumentPath {
    guard let text = members[member], let path = try? DocumentPath(parsing: text) else {
      preconditionFailure("\(Self.self).members has no path for \(member)")
    }
    return path
  }
}

extension SyncDocument {
  /// The document that a content is of: what a conflict has of it, say.
  /// - Throws: What reading the type throws.
  public init(_ content: DocumentValue, id: DocumentID) throws {
    self = try Self.complete(content, id).decode()
  }

  /// Whether a content may be of this type: it says so, or it says nothing, where the collection
  /// tells the type.
  static func isType(of content: DocumentValue) -> Bool {
    guard let type = content[typeMember] else { return true }
    return type == DocumentValue(documentType)
  }

  /// What is to be stored, in place of what is there; without the id, which the store has apart.
  /// - Throws: What reading and writing the type throws: what can't be read isn't changed by guess.
  func content(over old: DocumentValue?, id: DocumentID) throws -> DocumentValue {
    guard let old else {
      let content = try DocumentValue.encode(self).setting(Self.idMember, to: nil)
      guard content[Self.typeMember] == nil else { return content }
      return try content.setting(Self.typeMember, to: DocumentValue(Self.documentType))
    }
    let known = try Self.complete(old, id)
    let edited = try known.updating(with: self)
    // One that was only read keeps its form, and nobody is sent it for that.
    if edited.hasSameContent(as: known) { return old }
    let content = try edited.setting(Self.idMember, to: old[Self.idMember])
    // Where the collection tells the type, it isn't written for that alone.
    return old[Self.typeMember] == nil ? try content.setting(Self.typeMember, to: nil) : content
  }

  /// A content with what the type may want to read of it.
  private static func complete(
    _ content: DocumentValue, _ id: DocumentID
  ) throws -> DocumentValue {
    var complete = try steps.reduce(content) { try $1.taken(by: $0) }
    if content[idMember] == nil {
      complete = try complete.setting(idMember, to: DocumentValue(id.text))
    }
    if content[typeMember] == nil {
      complete = try complete.setting(typeMember, to: DocumentValue(documentType))
    }
    return complete
  }
}

extension StoreEditor {
  @discardableResult
  package func save<Document: SyncDocument>(
    _ document: Document, in scope: DocumentScope, after others: Set<DocumentID> = [],
    stamps: Bool = false, keys: KeyRules = KeyRules()
  ) throws -> (id: DocumentID, isChanged: Bool) {
    var edit = try edit(document, in: scope)
    (edit.after, edit.stamps, edit.keys) = (others, stamps, keys)
    return (edit.id, try save(edit))
  }

  @discardableResult
  package func stash<Document: SyncDocument>(
    _ document: Document, in scope: DocumentScope, keys: KeyRules = KeyRules()
  ) throws -> (id: DocumentID, isChanged: Bool) {
    var edit = try edit(document, in: scope)
    edit.keys = keys
    return (edit.id, try stash(edit))
  }

  package func getOrCreate<Document: SyncDocument>(
    _ document: Document, in scope: DocumentScope, where query: DocumentQuery? = nil,
    keys: KeyRules = KeyRules()
  ) throws -> (document: Document, isNew: Bool) {
    var edit = try edit(document, in: scope)
    edit.keys = keys
    let found =
      if let query {
        try first(query)
      } else {
        try reader.document(edit.id) == nil ? nil : edit.id
      }
    if let found, let there = try reader.document(Document.self, found) { return (there, false) }
    try save(edit)
    return (try Document(edit.content, id: edit.id), true)
  }

  private func first(_ query: DocumentQuery) throws -> DocumentID? {
    var query = query
    query.limit = min(1, query.limit ?? 1)
    return try reader.ids(matching: query).first
  }

  private func edit<Document: SyncDocument>(
    _ document: Document, in scope: DocumentScope
  ) throws -> DocumentEdit {
    var (id, old) = (document.id, try reader.stored(document.id)?.body)
    if old == nil, let other = Document.documentID(for: document) {
      (id, old) = (other, try reader.stored(other)?.body)
    }
    return DocumentEdit(id, in: scope, try document.content(over: old?.asSeen, id: id))
  }
}
