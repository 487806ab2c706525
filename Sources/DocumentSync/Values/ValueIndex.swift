import SyncText

/// A value with all that is in it, and a number for each part of it: parts of the same index have
/// the same number where they mean the same.
struct IndexedValue {
  let value: DocumentValue
  let identity: Int
  /// The members in their order, if it is an object.
  let members: [Member]?

  struct Member {
    let name: ByteString
    /// The name as it stands in the text, quotes included.
    let writtenName: [UInt8]
    let value: IndexedValue
  }
}

/// Gives numbers to values, so that any two parts of several documents are compared at once.
///
/// To compare texts again at each level of what nests deep would take a time by the square of its
/// depth; here each part is looked at once.
struct ValueIndex {
  private var identities: [Shape: Int] = [:]

  /// What a value is, by the numbers of its parts.
  private enum Shape: Hashable {
    case name([UInt8])
    case string([UInt8])
    /// A canonical text.
    case plain([UInt8])
    case array([Int])
    /// Names and values by turns, sorted by the numbers of the names.
    case object([Int])
  }

  mutating func add(_ value: DocumentValue) -> IndexedValue {
    var tape = JSONTape(nesting: DocumentValue.deepestNesting)
    tape.begin(Array(value.json.written))
    guard let root = try? tape.append(at: 0).root else {
      // It was read before, and is read again in the same way.
      preconditionFailure("a document's value that isn't JSON")
    }
    return add(root, of: tape)
  }

  private mutating func add(_ node: JSONTape.Node, of tape: JSONTape) -> IndexedValue {
    var members: [IndexedValue.Member]?
    let shape: Shape
    switch tape.kind(of: node) {
    case .object:
      let found = addMembers(of: node, of: tape)
      members = found
      shape = .object(parts(of: found))
    case .array: shape = .array(addElements(of: node, of: tape))
    case .string: shape = .string(tape.stringBytes(node) ?? [])
    case .number: shape = .plain(Array((tape.number(node)?.canonicalText ?? "").utf8))
    case .null, .false, .true: shape = .plain(Array(tape.bytes[tape.range(of: node)]))
    }
    return IndexedValue(
      value: DocumentValue(checked: tape.value(node)), identity: identity(shape), members: members)
  }

  private mutating func addMembers(
    of object: JSONTape.Node, of tape: JSONTape
  ) -> [IndexedValue.Member] {
    var members: [IndexedValue.Member] = []
    var name = tape.inside(object)
    while name != tape.end(of: object) {
      let value = tape.after(name)
      members.append(
        IndexedValue.Member(
          name: ByteString(bytes: tape.stringBytes(name) ?? []),
          writtenName: Array(tape.bytes[tape.range(of: name)]), value: add(value, of: tape)))
      name = tape.after(value)
    }
    return members
  }

  private mutating func addElements(of array: JSONTape.Node, of tape: JSONTape) -> [Int] {
    var identities: [Int] = []
    var element = tape.inside(array)
    while element != tape.end(of: array) {
      identities.append(add(element, of: tape).identity)
      element = tape.after(element)
    }
    return identities
  }

  private mutating func parts(of members: [IndexedValue.Member]) -> [Int] {
    var pairs = members.map { (identity(.name($0.name.bytes)), $0.value.identity) }
    pairs.sort { $0.0 < $1.0 }
    return pairs.flatMap { [$0.0, $0.1] }
  }

  private mutating func identity(_ shape: Shape) -> Int {
    if let known = identities[shape] { return known }
    let identity = identities.count
    identities[shape] = identity
    return identity
  }
}

/// The members of an object, found by their names.
struct MemberTable {
  let members: [ObjectMember]
  private let places: [ByteString: Int]

  /// The members of an object; none of anything else.
  init(_ value: DocumentValue?) {
    members = value?.objectMembers ?? []
    places = Dictionary(
      members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: ByteString) -> DocumentValue? {
    places[name].map { members[$0].value }
  }
}
