private import SyncText

extension DecisionWalk {
  /// Takes for less what isn't what it was taken for.
  mutating func fall() {
    for name in tables.flatMap(\.names) where name.known == nil && !name.forms.isEmpty {
      guard let fall = fall(of: name) else { continue }
      for place in name.inner { lower(place, to: fall) }
    }
    fallByContradictions()
    for pair in findings.together where isOneTable(pair) && haveNothingInCommon(pair) {
      for place in [pair.one, pair.other] where !declared.contains(place) {
        lower(place, to: Fall(level: .own, reason: .nothingInCommon))
      }
    }
    // A relation is replaced as a whole.
    for name in tables.flatMap(\.names) where name.inner.contains(where: replaceable.contains) {
      guard let fall = name.inner.compactMap({ falls[$0] }).first else { continue }
      for place in name.inner { lower(place, to: fall) }
    }
  }

  private mutating func lower(_ place: Int, to fall: Fall) {
    if let known = falls[place], known.level.rawValue <= fall.level.rawValue { return }
    falls[place] = fall
  }

  /// Why a name isn't what it was taken for, if so: its values are of several forms, or others have
  /// its name in another spelling, or plain values among them name nothing.
  private func fall(of name: DraftName) -> Fall? {
    let arrays = name.member.facts.arrays
    guard let form = name.form else {
      let isOwn = name.forms.allSatisfy { $0 != .plain && $0 != .whole }
      let isOneKind = arrays == 0 || arrays == name.member.facts.values
      return Fall(level: isOwn && isOneKind ? .own : .whole, reason: name.reason ?? .mixed)
    }
    switch form {
    case .plain, .whole: return nil
    case .flat, .rows(_, isMany: false):
      // An empty array at another place is a value, too.
      if arrays > 0 { return Fall(level: .whole, reason: .mixed) }
    case .owned, .rows: break
    }
    if hasTwin(name) { return Fall(level: .whole, reason: .spelledAlike) }
    guard case .rows(let target, _) = form else { return nil }
    if name.member.hasTwins { return Fall(level: .own, reason: .twins) }
    let isNamed = name.slots.flatMap { findings.named[$0] ?? [] }
      .allSatisfy { !Set(tables[target].places).isDisjoint(with: $0) }
    return isNamed ? nil : Fall(level: .whole, reason: .unknownKeys)
  }

  /// Whether another name beside it is another spelling of it.
  func hasTwin(_ name: DraftName) -> Bool {
    tables[name.place.table].names.contains { other in
      other.path.count == name.path.count && other.path != name.path
        && other.path.dropLast() == name.path.dropLast()
        && other.member.canonical == name.member.canonical
        && (!other.forms.isEmpty || other.known != nil)
    }
  }

  // MARK: - Contradictions

  /// Objects that would be one row though they differ. Where those under one name do, these fall;
  /// where only those of several names together do, all of them.
  private mutating func fallByContradictions() {
    let open = openPlaces
    let within = findings.differingWithin.filter { open[$0.one] || open[$0.other] }
      .map { ($0, Contradiction(key: nil, member: nil)) }
    let all = (findings.differing.map { ($0.key, $0.value) } + within).filter { pair, _ in
      isOneTable(pair) && (pair.one != 0 || pair.other != 0)
    }
    for (table, pairs) in Dictionary(grouping: all, by: { rows[$0.0.one] ?? 0 }) {
      var alone: Set<Int> = []
      for (pair, example) in pairs where pair.one == pair.other {
        alone.insert(pair.one)
        fall(pair.one, example)
      }
      let others = pairs.filter { !alone.contains($0.0.one) && !alone.contains($0.0.other) }
      guard let example = others.map(\.1).min() else { continue }
      for place in tables[table].places where !alone.contains(place) { fall(place, example) }
    }
  }

  private mutating func fall(_ place: Int, _ example: Contradiction) {
    guard !declared.contains(place) || replaceable.contains(place) else { return }
    lower(place, to: Fall(level: .own, reason: .differing(example)))
  }

  /// Whether objects at two places share a key, and no other name though both have others: nothing
  /// says that they are the same.
  private func haveNothingInCommon(_ pair: KeyFindings.Pair) -> Bool {
    func names(_ place: Int) -> Set<[UInt8]> {
      let (members, keyName) = (outline.members(at: place), outline.places[place].keyName)
      return Set(members.map(\.canonical)).subtracting(keyName.map { [$0] } ?? [])
    }
    let (one, other) = (names(pair.one), names(pair.other))
    return !one.isEmpty && !other.isEmpty && one.isDisjoint(with: other)
  }

  private func isOneTable(_ pair: KeyFindings.Pair) -> Bool {
    rows[pair.one] != nil && rows[pair.one] == rows[pair.other]
  }

  /// For each place, whether objects with keys stand in its own that are no rows of their own: the
  /// key alone doesn't say that these are the same.
  private var openPlaces: [Bool] {
    var open = [Bool](repeating: false, count: outline.places.count)
    // What stands in others has a higher number.
    for place in open.indices.reversed() {
      open[place] = outline.members(at: place).flatMap(\.places).contains { inner in
        rows[inner] == nil && (outline.places[inner].keyed > 0 || open[inner])
      }
    }
    return open
  }

  // MARK: - What can't be helped

  /// The first example of each table of which objects of one key are one row though they differ.
  var merged: [(table: String, Contradiction)] {
    let all = [findings.differing, findings.differingLater].joined().filter { isOneTable($0.key) }
    return Dictionary(
      all.map { (rows[$0.key.one] ?? 0, $0.value) }, uniquingKeysWith: min
    ).sorted { $0.key < $1.key }.map { (tables[$0].name, $1) }
  }

  /// A table that was to get a column for each of more names than are told apart.
  var tooWide: String? {
    tables.first { table in
      let flat = table.names.filter { $0.form == .flat }.flatMap(\.inner)
      return table.policy == .evolve
        && (table.places + flat).contains { outline.places[$0].hasTooManyNames }
    }?.name
  }

  /// Relations that are there, whose rows hang on one other each and are named under several.
  var moving: [(table: String, name: String)] {
    tables.flatMap(\.names).compactMap { name in
      guard let place = name.known?.relation else { return nil }
      let relation = present.schema.tables[place.table].relations[place.relation]
      guard case .toMany(let child, _, _) = relation.kind, !relation.isPerParent,
        isSeveral(name), outgrown(name) == nil
      else { return nil }
      return (present.schema.tables[child].name, relation.name)
    }
  }

  /// Whether a row that objects under a name are may have to name several. Below a flat object
  /// with a key nothing tells its rows apart: whatever stands there twice may be that of two.
  func isSeveral(_ name: DraftName) -> Bool {
    let pairs = name.isInKeyed ? findings.repeated : findings.several
    return name.inner.contains { one in name.inner.contains { pairs.contains(.init(one, $0)) } }
  }
}
