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

  // MARK: - Tables

  private func top(named name: String) -> DraftTable {
    let place = outline.places[0]
    var top =
      present.schema.place(of: name).map(there)
      ?? DraftTable(name: name, policy: present.unknown(in: name), keyNames: [], hasKey: true)
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
    if let known = tables.firstIndex(where: { $0.present == place }) { return known }
    tables.append(there(place))
    return tables.count - 1
  }

  /// The table of which objects under a name may be shared rows, or why there is none.
  mutating func target(
    _ path: [String], isMany: Bool, at place: Int, for origin: DraftTable.Origin
  ) throws(Evidence) -> Int {
    guard let key = outline.places[place].keyName else {
      let (count, keyed) = (outline.places[place].count, outline.places[place].keyed)
      throw keyed == 0 ? .keyless(count) : .severalKeys(count)
    }
    let names = present.schema.spelling.tables(
      for: path.joined(separator: "_"), isMany: isMany)
    for name in names {
      let known = tables.indices.first {
        !tables[$0].isOwned && spelled(tables[$0].name) == spelled(name)
      }
      let there = present.schema.tables.firstIndex { spelled($0.name) == spelled(name) }
      guard let number = known ?? there.map({ number(ofPresent: $0) }) else { continue }
      guard tables[number].keyNames.contains(key) else { throw .otherTable(tables[number].name) }
      guard number == 0 || !present.isBound(tables[number].present) else {
        throw .boundTable(tables[number].name)
      }
      return number
    }
    let name = names[0]
    guard SafeNames.isTable(name), !present.names.contains(name.asciiLowercased),
      present.unknown(in: name) != .freeze
    else { throw .otherTable(name) }
    tables.append(
      DraftTable(
        name: name, policy: present.unknown(in: name), keyNames: [key], hasKey: true,
        origin: origin))
    return tables.count - 1
  }

  func spelled(_ name: String) -> [UInt8] {
    present.schema.spelling.canonical(Array(name.utf8))
  }

  // MARK: - Names

  private mutating func take(
    _ place: Int, of table: Int, _ path: [String], _ map: MemberMap?, orderedBy order: Int? = nil
  ) {
    let members = outline.places[place].members
    for (number, member) in members.enumerated() {
      // Names that are no Unicode can't be those of columns.
      guard let name = String(validating: member.name, as: UTF8.self) else { continue }
      let path = path + [name]
      // What the array says isn't what its objects say under that name.
      if let map, let meaning = known(name, in: map, of: table, beside: members),
        order == nil || meaning.column?.column != order
      {
        takeKnown(member, meaning, of: table, path, place)
        continue
      }
      guard tables[table].policy == .evolve || isOfKey(member, path, of: table) else {
        if member.facts.values > member.facts.emptyArrays { tables[table].isExtraWanted = true }
        continue
      }
      let own = self.number(of: path, of: table, member, place)
      tables[table].names[own].slots.append(.init(place: place, member: number))
      takeNew(member, own, of: table)
    }
  }

  private mutating func number(
    of path: [String], of table: Int, _ member: SeenMember, _ place: Int
  ) -> Int {
    let number = tables[table].add(member, path)
    if let flat = tables[table].numbers[Array(path.dropLast())] {
      let isKeyed = outline.places[place].keyed > 0 || tables[table].names[flat].isInKeyed
      if isKeyed { tables[table].names[number].isInKeyed = true }
    }
    return number
  }

  private mutating func takeKnown(
    _ member: SeenMember, _ meaning: MemberMap.Meaning, of table: Int, _ path: [String],
    _ place: Int
  ) {
    let number = number(of: path, of: table, member, place)
    if let relation = replaceable(meaning, by: member, path, of: table) {
      let inner = [member.object, member.elements].compactMap { $0 }
      if inner.contains(where: { falls[$0]?.level == .own }) {
        tables[table].names[number].replaced = relation
        takeNew(member, number, of: table)
        return takeColumns(of: relation, number, of: table)
      }
      replaceable.formUnion(inner)
    }
    tables[table].names[number].known = meaning
    guard let place = meaning.relation else {
      if meaning.column == nil, let inside = meaning.inside, let object = member.object {
        take(object, of: table, path, inside)
      }
      return
    }
    let relation = present.schema.tables[place.table].relations[place.relation]
    let other = self.number(ofPresent: relation.kind.table)
    for inner in [member.object, member.elements].compactMap({ $0 }) {
      declared.insert(inner)
      tables[table].names[number].inner.append(inner)
      if !relation.isPerParent { rows[inner] = other }
      takeAll(inner, of: other, orderedBy: order(of: relation))
    }
  }

  /// What a name means in a table that is there. Of a name that is another spelling of a column's,
  /// that is meant unless the objects have the column's own name, too, or one that came before and
  /// means it.
  private func known(
    _ name: String, in map: MemberMap, of table: Int, beside members: [SeenMember]
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

  private mutating func takeNew(_ member: SeenMember, _ number: Int, of table: Int) {
    guard member.facts.values > member.facts.emptyArrays else { return }
    let path = tables[table].names[number].path
    let form = self.form(of: member, path, table, number)
    tables[table].names[number].forms.insert(form)
    guard let inner = form == .flat ? member.object : member.inner else { return }
    tables[table].names[number].inner.append(inner)
    switch form {
    case .plain, .whole: break
    case .flat: take(inner, of: table, path, nil)
    case .owned(let other): takeAll(inner, of: other)
    case .rows(let other, _):
      rows[inner] = other
      takeAll(inner, of: other)
    }
  }
}
