/// What the notes of keys say: where objects of one key differ, and where they stand.
struct KeyFindings: Sendable, Equatable {
  /// Two places of the payload, or one twice.
  struct Pair: Sendable, Hashable {
    let one: Int
    let other: Int

    init(_ one: Int, _ other: Int) { (self.one, self.other) = (min(one, other), max(one, other)) }
  }

  /// Keys whose objects aren't all the same; what they differ in takes a closer look.
  private(set) var doubtful: Set<UInt64> = []
  /// Two places at which objects of one key stand.
  private(set) var together: Set<Pair> = []
  /// Where two objects of a key, in one body, both have a member, and it differs: an example.
  private(set) var differing: [Pair: Contradiction] = [:]
  /// The same of two bodies, of which the later one counts.
  private(set) var differingLater: [Pair: Contradiction] = [:]
  /// Where such a member is the same as long as nested objects count by their keys alone.
  private(set) var differingWithin: Set<Pair> = []
  /// Where objects of one key, or plain values that name it, stand in arrays of several objects.
  private(set) var several: Set<Pair> = []
  /// Where such stand in arrays more than once, be it in those of one object.
  private(set) var repeated: Set<Pair> = []
  /// For plain values, by the members under which they stand: the places where the object stands
  /// whose key that is, once for each such set of places.
  private(set) var named: [Int: Set<[Int]>] = [:]

  /// Takes all notes.
  ///
  /// - Parameters:
  ///   - groups: For each place, a number that all places share whose objects may be rows of one
  ///     table with its own; where there is none, those of all places may.
  ///   - example: What is to be said of a key and of a member, by their digests.
  mutating func add(
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
      guard names < notes.endIndex else { return }
      let places = Set(notes[..<members].map { Int($0.place) }).sorted()
      for note in notes[names...] { named[Int(note.member), default: []].insert(places) }
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
    let tables = Dictionary(grouping: notes) { groups.isEmpty ? 0 : groups[Int($0.place)] }
    for notes in tables.values {
      if notes.contains(where: { $0.byContent != notes[0].byContent }) { doubtful.insert(key) }
      let places = Set(notes.map { Int($0.place) })
      together.formUnion(
        places.flatMap { one in places.filter { one < $0 }.map { Pair(one, $0) } })
    }
  }

  /// Finds whether what has a key stands in several arrays, as an object or by its key alone.
  private mutating func addParents(_ notes: ArraySlice<KeyNote>, _ groups: [Int]) {
    var parents: [Int: [UInt64]] = [:]
    for note in notes where note.parent != 0 {
      parents[Int(note.place), default: []].append(note.parent)
    }
    for (one, own) in parents {
      for (other, others) in parents where groups.isEmpty || groups[one] == groups[other] {
        let all = one == other ? own : own + others
        if all.count > 1 { repeated.insert(Pair(one, other)) }
        if all.contains(where: { $0 != all[0] }) { several.insert(Pair(one, other)) }
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
      differingLater.merge(pairs.map { ($0, example) }, uniquingKeysWith: min)
      differingWithin.formUnion(Self.pairs(differingIn: \.byContent, said).subtracting(pairs))
      for body in Dictionary(grouping: said, by: \.body).values {
        let pairs = Self.pairs(differingIn: \.byKey, body[...])
        differing.merge(pairs.map { ($0, example) }, uniquingKeysWith: min)
      }
    }
  }

  /// The places of which one, or two together, say several things of a member.
  private static func pairs(
    differingIn digest: KeyPath<KeyNote, UInt64>, _ notes: ArraySlice<KeyNote>
  ) -> Set<Pair> {
    let said = Dictionary(grouping: notes) { Int($0.place) }
      .mapValues { Set($0.map { $0[keyPath: digest] }) }
    return Set(
      said.flatMap { one, own in
        said.filter { own.union($0.value).count > 1 }.map { Pair(one, $0.key) }
      })
  }
}

/// Two objects of one key that differ. Of two examples, the lesser came first in the payload; of
/// those of one key, it has the lesser name.
struct Contradiction: Sendable, Hashable, Comparable {
  /// The key as it was written; `nil` where that isn't known.
  var key: String?
  var member: String?
  /// Its place among all examples.
  var rank = Int.max

  static func < (one: Contradiction, other: Contradiction) -> Bool {
    (one.rank, one.member ?? "") < (other.rank, other.member ?? "")
  }
}
