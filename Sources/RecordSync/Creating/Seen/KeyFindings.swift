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

  package init() {}

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
      if notes.count == 1, notes.first?.kind == .object { return }
      let members = notes.firstIndex { $0.kind != .object } ?? notes.endIndex
      let names = notes.firstIndex { $0.kind == .name } ?? notes.endIndex
      addObjects(notes[..<members], groups)
      addParents(notes[..<members], notes[names...])
      addMembers(notes[members..<names], example)
      addNames(notes[names...], beside: notes[..<members])
    }
  }

  private mutating func addObjects(_ notes: ArraySlice<KeyNote>, _ groups: [Int]) {
    guard let key = notes.first?.key, notes.count > 1 else { return }
    var first: [(group: Int, note: KeyNote)] = []
    var places: [(group: Int, place: Int)] = []
    for note in notes {
      let place = Int(note.place)
      let group = groups.isEmpty ? 0 : groups[place]
      if !places.contains(where: { $0.place == place }) {
        for other in places where other.group == group {
          together.insert(Pair(place, other.place))
        }
        places.append((group, place))
      }
      if let known = first.first(where: { $0.group == group })?.note {
        if note.byContent != known.byContent { doubtful.insert(key) }
      } else {
        first.append((group, note))
      }
    }
  }

  /// Finds whether what has a key stands in several arrays, as an object or by its key alone.
  private mutating func addParents(
    _ objects: ArraySlice<KeyNote>, _ names: ArraySlice<KeyNote>
  ) {
    guard objects.count + names.count > 1 else { return }
    var all = objects.filter { $0.parent != 0 }.map { (place: Int($0.place), parent: $0.parent) }
    if !names.isEmpty {
      all += names.filter { $0.parent != 0 }.map { (Int($0.inner), $0.parent) }
      all.sort { $0.place < $1.place }
    }
    // A parent of each place, and whether there is another.
    var hanging: [(place: Int, parent: UInt64, isSeveral: Bool)] = []
    for (place, parent) in all {
      if let last = hanging.last, last.place == place {
        repeated.insert(Pair(place, place))
        if last.parent != parent { hanging[hanging.count - 1].isSeveral = true }
      } else {
        hanging.append((place, parent, false))
      }
    }
    for (number, one) in hanging.enumerated() {
      if one.isSeveral { several.insert(Pair(one.place, one.place)) }
      for other in hanging.dropFirst(number + 1) {
        let pair = Pair(one.place, other.place)
        repeated.insert(pair)
        if one.isSeveral || other.isSeveral || one.parent != other.parent { several.insert(pair) }
      }
    }
  }

  /// What one place says of a member of a key, in one body or in all of them.
  private struct Said {
    var place: Int
    var body: UInt32
    var byKey: UInt64
    var byContent: UInt64
    var isVaried = false
    var isVariedWithin = false

    init(_ note: KeyNote) {
      place = Int(note.place)
      (body, byKey, byContent) = (note.body, note.byKey, note.byContent)
    }

    mutating func add(_ note: KeyNote) {
      if note.byKey != byKey { isVaried = true }
      if note.byContent != byContent { isVariedWithin = true }
    }

    func differs(from other: Said) -> Bool {
      byKey != other.byKey || isVaried || other.isVaried
    }

    func differsWithin(from other: Said) -> Bool {
      byContent != other.byContent || isVariedWithin || other.isVariedWithin
    }
  }

  private mutating func addMembers(
    _ notes: ArraySlice<KeyNote>, _ example: (UInt64, UInt64) -> Contradiction
  ) {
    var start = notes.startIndex
    while start < notes.endIndex {
      let member = notes[start].member
      let end = notes[start...].firstIndex { $0.member != member } ?? notes.endIndex
      let contradiction = example(notes[start].key, member)
      compare(notes[start..<end], contradiction)
      start = end
    }
  }

  private mutating func compare(_ notes: ArraySlice<KeyNote>, _ contradiction: Contradiction) {
    var (places, bodies): ([Said], [Said]) = ([], [])
    for note in notes {
      if places.last?.place == Int(note.place) {
        places[places.count - 1].add(note)
      } else {
        places.append(Said(note))
      }
      if bodies.last?.place == Int(note.place), bodies.last?.body == note.body {
        bodies[bodies.count - 1].add(note)
      } else {
        bodies.append(Said(note))
      }
    }
    for (number, one) in places.enumerated() {
      for other in places[number...] {
        let pair = Pair(one.place, other.place)
        if one.differs(from: other) {
          Self.keep(contradiction, in: &differingLater, for: pair)
        } else if one.differsWithin(from: other) {
          differingWithin.insert(pair)
        }
      }
    }
    for said in Dictionary(grouping: bodies, by: \.body).values {
      for (number, one) in said.enumerated() {
        for other in said[number...] where one.differs(from: other) {
          Self.keep(contradiction, in: &differing, for: Pair(one.place, other.place))
        }
      }
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
package struct Contradiction: Sendable, Equatable {
  /// The key as it was written; `nil` where that isn't known.
  package var key: String?
  package var member: String?
  /// Its place among all examples.
  var rank = Int.max

  package init(key: String?, member: String?, rank: Int = .max) {
    (self.key, self.member, self.rank) = (key, member, rank)
  }
}
