/// What the notes of keys say: where objects of one key differ, and where they stand.
package struct KeyFindings: Sendable, Equatable {
  /// Two places of the payload, or one twice.
  package struct Pair: Sendable, Hashable, Comparable {
    package let one: Int
    package let other: Int

    package init(_ one: Int, _ other: Int) {
      (self.one, self.other) = one < other ? (one, other) : (other, one)
    }

    package static func < (one: Pair, other: Pair) -> Bool {
      (one.one, one.other) < (other.one, other.other)
    }
  }

  /// A member under which plain values stand beside objects.
  package struct Slot: Sendable, Hashable {
    package var place: Int
    package var member: Int
  }

  /// Keys whose objects aren't all the same; what they differ in takes a closer look.
  package private(set) var doubtful: Set<UInt64> = []
  /// Two places at which objects of one key stand.
  package private(set) var together: Set<Pair> = []
  /// Where two objects of a key, in one body, both have a member, and it differs: an example.
  package private(set) var differing: [Pair: Contradiction] = [:]
  /// The same of two bodies, of which the later one counts.
  package private(set) var differingLater: [Pair: Contradiction] = [:]
  /// Where such a member is the same as long as nested objects count by their keys alone.
  package private(set) var differingWithin: Set<Pair> = []
  /// Where objects of one key, or plain values that name it, stand in arrays of several objects.
  package private(set) var several: Set<Pair> = []
  /// Where such stand in arrays more than once, be it in those of one object.
  package private(set) var repeated: Set<Pair> = []
  /// For plain values, by the members under which they stand: the places where the object stands
  /// whose key that is, once for each such set of places.
  package private(set) var named: [Slot: Set<[Int]>] = [:]

  /// Takes all notes.
  ///
  /// - Parameters:
  ///   - groups: For each place, a number that all places share whose objects may be rows of one
  ///     table with its own; where there is none, those of all places may.
  ///   - example: What is to be said of a key and of a member, by their digests.
  package mutating func add(
    _ ledger: KeyLedger, groups: [Int] = [],
    example: (_ key: UInt64, _ member: UInt64) -> Contradiction
  ) throws {
    try ledger.forEachKey { notes in
      guard !Self.areApart(notes, groups) else { return }
      let members = notes.firstIndex { $0.kind != .object } ?? notes.endIndex
      let names = notes.firstIndex { $0.kind == .name } ?? notes.endIndex
      addObjects(notes[..<members], groups)
      addParents(notes[..<members] + notes[names...], groups)
      addMembers(notes[members..<names], example)
      addNames(notes[names...], beside: notes[..<members])
    }
  }

  /// Whether notes are of objects of which no two may be rows of one table, as those of most keys.
  private static func areApart(_ notes: ArraySlice<KeyNote>, _ groups: [Int]) -> Bool {
    guard notes.count == 1 || notes.count < 8 && !groups.isEmpty else { return false }
    return notes.indices.allSatisfy { one in
      notes[one].kind == .object
        && notes[(one + 1)...].allSatisfy {
          groups[Int($0.place)] != groups[Int(notes[one].place)]
        }
    }
  }

  private mutating func addObjects(_ notes: ArraySlice<KeyNote>, _ groups: [Int]) {
    guard let key = notes.first?.key, notes.count > 1 else { return }
    var places: [(group: Int, note: KeyNote)] = []
    for note in notes {
      let place = Int(note.place)
      let group = groups.isEmpty ? 0 : groups[place]
      let isNew = places.last?.note.place != note.place
      for other in places where other.group == group {
        if note.byContent != other.note.byContent { doubtful.insert(key) }
        if isNew { together.insert(Pair(place, Int(other.note.place))) }
      }
      if isNew { places.append((group, note)) }
    }
  }

  /// Finds whether what has a key stands in several arrays, as an object or by its key alone.
  private mutating func addParents(_ notes: ArraySlice<KeyNote>, _ groups: [Int]) {
    var places: [(place: Int, parent: UInt64, count: Int, isSeveral: Bool)] = []
    for note in notes where note.parent != 0 {
      let place = Int(note.kind == .name ? note.inner : note.place)
      if let known = places.firstIndex(where: { $0.place == place }) {
        places[known].count += 1
        if places[known].parent != note.parent { places[known].isSeveral = true }
      } else {
        places.append((place, note.parent, 1, false))
      }
    }
    for (number, one) in places.enumerated() {
      if one.count > 1 { repeated.insert(Pair(one.place, one.place)) }
      if one.isSeveral { several.insert(Pair(one.place, one.place)) }
      for other in places[(number + 1)...]
      where groups.isEmpty || groups[one.place] == groups[other.place] {
        repeated.insert(Pair(one.place, other.place))
        if one.isSeveral || other.isSeveral || one.parent != other.parent {
          several.insert(Pair(one.place, other.place))
        }
      }
    }
  }

  private mutating func addMembers(
    _ notes: ArraySlice<KeyNote>, _ example: (UInt64, UInt64) -> Contradiction
  ) {
    var rest = notes
    while let first = rest.first {
      let said = rest.prefix { $0.member == first.member }
      rest = rest.dropFirst(said.count)
      guard said.contains(where: { $0.byContent != first.byContent }) else { continue }
      let example = example(first.key, first.member)
      let pairs = Self.pairs(differingIn: \.byKey, said)
      for pair in pairs { Self.keep(example, in: &differingLater, for: pair) }
      differingWithin.formUnion(
        Set(Self.pairs(differingIn: \.byContent, said)).subtracting(pairs))
      for body in Dictionary(grouping: said, by: \.body).values {
        for pair in Self.pairs(differingIn: \.byKey, body[...]) {
          Self.keep(example, in: &differing, for: pair)
        }
      }
    }
  }

  /// The places of which one, or two together, say several things of a member.
  private static func pairs(
    differingIn digest: KeyPath<KeyNote, UInt64>, _ notes: ArraySlice<KeyNote>
  ) -> [Pair] {
    var said: [Int: Set<UInt64>] = [:]
    for note in notes { said[Int(note.place), default: []].insert(note[keyPath: digest]) }
    return said.flatMap { one, own in
      said.filter { one <= $0.key && own.union($0.value).count > 1 }.map { Pair(one, $0.key) }
    }
  }

  /// Of several examples, the one that came first in the payload.
  private static func keep(
    _ example: Contradiction, in examples: inout [Pair: Contradiction], for pair: Pair
  ) {
    if let known = examples[pair], known.rank <= example.rank { return }
    examples[pair] = example
  }

  private mutating func addNames(
    _ notes: ArraySlice<KeyNote>, beside objects: ArraySlice<KeyNote>
  ) {
    guard !notes.isEmpty else { return }
    let places = Set(objects.map { Int($0.place) }).sorted()
    for note in notes {
      named[Slot(place: Int(note.place), member: Int(note.member)), default: []].insert(places)
    }
  }
}

/// Two objects of one key that differ.
package struct Contradiction: Sendable, Hashable {
  /// The key as it was written; `nil` where that isn't known.
  package var key: String?
  package var member: String?
  /// Its place among all examples.
  var rank = Int.max
}
