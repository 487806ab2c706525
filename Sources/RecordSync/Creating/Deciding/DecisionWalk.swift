private import SyncText

/// Goes through the places of a payload from the top down, and says of each name what the objects
/// under it can be at most: shared rows, or else rows or columns of the row in which they stand, or
/// else JSON.
///
/// What is found to be less than it was taken for, place by place, falls in the end; with that,
/// another walk begins, until nothing falls any more.
struct DecisionWalk {
  let outline: PayloadOutline
  let findings: KeyFindings
  let present: PresentTables
  /// What the objects at places are at most, as earlier walks found.
  var falls: [Int: Fall] = [:]
  /// In how many objects the names of a flat one may stand.
  let flatten: Int
  /// Columns by which rows hang on others that were found to be named under several.
  let crowded: Set<CrowdedLink>
  var tables: [DraftTable] = []
  /// The tables of which the objects at places are shared rows.
  private(set) var rows: [Int: Int] = [:]
  /// The places whose meaning was there before.
  private(set) var declared: Set<Int> = []
  /// Of these, the places under relations that were made, and that something else can take the
  /// place of.
  private(set) var replaceable: Set<Int> = []

  /// How many names a flat object has at most, and how many columns a table gets for such.
  static let mostNames = (ofObject: 64, ofTable: 1_000)

  /// What the objects at a place are at most.
  struct Fall: Equatable {
    enum Level: Int { case whole, own }
    var level: Level
    var reason: Evidence
  }

  init(
    _ outline: PayloadOutline, _ findings: KeyFindings, of table: String,
    in present: PresentTables, flatten: Int, crowded: Set<CrowdedLink>
  ) {
    (self.outline, self.findings, self.present) = (outline, findings, present)
    (self.flatten, self.crowded) = (flatten, crowded)
    var before: [Int: Fall]
    repeat {
      before = falls
      tables = [top(named: table)]
      (rows, declared, replaceable) = ([0: 0], [0], [])
      takeAll(0, of: 0)
      fall()
    } while falls != before
  }

  subscript(name: NamePlace) -> DraftName {
    get { tables[name.table].names[name.name] }
    set { tables[name.table].names[name.name] = newValue }
  }

  // MARK: - Tables

  private func top(named name: String) -> DraftTable {
    let place = outline.places[0]
    var top =
      present.schema.place(of: name).map(there)
      ?? DraftTable(name: name, policy: present.unknown(in: name), hasKey: true)
    // Objects without a key are skipped.
    top.keyNames = place.rule.isAll || place.keyNames.count != 1 ? [] : place.keyNames
    top.hasKey = top.hasKey && !place.rule.isAll
    return top
  }

  private func there(_ place: Int) -> DraftTable {
    let (name, keyNames) = (present.schema.tables[place].name, present.keyNames(of: place))
    return DraftTable(
      name: name, present: place, policy: present.unknown(in: name), keyNames: keyNames,
      hasKey: !keyNames.isEmpty)
  }

  /// - Parameter order: The column that keeps the order of the arrays in which they stand. Default
  ///   none.
  private mutating func takeAll(_ place: Int, of table: Int, orderedBy order: Int? = nil) {
    tables[table].places.append(place)
    let map = tables[table].present.map { present.schema.members[$0] }
    take(place, of: table, [], map, orderedBy: order)
  }

  /// The number of a table that is there.
  private mutating func number(ofPresent place: Int) -> Int {
    tables.firstIndex { $0.present == place } ?? add(there(place))
  }

  mutating func add(_ table: DraftTable) -> Int {
    tables.append(table)
    return tables.count - 1
  }

  /// The table of which objects under a name may be shared rows, or why there is none.
  mutating func target(
    _ origin: NamePlace, isMany: Bool, at place: Int
  ) throws(Evidence) -> Int {
    guard let key = outline.places[place].keyName else {
      let (count, keyed) = (outline.places[place].count, outline.places[place].keyed)
      throw keyed == 0 ? .keyless(count) : .severalKeys(count)
    }
    let names = present.schema.spelling.tables(for: self[origin].joined, isMany: isMany)
    for name in names {
      let known = tables.firstIndex { !$0.isOwned && spelled($0.name) == spelled(name) }
      let there = present.schema.tables.firstIndex { spelled($0.name) == spelled(name) }
      guard let number = known ?? there.map({ number(ofPresent: $0) }) else { continue }
      let table = tables[number]
      guard table.keyNames.contains(key) else { throw .otherTable(table.name) }
      if number != 0, present.isBound(table.present) { throw .boundTable(table.name) }
      return number
    }
    let (name, policy) = (names[0], present.unknown(in: names[0]))
    guard SafeNames.isTable(name), !present.names.contains(name.asciiLowercased),
      policy != .freeze
    else { throw .otherTable(name) }
    return add(
      DraftTable(name: name, policy: policy, keyNames: [key], hasKey: true, origin: origin))
  }

  func spelled(_ name: String) -> [UInt8] {
    present.schema.spelling.canonical(Array(name.utf8))
  }

  // MARK: - Names

  private mutating func take(
    _ place: Int, of table: Int, _ path: [String], _ map: MemberMap?, orderedBy order: Int? = nil
  ) {
    let members = outline.members(at: place)
    for (slot, member) in zip(outline.places[place].members, members) {
      // Names that are no Unicode can't be those of columns.
      guard let name = String(validating: member.name, as: UTF8.self) else { continue }
      let path = path + [name]
      // What the array says isn't what its objects say under that name.
      if let map, let meaning = known(name, in: map, beside: members),
        order == nil || meaning.column?.column != order
      {
        takeKnown(member, meaning, add(member, path, to: table, at: place))
      } else if tables[table].policy == .evolve || isOfKey(member, path, of: table) {
        let name = add(member, path, to: table, at: place)
        self[name].slots.append(slot)
        takeNew(member, name)
      } else if member.facts.hasContent {
        tables[table].isExtraWanted = true
      }
    }
  }

  /// Adds a name to a table, or what is seen of it at one more place.
  mutating func add(
    _ member: SeenMember, _ path: [String], to table: Int, at place: Int? = nil
  ) -> NamePlace {
    let known = tables[table].numbers[path]
    let name = NamePlace(table: table, name: known ?? tables[table].names.count)
    if known == nil {
      tables[table].numbers[path] = name.name
      tables[table].names.append(DraftName(place: name, path: path, member: member))
    } else {
      self[name].member.add(member)
    }
    if let place, let flat = tables[table].numbers[Array(path.dropLast())] {
      let isKeyed = outline.places[place].keyed > 0 || tables[table].names[flat].isInKeyed
      if isKeyed { self[name].isInKeyed = true }
    }
    return name
  }

  private mutating func takeKnown(
    _ member: SeenMember, _ meaning: MemberMap.Meaning, _ name: NamePlace
  ) {
    if let relation = replaceable(meaning, by: member, name) {
      if member.places.contains(where: { falls[$0]?.level == .own }) {
        self[name].replaced = relation
        takeNew(member, name)
        return takeColumns(of: relation, name)
      }
      replaceable.formUnion(member.places)
    }
    self[name].known = meaning
    guard let place = meaning.relation else {
      if meaning.column == nil, let inside = meaning.inside, let object = member.object {
        take(object, of: name.table, self[name].path, inside)
      }
      return
    }
    let relation = present.schema.tables[place.table].relations[place.relation]
    let other = number(ofPresent: relation.kind.table)
    for inner in member.places {
      declared.insert(inner)
      self[name].inner.append(inner)
      if !relation.isPerParent { rows[inner] = other }
      takeAll(inner, of: other, orderedBy: order(of: relation))
    }
  }

  /// What a name means in a table that is there. Of a name that is another spelling of a column's,
  /// that is meant unless the objects have the column's own name, too, or one that came before and
  /// means it.
  private func known(
    _ name: String, in map: MemberMap, beside members: [SeenMember]
  ) -> MemberMap.Meaning? {
    guard let meaning = present.schema.meaning(of: Array(name.utf8), in: map) else { return nil }
    guard let column = meaning.column, meaning.relation == nil, meaning.inside == nil else {
      return meaning
    }
    let own = present.schema.tables[column.table].columns[column.column]
    let ownName = own.jsonPath?.last ?? own.name
    guard ownName != name else { return meaning }
    let isTwin =
      members.contains { $0.name.elementsEqual(ownName.utf8) }
      || members.prefix { !$0.name.elementsEqual(name.utf8) }.contains { other in
        present.schema.meaning(of: other.name, in: map)?.column == column
      }
    return isTwin ? nil : meaning
  }

  private mutating func takeNew(_ member: SeenMember, _ name: NamePlace) {
    guard member.facts.hasContent else { return }
    let form = form(of: member, name)
    self[name].forms.insert(form)
    guard let inner = form == .flat ? member.object : member.inner else { return }
    self[name].inner.append(inner)
    switch form {
    case .plain, .whole: break
    case .flat: take(inner, of: name.table, self[name].path, nil)
    case .owned(let other): takeAll(inner, of: other)
    case .rows(let other, _):
      rows[inner] = other
      takeAll(inner, of: other)
    }
  }
}
