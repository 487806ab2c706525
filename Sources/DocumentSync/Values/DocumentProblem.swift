/// Why something can't be a value of a document, a document, or asked of a store.
public enum DocumentProblem: Error, Sendable, Hashable {
  // What is no value.
  /// It isn't JSON (RFC 8259), names a member twice in one object, or nests too deep: why, and at
  /// which byte that was noticed.
  case notJSON(reason: String, offset: Int)
  /// It isn't UTF-8: the place of the first byte that isn't.
  case notText(offset: Int)
  /// The string at this place holds half of a character, as an escape that lacks its other half.
  case halfCharacter(offset: Int)
  /// The number at this place is beyond what a double can tell from infinity.
  case numberTooLarge(String, offset: Int)
  /// Two of the members that were to become an object have this name.
  case memberTwice(String)
  /// What was to be put together nests deeper than 512 levels.
  case tooDeep
  /// A member was to be set in what is no object.
  case notAnObject

  // How a document says its id and its type.
  /// The member of this name says something else than the type.
  case reserved(String)
  /// A type, or a collection, needs a name.
  case noName
  /// The type's documents are kept in another collection already.
  case elsewhere(String, collection: String)
  /// A document is an object, and this is none.
  case notADocument
  /// It has no id: there is no member `id`, or it isn't a text, or an empty one.
  case noID
  /// It doesn't say its type in the member of this name: it isn't there, or isn't a text.
  case noType(member: String)
  /// A document says that it's of this type, which isn't declared.
  case unknownType(String)
  /// It's a line of an export of all accounts, which says whose a document is, and no document.
  case ofAllAccounts

  /// The step of that name can't bring it into its type's form: why.
  case step(String, String)

  // What can't be asked.
  /// It isn't a path such as `a.b[0]."c.d"`.
  case notAPath(String)
  /// What comes behind the path is no operator.
  case notAnOperator(String)
  /// The operator of that name needs a value, and there is none.
  case valueMissing(String)
  /// The operator of that name has no value, and there is one.
  case valueTooMany(String)
  /// The operator of that name needs a value of another type: which one.
  case wrongValue(String, needs: String)
  /// The value can't stand in any document.
  indirect case notAValue(DocumentProblem)
  /// Words are looked for, and no members are declared to be searched by them.
  case noWords
  /// A statement isn't one that reads, or doesn't fit the store: why.
  case statement(String)
}

extension DocumentProblem: CustomStringConvertible {
  /// What is wrong, and where, for a place behind a colon.
  public var description: String {
    switch self {
    case .notJSON(let reason, let offset): "at byte \(offset) stands \(reason)"
    case .notText(let offset): "at byte \(offset) stands what isn't UTF-8"
    case .halfCharacter(let offset):
      "the string at byte \(offset) holds half of a character (a lone surrogate), which is no text"
    case .numberTooLarge(let number, let offset):
      "the number \(Self.shortened(number)) at byte \(offset) is too large; write it as a string"
    case .memberTwice(let name): "the member \(DocumentPath.written(name)) is there twice"
    case .tooDeep: "it nests deeper than \(DocumentValue.deepestNesting) levels"
    case .notAnObject: "only an object has members"
    case .reserved(let name): "the member \(DocumentPath.written(name)) can't say a document's type"
    case .noName: "a type of documents and its collection need names"
    case .elsewhere(let type, let collection):
      "documents of the type \(type) are kept in the collection \(collection) already"
    case .notADocument: "a document is an object"
    case .noID: "a document needs an id, as a text in its member id"
    case .noType(let member):
      "a document needs a type, as a text in its member \(DocumentPath.written(member))"
    case .unknownType(let type): "there is no type \(type)"
    case .ofAllAccounts:
      "it's of an export of all accounts; import what one of them has: its members document"
    case .notAPath(let text):
      #"\#(text) doesn't begin with a path such as a.b[0]."c.d""#
    case .notAnOperator(let text):
      "\(text) is none of = != < <= > >= in like is-null exists"
    case .valueMissing(let name): "\(name) needs a value behind it"
    case .valueTooMany(let name): "\(name) has no value behind it"
    case .wrongValue(let name, let needed): "\(name) needs \(needed) behind it"
    case .notAValue(let problem): "the value can't stand in a document: \(problem)"
    case .step(let name, let why): "the step '\(name)' can't be taken by it: \(why)"
    case .noWords:
      "words are looked for, and no members are searched by them; declare which"
    case .statement(let words): "the statement can't be run: \(words)"
    }
  }

  private static func shortened(_ number: String) -> String {
    number.utf8.count <= 24 ? number : number.prefix(20) + "…"
  }
}
