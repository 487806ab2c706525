package import SyncText

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
  public init(_ integer: Int) {
    self.init(Int64(integer))
  }

  /// An integer, exactly.
  public init(_ integer: Int64) {
    self.init(written: JSONWriter.value(integer))
  }

  /// An integer, exactly.
  public init(_ integer: UInt64) {
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
