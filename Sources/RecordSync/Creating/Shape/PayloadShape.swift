package import SyncText

/// What all of a payload looks like: names, the values under them, what hangs on what. A value,
/// made window by window; it holds no more of a payload than its names and digests of keys.
package struct PayloadShape: Sendable, Equatable {
  /// The objects at each place of the payload; those of the payload itself first.
  package private(set) var objects = [ObjectShape()]
  package private(set) var elements = 0
  /// How many bodies came before the one that is being read.
  private var body = 0
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

  /// Begins with the next body of several that were fetched one after the other.
  package mutating func beginBody() { body += 1 }

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
      let digest: UInt64
      switch tape.kind(of: value) {
      case .object:
        let inner = readOne(value, in: tape, member, at: place)
        noteKeyBeside(inner, member, in: tape, at: place, from: start)
        digest = inner.map { tape.digest(ofKey: $0) } ?? tape.digest(of: value)
      case .array: digest = readMany(value, in: tape, member, at: place, key)
      case .number, .string:
        if objects[place].members[member].mayNameKeys {
          objects[place].members[member].keysNamed.add(tape.digest(ofKey: value))
        }
        digest = tape.digest(of: value)
      case .null, .false, .true: digest = tape.digest(of: value)
      }
      if let key, key != value { note(digest, of: member, key, in: tape, at: place) }
    }
    return key
  }

  /// Notes what an object of a key says of a member.
  private mutating func note(
    _ digest: UInt64, of member: Int, _ key: JSONTape.Node, in tape: borrowing JSONTape,
    at place: Int
  ) {
    let isContradiction = objects[place].values.add(
      digest, of: objects[place].members[member].digest, ofKey: tape.digest(ofKey: key),
      inBody: body)
    guard isContradiction, objects[place].values.contradiction == nil else { return }
    objects[place].values.contradiction = Contradiction(
      key: tape.excerpt(key), member: ByteString.escape(objects[place].members[member].name))
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
  ) -> UInt64 {
    let end = tape.end(of: array)
    var element = tape.inside(array)
    var digest: UInt64 = 1
    while element != end {
      var named: JSONTape.Node?
      if tape.kind(of: element) == .object {
        guard let inner = objects[place].members[member].elements ?? newPlace() else {
          return tape.digest(of: array)
        }
        objects[place].members[member].elements = inner
        named = read(element, in: tape, at: inner, under: key)
        if let child = named, let key {
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
      let own = named.map { tape.digest(ofKey: $0) } ?? tape.digest(of: element)
      digest = JSONTape.digest(digest, own)
      element = tape.after(element)
    }
    return digest
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
