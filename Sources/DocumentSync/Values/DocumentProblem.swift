/// Why something can't be a value of a document.
public enum DocumentProblem: Error, Sendable, Hashable {
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
  /// What was to be put together nests deeper than ``DocumentValue/deepestNesting``.
  case tooDeep
  /// A member was to be set in what is no object.
  case notAnObject
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
    case .memberTwice(let name): "the member \(MemberPath(name)) is there twice"
    case .tooDeep: "it nests deeper than \(DocumentValue.deepestNesting) levels"
    case .notAnObject: "only an object has members"
    }
  }

  private static func shortened(_ number: String) -> String {
    number.utf8.count <= 24 ? number : number.prefix(20) + "…"
  }
}
