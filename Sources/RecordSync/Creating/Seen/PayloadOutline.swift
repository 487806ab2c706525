import SyncText

/// The places of a payload where objects stand, with what was seen of the names at each. A value,
/// made window by window; of the values it holds digests of objects with keys.
struct PayloadOutline {
  /// The places; first that of the payload's own elements.
  var places: [OutlinePlace]
  /// What was seen of the names at all places.
  var members: [SeenMember] = []
  private(set) var elements = 0
  let ledger = KeyLedger()
  let names: KeyNames
  /// What is looked at more closely; `nil` at first.
  let question: Question?
  var examples: [UInt64: (text: String, rank: Int)] = [:]
  var body: UInt32 = 0
  /// Members of objects that are being read, and whether they are the key or a part of it.
  var open: [(member: Int, value: JSONTape.Node, isKey: Bool)] = []

  /// So many places are told apart at most; what stands deeper is taken as it is.
  static let mostPlaces = 10_000
  /// So many contradicting keys can be named at most.
  static let mostExamples = 1_000

  /// What one look left open.
  struct Question {
    /// Keys of objects that aren't the same everywhere.
    var keys: Set<UInt64>
    /// Members under which plain values stand beside objects, with the places of these and how
    /// their keys are told apart.
    var slots: [Int: (place: Int, identity: KeyIdentity?)] = [:]
  }

  /// - Parameter question: What an earlier look at the same payload left open, which alone is noted
  ///   then.
  init(_ names: KeyNames, question: Question? = nil) {
    (self.names, self.question, places) = (names, question, [OutlinePlace(names.top)])
  }

  /// The members of the objects at a place.
  func members(at place: Int) -> [SeenMember] { places[place].members.map { members[$0] } }

  /// Begins with the next body of several that were fetched one after the other.
  mutating func beginBody() { body += 1 }

  /// Takes an element of the payload. One that is no object will be skipped, and tells nothing.
  mutating func add(_ element: JSONTape.Node, in tape: borrowing JSONTape) throws {
    elements += 1
    guard tape.kind(of: element) == .object else { return }
    _ = try read(element, in: tape, at: 0, in: nil, isElement: true)
  }

  /// What takes a closer look; `nil` where nothing does.
  func question(_ findings: KeyFindings) -> Question? {
    var question = Question(keys: findings.doubtful)
    for (number, member) in members.enumerated() where member.mayNameKeys {
      guard let inner = member.inner, member.scalars + member.plainElements > 0 else { continue }
      question.slots[number] = (inner, places[inner].rule.identity)
    }
    return question.slots.isEmpty && question.keys.isEmpty ? nil : question
  }

  /// What is to be said of a key and of a member, by their digests.
  func example(key: UInt64, member: UInt64) -> Contradiction {
    let (example, member) = (examples[key], members.first { $0.digest == member })
    return Contradiction(
      key: example?.text, member: member.map { ByteString.escape($0.name) },
      rank: example?.rank ?? .max)
  }

  // MARK: - Reading

  /// An object with a key, in which others stand.
  struct Parent {
    var key: UInt64
    var place: Int
  }

  /// What a value is to the one in which it stands.
  struct Value {
    var key: UInt64?
    var byKey: UInt64
    var byContent: UInt64

    init(_ digest: UInt64) { (byKey, byContent) = (digest, digest) }

    /// Takes a member, whose place doesn't count.
    mutating func add(_ name: UInt64, _ value: Value) {
      let digest = JSONTape.digest(name, value.byKey)
      byKey &+= digest
      byContent &+=
        value.byKey == value.byContent ? digest : JSONTape.digest(name, value.byContent)
    }

    /// Takes the next element.
    mutating func append(_ value: Value) {
      let isOne = byKey == byContent && value.byKey == value.byContent
      byKey = JSONTape.digest(byKey, value.byKey)
      byContent = isOne ? byKey : JSONTape.digest(byContent, value.byContent)
    }
  }

  /// - Parameter parent: The nearest object in which it stands that has a key, and may be its row.
  private mutating func read(
    _ object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int, in parent: Parent?,
    isElement: Bool
  ) throws -> Value {
    places[place].count += 1
    let start = open.count
    defer { open.removeLast(open.count - start) }
    var value = Value(8)
    readNames(of: object, in: tape, at: place, &value)
    let key = key(of: object, in: tape, at: place, from: start)
    let inner = key.map { Parent(key: $0, place: place) } ?? parent
    var number = start
    while number < open.count {
      let (member, node, isKey) = open[number]
      number += 1
      if isElement, let parent { noteParent(parent, node, in: tape, member) }
      guard !isKey else {
        try noteName(node, in: tape, member, under: nil)
        continue
      }
      let read = try read(node, in: tape, member, of: inner, from: start)
      value.add(members[member].digest, read)
      try noteMember(member, read, of: key, at: place)
    }
    guard let key else { return value }
    if question == nil || question?.slots.isEmpty == false {
      try ledger.add(
        KeyNote(
          kind: .object, key: key, byKey: value.byKey, byContent: value.byContent,
          parent: isElement ? parent?.key ?? 0 : 0, place: UInt32(place), body: body))
    }
    value.key = key
    value.byKey = JSONTape.digest(9, key)
    value.byContent = JSONTape.digest(value.byContent, key)
    return value
  }

  private mutating func read(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, _ member: Int, of parent: Parent?,
    from start: Int
  ) throws -> Value {
    switch tape.kind(of: node) {
    case .object:
      guard let inner = place(under: member, isMany: false) else { break }
      let value = try read(node, in: tape, at: inner, in: parent, isElement: false)
      if let key = value.key { noteKeyBeside(key, member, in: tape, at: inner, from: start) }
      return value
    case .array: return try readMany(node, in: tape, member, parent)
    case .number, .string: try noteName(node, in: tape, member, under: nil)
    case .null, .false, .true: break
    }
    return Value(tape.digest(of: node))
  }

  private mutating func readMany(
    _ array: JSONTape.Node, in tape: borrowing JSONTape, _ member: Int, _ parent: Parent?
  ) throws -> Value {
    let end = tape.end(of: array)
    var element = tape.inside(array)
    var digest = Value(1)
    var keys: [UInt64] = []
    while element != end {
      if tape.kind(of: element) == .object, let inner = place(under: member, isMany: true) {
        let value = try read(element, in: tape, at: inner, in: parent, isElement: true)
        if let key = value.key { keys.append(key) }
        digest.append(value)
      } else {
        digest.append(Value(tape.digest(of: element)))
        if tape.mayBeKey(element) {
          members[member].plainElements += 1
          let identity = members[member].elements.flatMap { places[$0].rule.identity }
          keys.append(tape.digest(ofKey: element, as: identity))
          try noteName(element, in: tape, member, under: parent?.key)
        } else {
          members[member].oddElements += 1
        }
      }
      element = tape.after(element)
    }
    if keys.count > 1, !members[member].hasTwins {
      members[member].hasTwins = Set(keys).count < keys.count
    }
    return digest
  }
}
