private import SyncText

/// A document as people write it, taken apart.
public struct IdentifiedDocument: Sendable, Hashable {
  /// What it's called.
  public let id: DocumentID
  /// Its type.
  public let type: String
  /// Where the server keeps it.
  public let collection: String
  /// All that it says but the id.
  public let content: DocumentValue
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
  public func read(
    _ document: DocumentValue
  ) throws(DocumentTypeProblem) -> IdentifiedDocument {
    guard document.isObject else { throw .notAnObject }
    guard let id = document[Self.idMember]?.string, !id.isEmpty else { throw .noID }
    guard let type = document[member]?.string, !type.isEmpty else {
      throw .noType(member: member)
    }
    guard let collection = collection(of: type) else { throw .unknown(type) }
    return IdentifiedDocument(
      id: DocumentID(id), type: type, collection: collection,
      content: document.replacing(ByteString(Self.idMember), with: nil))
  }

  /// What to store where a document is to say `content` from now on: without the type if what is
  /// there has none either and its collection gives the same.
  ///
  /// - Parameters:
  ///   - content: what it is to say.
  ///   - old: what is stored; `nil` where there is nothing so far.
  ///   - collection: where it's at home.
  public func stored(
    _ content: DocumentValue, over old: DocumentValue?, in collection: String
  ) -> DocumentValue {
    guard let old, old[member] == nil, let type = type(ofCollection: collection),
      content[member] == DocumentValue(type)
    else { return content }
    return content.replacing(ByteString(member), with: nil)
  }
}
