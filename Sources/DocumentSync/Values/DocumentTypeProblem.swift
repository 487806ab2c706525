/// What is wrong with a type of documents, or with how a document says its id and type.
public enum DocumentTypeProblem: Error, Sendable, Hashable {
  /// The member of this name says something else than the type.
  case reserved(String)
  /// A type, or a collection, needs a name.
  case noName
  /// The type's documents are kept in another collection already.
  case elsewhere(String, collection: String)
  /// It isn't an object.
  case notAnObject
  /// It has no id: there is no member `id`, or it isn't a text, or an empty one.
  case noID
  /// It doesn't say its type in the member of this name: it isn't there, or isn't a text.
  case noType(member: String)
  /// A document says that it's of this type, which isn't declared.
  case unknown(String)
}

extension DocumentTypeProblem: CustomStringConvertible {
  /// What is wrong, for a place behind a colon.
  public var description: String {
    switch self {
    case .reserved(let name): "the member \(MemberPath(name)) can't say a document's type"
    case .noName: "a type of documents and its collection need names"
    case .elsewhere(let type, let collection):
      "documents of the type \(type) are kept in the collection \(collection) already"
    case .notAnObject: "a document is an object"
    case .noID: "a document needs an id, as a text in its member id"
    case .noType(let member):
      "a document needs a type, as a text in its member \(MemberPath(member))"
    case .unknown(let type): "there is no type \(type)"
    }
  }
}
