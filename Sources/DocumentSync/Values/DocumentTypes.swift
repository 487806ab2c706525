private import SyncText

/// Which types of documents there are, the collection in which a server keeps each of them, and the
/// member in which a document says its type.
///
/// A document's type is a part of its JSON, and sent with it. Where a server's copy has no such
/// member, its collection gives the type, and nothing is written back for that. The id is no part
/// of what is stored; people see both at the beginning of the object.
public struct DocumentTypes: Sendable {
  /// A type of documents.
  public struct Kind: Sendable {
    /// What it's called.
    public let name: String
    /// Where the server keeps its documents.
    public let collection: String
  }

  /// The member that says the type where nothing else is declared: `docType`.
  public static let usualMember = "docType"
  /// The member in which people and programs see a document's id.
  public static let idMember = "id"

  /// The member in which a document says its type.
  public let member: String
  /// The types, in the order in which they were declared.
  public private(set) var kinds: [Kind] = []

  /// No types yet.
  /// - Throws: ``DocumentTypeProblem/reserved(_:)`` for a name that the member can't have.
  public init(member: String = usualMember) throws(DocumentTypeProblem) {
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
  /// - Throws: ``DocumentTypeProblem/noName`` and ``DocumentTypeProblem/elsewhere(_:collection:)``.
  public mutating func declare(
    _ name: String, in collection: String? = nil
  ) throws(DocumentTypeProblem) {
    let collection = collection ?? name
    guard !name.isEmpty, !collection.isEmpty else { throw .noName }
    if let known = self.collection(of: name) {
      guard known.isWritten(as: collection) else { throw .elsewhere(name, collection: known) }
      return
    }
    kinds.append(Kind(name: name, collection: collection))
  }

  /// Where the server keeps the documents of a type; `nil` if that isn't declared.
  public func collection(of type: String) -> String? {
    kinds.first { $0.name.isWritten(as: type) }?.collection
  }

  /// The type of documents in a collection that don't say theirs; `nil` if none is declared for it.
  public func type(ofCollection collection: String) -> String? {
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
