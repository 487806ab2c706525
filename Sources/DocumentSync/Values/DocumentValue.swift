private import SyncEssentials
package import SyncText

/// A value of JSON (RFC 8259) as a document holds it, kept as it was written.
///
/// Two values are equal when they mean the same: the order of members, blanks, and the way in which
/// numbers and strings are written don't count (`1`, `1.0` and `1e0` are equal). Text is compared
/// by its bytes.
///
/// What a document can't hold is refused when it is made: a member name that stands twice in one
/// object, text that isn't Unicode, numbers that are beyond the finite doubles, and nesting deeper
/// than 512 levels. So whatever is one of these can be written, sent and read again.
public struct DocumentValue: Sendable {
  /// The value where it stands in the text that it was read from.
  package let json: JSONValue

  /// How many objects and arrays may stand inside each other.
  package static let deepestNesting = 512

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

extension DocumentValue {
  /// The null.
  public static let null = DocumentValue(written: Array("null".utf8))

  /// A truth value.
  public init(_ bool: Bool) {
    self.init(written: JSONWriter.value(bool))
  }

  /// A string.
  public init(_ text: String) {
    self.init(written: JSONWriter.value(text))
  }

  /// An integer, exactly.
  public init(_ integer: some BinaryInteger) {
    self.init(written: Array(String(integer).utf8))
  }

  /// A number, as the shortest decimal that reads back as this one; `nil` for infinity and what is
  /// no number, which JSON can't say.
  public init?(_ double: Double) {
    guard let number = JSONNumber(double) else { return nil }
    self.init(written: JSONWriter.value(number))
  }

  /// An array.
  /// - Throws: ``DocumentProblem/tooDeep``.
  public init(elements: [DocumentValue]) throws(DocumentProblem) {
    try Self.checkNesting(of: elements)
    self.init(joining: elements)
  }

  /// An object of these members, in their order.
  /// - Throws: ``DocumentProblem/memberTwice(_:)`` and ``DocumentProblem/tooDeep``.
  public init(members: [(String, DocumentValue)]) throws(DocumentProblem) {
    var names: Set<ByteString> = []
    for (name, _) in members {
      guard names.insert(ByteString(name)).inserted else { throw .memberTwice(name) }
    }
    try Self.checkNesting(of: members.map(\.1))
    self.init(joining: members.map { ObjectMember(name: ByteString($0), value: $1) })
  }

  /// The object with another value of one member; the others stay as they are written, in their
  /// order. A member that wasn't there comes last.
  /// - Parameters:
  ///   - name: the member's name.
  ///   - value: its value; `nil` takes the member out.
  /// - Throws: ``DocumentProblem/notAnObject`` and ``DocumentProblem/tooDeep``.
  public func setting(
    _ name: String, to value: DocumentValue?
  ) throws(DocumentProblem) -> DocumentValue {
    guard isObject else { throw .notAnObject }
    if let value { try Self.checkNesting(of: [value]) }
    return replacing(ByteString(name), with: value)
  }

  /// As ``setting(_:to:)``, for a value that is known to fit. What is no object stays as it is.
  package func replacing(_ name: ByteString, with value: DocumentValue?) -> DocumentValue {
    guard isObject else { return self }
    var members = objectMembers
    switch (members.firstIndex { $0.name == name }, value) {
    case (let place?, let value?): members[place].value = value
    case (let place?, nil): members.remove(at: place)
    case (nil, let value?): members.append(ObjectMember(name: name, value: value))
    case (nil, nil): return self
    }
    return DocumentValue(joining: members)
  }

  private static func checkNesting(of inside: [DocumentValue]) throws(DocumentProblem) {
    guard inside.allSatisfy({ $0.depth < deepestNesting }) else { throw .tooDeep }
  }
}

extension DocumentValue {
  /// The object with another value at a path; the others stay as they are written. Objects on the
  /// way that aren't there are made, and what is no object gives way to one.
  /// - Parameter value: `nil` takes the member out, if it's there.
  /// - Throws: ``DocumentProblem/notAnObject`` and ``DocumentProblem/tooDeep``.
  package func setting(
    _ path: DocumentPath, to value: DocumentValue?
  ) throws(DocumentProblem) -> DocumentValue {
    guard let name = path.names.first else {
      guard let value else { throw .notAnObject }
      return value
    }
    guard path.names.count > 1 else { return try setting(name, to: value) }
    let below = DocumentPath(names: Array(path.names.dropFirst()))
    let inside = self[name].flatMap { $0.isObject ? $0 : nil }
    if value == nil, inside == nil { return self }
    return try setting(name, to: try (inside ?? [:]).setting(below, to: value))
  }

  /// The place at which ``setting(_:to:)-(DocumentPath,_)`` puts another value in the place of one:
  /// that of the member, or of what is no object on the way to it; `nil` if nothing is there.
  package func taken(at path: DocumentPath) -> DocumentPath? {
    var (value, way) = (self, DocumentPath.whole)
    for name in path.names {
      guard value.isObject else { return way }
      guard let next = value[name] else { return nil }
      (value, way) = (next, way.appending(name))
    }
    return way
  }
}

extension DocumentValue {
  /// What a program's own value is encoded as. Integers of 64 bits are exact; dates are written as
  /// in RFC 3339, in UTC, with milliseconds; an optional that is `nil` is no member.
  public static func encode(_ value: some Encodable) throws -> DocumentValue {
    let encoder = JSONEncoder()
    // Else the order would be another one each time.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .timestamps
    return try DocumentValue(bytes: Array(try encoder.encode(value)))
  }

  /// The value as one of a program's own type. Members that the type doesn't know are passed over.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .timestamps
    return try decoder.decode(type, from: Data(json.written))
  }
}

/// The names of members that are nobody's own.
enum MemberNames {
  /// When each member was changed last.
  static let times = "_times"
}
