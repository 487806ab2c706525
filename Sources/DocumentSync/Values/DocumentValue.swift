package import SyncText

/// A value of JSON (RFC 8259) as a document holds it, kept as it was written.
///
/// Two values are equal when they mean the same: the order of members, blanks, and the way in which
/// numbers and strings are written don't count (`1`, `1.0` and `1e0` are equal). Text is compared
/// by its bytes.
///
/// What a document can't hold is refused when it is made: a member name that stands twice in one
/// object, text that isn't Unicode, numbers that are beyond the finite doubles, and nesting deeper
/// than ``deepestNesting``. So whatever is one of these can be written, sent and read again.
public struct DocumentValue: Sendable {
  /// The value where it stands in the text that it was read from.
  package let json: JSONValue

  /// How many objects and arrays may stand inside each other.
  public static let deepestNesting = 512

  /// A value whose text is known to hold nothing that a document can't.
  init(checked json: JSONValue) {
    self.json = json
  }

  /// Reads exactly one value, which may have blanks around it.
  public init(parsing text: String) throws(DocumentProblem) {
    try self.init(bytes: Array(text.utf8))
  }

  /// Reads exactly one value from what should be UTF-8.
  package init(bytes: [UInt8]) throws(DocumentProblem) {
    json = try DocumentReader.read(bytes)
  }

  /// The value as it was written.
  public var text: String { json.text }
}

extension DocumentValue: Hashable {
  /// Whether both mean the same. It costs a look at both texts when they are written alike.
  public static func == (one: DocumentValue, other: DocumentValue) -> Bool {
    if one.json.written == other.json.written { return true }
    guard one.isObject || one.json.isArray else { return one.json.means(theSameAs: other.json) }
    guard one.isObject == other.isObject, one.json.isArray == other.json.isArray else {
      return false
    }
    if let areSame = OrderedComparison.areSame(one, other) { return areSame }
    var index = ValueIndex()
    return index.add(one).identity == index.add(other).identity
  }

  /// By what it means.
  public func hash(into hasher: inout Hasher) {
    json.canonicalBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension DocumentValue: CustomStringConvertible {
  /// The value as it was written.
  public var description: String { text }
}
