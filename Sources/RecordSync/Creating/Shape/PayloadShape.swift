package import SyncText

/// What all of a payload looks like: names, the values under them, what hangs on what. A value,
/// made window by window; it holds no more of a payload than its names and digests of keys.
package struct PayloadShape: Sendable, Equatable {
  /// The objects at each place of the payload; those of the payload itself first.
  package private(set) var objects = [ObjectShape()]
  /// How many elements there are.
  package private(set) var elements = 0
  /// The names of keys, in one form for all spellings, the likeliest first.
  let keyNames: [[UInt8]]
  private let spelling: Spelling
  /// Members of objects that are being read.
  private var open: [(member: Int, value: JSONTape.Node)] = []

  /// So many places are told apart at most; what stands deeper is taken as it is.
  static let mostPlaces = 10_000

  /// - Parameters:
  ///   - keyNames: Names that may be those of keys, the likeliest first.
  package init(keyNames: [String], _ spelling: Spelling) {
    self.spelling = spelling
    self.keyNames = keyNames.map { spelling.canonical(Array($0.utf8)) }
  }

  package static func == (one: PayloadShape, other: PayloadShape) -> Bool {
    one.objects == other.objects && one.elements == other.elements
      && one.keyNames == other.keyNames
  }

  /// Takes an element of the payload. One that is no object will be skipped, and tells nothing.
  package mutating func add(_ element: JSONTape.Node, in tape: borrowing JSONTape) {
    elements += 1
    guard tape.kind(of: element) == .object else { return }
    _ = read(element, in: tape, at: 0, under: nil)
  }

  /// - Returns: The object's key.
  private mutating func read(
    _ object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int,
    under parent: JSONTape.Node?
  ) -> JSONTape.Node? {
    objects[place].count += 1
    guard !objects[place].isKeyless else { return nil }
    let start = open.count
    defer { open.removeSubrange(start...) }
    let key = readNames(of: object, in: tape, at: place)
    guard key != nil || place == 0 else {
      objects[place].isKeyless = true
      (objects[place].members, objects[place].places) = ([], [:])
      objects[place].pairs = []
      return nil
    }
    if let key { objects[place].keys.add(tape.digest(ofKey: key)) }
    if let parent { noteParent(parent, in: tape, at: place, from: start) }
    var number = start
    while number < open.count {
      let (member, value) = open[number]
      number += 1
      switch tape.kind(of: value) {
      case .object:
        let inner = readOne(value, in: tape, member, at: place)
        noteKeyBeside(inner, member, in: tape, at: place, from: start)
      case .array: readMany(value, in: tape, member, at: place, key)
      case .number, .string:
        if objects[place].members[member].mayNameKeys {
          objects[place].members[member].keysNamed.add(tape.digest(ofKey: value))
        }
      case .null, .false, .true: break
      }
    }
    return key
  }

  /// Notes all members; gives the value of the one that is the likeliest key.
  private mutating func readNames(
    of object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int
  ) -> JSONTape.Node? {
    var key: (rank: Int, value: JSONTape.Node)?
    let end = tape.end(of: object)
    var (name, number) = (tape.inside(object), 0)
    while name != end {
      let value = tape.after(name)
      if let member = self.member(name, number, in: tape, at: place) {
        objects[place].members[member].facts.add(value, in: tape)
        open.append((member, value))
        if let rank = objects[place].members[member].keyRank, rank < key?.rank ?? .max,
          tape.isScalar(value)
        {
          key = (rank, value)
        }
      }
      name = tape.after(value)
      number += 1
    }
    return key?.value
  }

  /// The member of that name, which mostly stands at the same place as in the last object.
  private mutating func member(
    _ name: JSONTape.Node, _ number: Int, in tape: borrowing JSONTape, at place: Int
  ) -> Int? {
    if number < objects[place].members.count,
      tape.isString(name, objects[place].members[number].name)
    {
      return number
    }
    let bytes = tape.stringBytes(name) ?? []
    if let member = objects[place].places[bytes] { return member }
    let next = objects[place].members.count
    guard next < ObjectShape.mostNames else {
      objects[place].hasTooManyNames = true
      return nil
    }
    let canonical = spelling.canonical(bytes)
    let member = MemberShape(
      name: bytes, canonical: canonical, keyRank: keyNames.firstIndex(of: canonical))
    for (other, known) in objects[place].members.enumerated() {
      if known.canonical + Array("_id".utf8) == canonical {
        objects[place].pairs.append(.init(object: other, key: next))
      } else if canonical + Array("_id".utf8) == known.canonical {
        objects[place].pairs.append(.init(object: next, key: other))
      }
    }
    objects[place].places[bytes] = next
    objects[place].members.append(member)
    return next
  }

  private mutating func readOne(
    _ value: JSONTape.Node, in tape: borrowing JSONTape, _ member: Int, at place: Int
  ) -> JSONTape.Node? {
    guard let inner = objects[place].members[member].object ?? newPlace() else { return nil }
    objects[place].members[member].object = inner
    return read(value, in: tape, at: inner, under: nil)
  }

  private mutating func readMany(
    _ array: JSONTape.Node, in tape: borrowing JSONTape, _ member: Int, at place: Int,
    _ key: JSONTape.Node?
  ) {
    let end = tape.end(of: array)
    var element = tape.inside(array)
    while element != end {
      if tape.kind(of: element) == .object {
        guard let inner = objects[place].members[member].elements ?? newPlace() else { return }
        objects[place].members[member].elements = inner
        if let child = read(element, in: tape, at: inner, under: key), let key {
          objects[place].members[member].parents.add(
            tape.digest(ofKey: child), under: tape.digest(ofKey: key))
        }
      } else if tape.mayBeKey(element) {
        let digest = tape.digest(ofKey: element)
        objects[place].members[member].plainElements += 1
        objects[place].members[member].keysNamed.add(digest)
        if let key {
          objects[place].members[member].parents.add(digest, under: tape.digest(ofKey: key))
        }
      } else {
        objects[place].members[member].oddElements += 1
      }
      element = tape.after(element)
    }
  }

  private mutating func newPlace() -> Int? {
    guard objects.count < Self.mostPlaces else { return nil }
    objects.append(ObjectShape())
    return objects.count - 1
  }

  /// Notes where the key of a nested object stands beside it, too.
  private mutating func noteKeyBeside(
    _ key: JSONTape.Node?, _ member: Int, in tape: borrowing JSONTape, at place: Int,
    from start: Int
  ) {
    guard let key, !objects[place].pairs.isEmpty else { return }
    for pair in objects[place].pairs where pair.object == member {
      if let beside = open[start...].first(where: { $0.member == pair.key })?.value,
        tape.isSameKey(key, beside)
      {
        objects[place].members[member].keysBeside += 1
      }
    }
  }

  /// Notes where an object in an array names the one whose array it is.
  private mutating func noteParent(
    _ parent: JSONTape.Node, in tape: borrowing JSONTape, at place: Int, from start: Int
  ) {
    for (member, value) in open[start...]
    where objects[place].members[member].isReference && tape.isSameKey(parent, value) {
      objects[place].members[member].keysOfParent += 1
    }
  }
}

extension JSONTape {
  /// Whether a value can be a key.
  fileprivate func isScalar(_ node: Node) -> Bool {
    switch kind(of: node) {
    case .null, .object, .array: false
    case .true, .false, .number, .string: true
    }
  }

  /// Whether an element is a text or an integer.
  fileprivate func mayBeKey(_ node: Node) -> Bool {
    kind(of: node) == .string || integer(node) != nil
  }

  /// A key's text: `7` for `"7"`, too, which names the same row.
  private func withKeyText<Result>(
    _ node: Node, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard kind(of: node) == .string else {
      return bytes.withUnsafeBytes { body(.init(rebasing: $0[range(of: node)])) }
    }
    return (stringBytes(node) ?? []).withUnsafeBytes(body)
  }

  fileprivate func isSameKey(_ one: Node, _ other: Node) -> Bool {
    guard isScalar(other) else { return false }
    return withKeyText(one) { one in
      withKeyText(other) { one.elementsEqual($0) }
    }
  }

  fileprivate func digest(ofKey node: Node) -> UInt64 {
    withKeyText(node) { text in
      var hasher = Hasher()
      hasher.combine(bytes: text)
      return UInt64(bitPattern: Int64(hasher.finalize()))
    }
  }
}
