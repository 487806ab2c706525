private import SyncText

/// Which types of documents there are, the collection in which a server keeps each of them, and the
/// member in which a document says its type.
///
/// A document's type is a part of its JSON, and sent with it. Where a server's copy has no such
/// member, its collection gives the type, and nothing is written back for that. The id is no part
/// of what is stored; people see both at the beginning of the object.
public struct DocumentTypes: Sendable {
  /// A type of documents.
  public struct Kind: Sendable, Hashable, Codable {
    /// What it's called.
    public let name: String
    /// Where the server keeps its documents.
    public let collection: String
    /// Whether edits of the collection are stamped, so that of each member the latest one wins;
    /// `nil` if nobody said so.
    public var isLatest: Bool?
    /// Whether the server makes the ids of the collection's documents; `nil` if nobody said so.
    public var makesKeys: Bool?
    /// The members that tell its documents from each other, as paths; `nil` if nobody named any.
    public var naturalKey: [String]?
    /// The types that members name documents of, by the members' paths; `nil` if nobody named any.
    public var references: [String: String]?
    /// Which of the collection's documents are held; none for all of them; `nil` if nobody said so.
    public var filter: [CollectionFilter.Condition]?

    /// A type, in a collection.
    public init(_ name: String, in collection: String) {
      self.name = name
      self.collection = collection
    }
  }

  /// The member that says the type where nothing else is declared: `docType`.
  package static let usualMember = "docType"
  /// The member in which people and programs see a document's id.
  package static let idMember = "id"

  /// The member in which a document says its type.
  public let member: String
  /// Whether a new document doesn't say its type where that is its collection's only one: for
  /// servers whose rows have the members of a table alone.
  public var leavesOutOnlyTypes = false
  /// The types, in the order in which they were declared.
  public private(set) var kinds: [Kind] = []

  /// No types yet.
  /// - Throws: ``DocumentProblem/reserved(_:)`` for a name that the member can't have.
  public init(member: String = "docType") throws(DocumentProblem) {
    guard !member.isEmpty, !member.isWritten(as: Self.idMember),
      !member.isWritten(as: MemberNames.times)
    else { throw .reserved(member) }
    self.member = member
  }

  /// Declares a type. To declare it again in the same way does nothing.
  ///
  /// - Parameters:
  ///   - name: the type's name.
  ///   - collection: where the server keeps its documents; by default one that is called like the
  ///     type. Of several types in one collection the first is that of documents that don't say
  ///     theirs.
  /// - Throws: ``DocumentProblem/noName`` and ``DocumentProblem/elsewhere(_:collection:)``.
  public mutating func declare(
    _ name: String, in collection: String? = nil
  ) throws(DocumentProblem) {
    let collection = collection ?? name
    guard !name.isEmpty, !collection.isEmpty else { throw .noName }
    if let known = self.collection(of: name) {
      guard known.isWritten(as: collection) else { throw .elsewhere(name, collection: known) }
      return
    }
    kinds.append(Kind(name, in: collection))
  }

  /// Where the server keeps the documents of a type; `nil` if that isn't declared.
  public func collection(of type: String) -> String? {
    kinds.first { $0.name.isWritten(as: type) }?.collection
  }

  package func type(ofCollection collection: String) -> String? {
    kinds.first { $0.collection.isWritten(as: collection) }?.name
  }

  /// The type of a document in a collection: its own word, or the collection's; `nil` where neither
  /// says one.
  public func type(of content: DocumentValue, in collection: String) -> String? {
    guard let said = content[member] else { return type(ofCollection: collection) }
    return said.string
  }
}

extension String {
  /// Whether both are the same to the byte.
  fileprivate func isWritten(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// A document as people write it, taken apart.
package struct IdentifiedDocument: Sendable, Hashable {
  /// What it's called.
  package let id: DocumentID
  package let type: String
  /// Where the server keeps it.
  package let collection: String
  /// All that it says but the id.
  package let content: DocumentValue
}

/// Documents as people see and write them: one object with id and type.
extension DocumentTypes {
  /// A document with its id and its type at the beginning. What neither it nor its collection says,
  /// isn't there.
  public func shown(
    _ content: DocumentValue, _ id: DocumentID, in collection: String
  ) -> DocumentValue {
    let (idName, typeName) = (ByteString(Self.idMember), ByteString(member))
    var members = content.objectMembers.filter { $0.name != idName }
    let said = members.firstIndex { $0.name == typeName }.map { members.remove(at: $0) }
    let type =
      said
      ?? type(ofCollection: collection).map {
        ObjectMember(name: typeName, value: DocumentValue($0))
      }
    let first = ObjectMember(name: idName, value: DocumentValue(id.text))
    return DocumentValue(joining: [first] + (type.map { [$0] } ?? []) + members)
  }

  /// Takes apart what ``shown(_:_:in:)`` gives, or what a person wrote in this way.
  package func read(
    _ document: DocumentValue
  ) throws(DocumentProblem) -> IdentifiedDocument {
    guard document.isObject else { throw .notADocument }
    guard let id = document[Self.idMember]?.string, !id.isEmpty else { throw .noID }
    guard let type = document[member]?.string, !type.isEmpty else {
      throw .noType(member: member)
    }
    guard let collection = collection(of: type) else { throw .unknownType(type) }
    return IdentifiedDocument(
      id: DocumentID(id), type: type, collection: collection,
      content: document.replacing(ByteString(Self.idMember), with: nil))
  }

  /// What to store where a document is to say `content` from now on: without the type if what is
  /// there has none either, or a new one is to have none (``leavesOutOnlyTypes``), and its
  /// collection gives the same.
  ///
  /// - Parameters:
  ///   - content: what it is to say.
  ///   - old: what is stored; `nil` where there is nothing so far.
  ///   - collection: where it's at home.
  public func stored(
    _ content: DocumentValue, over old: DocumentValue?, in collection: String
  ) -> DocumentValue {
    guard old.map({ $0[member] == nil }) ?? leavesOutType(of: collection),
      let type = type(ofCollection: collection), content[member] == DocumentValue(type)
    else { return content }
    return content.replacing(ByteString(member), with: nil)
  }

  private func leavesOutType(of collection: String) -> Bool {
    leavesOutOnlyTypes && kinds.count { $0.collection.isWritten(as: collection) } == 1
  }
}
