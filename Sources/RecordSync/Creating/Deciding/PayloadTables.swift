private import SyncText

/// Which objects of a payload are rows of which tables: of those that are there, and of those that
/// are to be made.
struct PayloadTables {
  let shape: PayloadShape
  let present: PresentTables
  /// Relations that can't be, since the tables would be read otherwise.
  let refused: Set<Relationship>
  /// In the order in which the payload comes to them; first the one that is synced.
  private(set) var tables: [Table] = []

  /// A table that the payload has objects of.
  struct Table {
    let name: String
    /// Its place among those that are there.
    let place: Int?
    /// The places of its objects in the shape.
    var places: [Int] = []
    /// From where new relations lead to it.
    var incoming: Set<Relationship> = []
    var members: [MergedMember] = []
    var keys = KeySample()
    /// Two objects that would be one row of it, and differ.
    var contradiction: Contradiction?
  }

  /// A name under which objects of a table hold others.
  struct Relationship: Hashable {
    /// The table, in lower case.
    let table: String
    let name: String

    init(_ table: String, _ name: String) {
      self.table = table.asciiLowercased
      self.name = name
    }
  }

  /// What a name means to a table.
  enum Meaning {
    /// A column or a relation that is there, or a name that can't be understood.
    case known(MemberMap.Meaning)
    /// A relation that is to be made, to the table with that number in ``tables``.
    case new(MergedMember.Way, table: Int)
    /// Nothing yet.
    case unknown
  }

  /// - Throws: ``SchemaProblem`` where objects belong to a table that can't be synced.
  init(
    _ shape: PayloadShape, of table: String, _ present: PresentTables,
    refusing refused: Set<Relationship>
  ) throws(SchemaProblem) {
    self.shape = shape
    self.present = present
    self.refused = refused
    let top = self.table(named: table)
    guard tables[top].place != nil || present.unknown(in: table) != .freeze else {
      throw .noTable(table)
    }
    if let place = tables[top].place, let problem = present.schema.tables[place].key.problem {
      throw problem
    }
    var open = [(table: top, place: 0)]
    while let (table, place) = open.popLast() {
      guard !tables[table].places.contains(place) else { continue }
      tables[table].places.append(place)
      for member in shape.objects[place].members.reversed() {
        guard let other = try destination(of: member, from: table) else { continue }
        open += [member.object, member.elements].compactMap { $0 }.map { (other, $0) }
      }
    }
    for table in tables.indices {
      tables[table].members = shape.members(at: tables[table].places)
      for place in tables[table].places { tables[table].keys.add(shape.objects[place].keys) }
      tables[table].contradiction = contradiction(at: tables[table].places)
    }
  }

  /// Two objects at these places that would be one row, and differ.
  private func contradiction(at places: [Int]) -> Contradiction? {
    guard let first = places.first else { return nil }
    // Of the payload's own elements, the last has the last word.
    var values = first == 0 ? shape.objects[0].values.forgiven : shape.objects[first].values
    for place in places.dropFirst() where values.contradiction == nil {
      values.add(place == 0 ? shape.objects[0].values.forgiven : shape.objects[place].values)
    }
    return values.contradiction
  }

  /// The places in the shape where objects stand under a name of a table's objects.
  func places(under name: Relationship) -> [Int] {
    guard let table = tables.first(where: { $0.name.asciiLowercased == name.table }) else {
      return []
    }
    return table.places.flatMap { place in
      shape.objects[place].members.filter { $0.name.elementsEqual(name.name.utf8) }
        .flatMap { [$0.object, $0.elements].compactMap { $0 } }
    }
  }

  /// How often objects at these places name the one in whose array they stand.
  func keysOfParent(under member: MergedMember, at places: [Int]) -> Int {
    places.reduce(0) { count, place in
      let own = shape.objects[place].members.first { $0.name.elementsEqual(member.name.utf8) }
      return count + (own?.keysOfParent ?? 0)
    }
  }

  /// New relations whose objects can't be rows, since two of one key differ: where that is so under
  /// one name, that one; where it is so only of several together, all of these.
  var contradicted: [Relationship: Contradiction] {
    var found: [Relationship: Contradiction] = [:]
    for table in tables {
      guard let contradiction = table.contradiction else { continue }
      let alone = table.incoming.compactMap { name in
        self.contradiction(at: places(under: name)).map { (name, $0) }
      }
      let names = alone.isEmpty ? table.incoming.map { ($0, contradiction) } : alone
      found.merge(names) { one, _ in one }
    }
    return found
  }

  /// Whether objects under a name were taken for rows.
  func isBegun(_ name: String, from table: Table) -> Bool {
    tables.contains { $0.incoming.contains(Relationship(table.name, name)) }
  }

  /// What a name means to a table, once all is known of its values.
  func meaning(of member: MergedMember, in table: Int) -> Meaning {
    if let known = known(member.name, in: table, beside: tables[table].members.map(\.name)) {
      return .known(known)
    }
    guard let way = member.way, way != .plain, mayRelate(member.name, table),
      let target = self.target(of: member.name, way),
      tables[target].keys.hasAll(of: member.keysNamed)
    else { return .unknown }
    return .new(way, table: target)
  }

  /// Of a name that is another spelling of a column's, that is meant unless the objects have the
  /// column's own name, too, or one that came before and means it.
  private func known(
    _ name: String, in table: Int, beside others: [String]
  ) -> MemberMap.Meaning? {
    guard let place = tables[table].place,
      let meaning = present.schema.meaning(
        of: Array(name.utf8), in: present.schema.members[place])
    else { return nil }
    guard let column = meaning.column, meaning.relation == nil, meaning.inside == nil else {
      return meaning
    }
    let own = present.schema.tables[column.table].columns[column.column]
    let isItself = own.name == name || own.jsonPath == [name]
    guard !isItself else { return meaning }
    let isTwin =
      others.contains(own.jsonPath?.first ?? own.name)
      || others.prefix { $0 != name }.contains { other in
        let other = Array(other.utf8)
        return present.schema.meaning(of: other, in: present.schema.members[place])?.column
          == column
      }
    return isTwin ? nil : meaning
  }

  private func mayRelate(_ name: String, _ table: Int) -> Bool {
    !refused.contains(Relationship(tables[table].name, name))
      && present.unknown(in: tables[table].name) == .evolve
  }

  /// The table of the objects under a name; `nil` where there are none that are rows.
  private mutating func destination(
    of member: MemberShape, from table: Int
  ) throws(SchemaProblem) -> Int? {
    if let place = tables[table].place,
      let meaning = present.schema.meaning(of: member.name, in: present.schema.members[place])
    {
      guard let relation = meaning.relation else { return nil }
      let kind = present.schema.tables[relation.table].relations[relation.relation].kind
      return self.table(named: present.schema.tables[kind.table].name)
    }
    guard let name = String(validating: member.name, as: UTF8.self), mayRelate(name, table),
      let way = MergedMember.way(of: member, in: shape), way != .plain,
      member.object != nil || member.elements != nil
    else { return nil }
    let target: Int
    if let known = self.target(of: name, way) {
      target = known
    } else {
      guard let place = try newTarget(name, way) else { return nil }
      target = place
    }
    tables[target].incoming.insert(Relationship(tables[table].name, name))
    return target
  }

  /// The table that objects under a name belong to, among those that were met.
  private func target(of name: String, _ way: MergedMember.Way) -> Int? {
    let wanted = candidates(for: name, way).map { spelled($0) }
    for name in wanted {
      if let place = tables.firstIndex(where: { spelled($0.name) == name }) { return place }
    }
    return nil
  }

  private mutating func newTarget(
    _ name: String, _ way: MergedMember.Way
  ) throws(SchemaProblem) -> Int? {
    for candidate in candidates(for: name, way) {
      guard
        let table = present.schema.tables.first(where: { spelled($0.name) == spelled(candidate) })
      else { continue }
      if let problem = table.key.problem { throw problem }
      return self.table(named: table.name)
    }
    guard let name = candidates(for: name, way).first, SafeNames.isTable(name),
      !present.names.contains(name.asciiLowercased), present.unknown(in: name) != .freeze
    else { return nil }
    return table(named: name)
  }

  /// An array's table has its name, an object's the plural; a table that is there may have either.
  private func candidates(for name: String, _ way: MergedMember.Way) -> [String] {
    let plurals = present.schema.spelling.plurals(of: name)
    return way == .one ? plurals + [name] : [name] + plurals
  }

  private func spelled(_ name: String) -> [UInt8] {
    present.schema.spelling.canonical(Array(name.utf8))
  }

  /// The number of a table, which is added if it wasn't met yet.
  private mutating func table(named name: String) -> Int {
    if let known = tables.firstIndex(where: { $0.name.asciiLowercased == name.asciiLowercased }) {
      return known
    }
    let place = present.schema.place(of: name)
    let spelled = place.map { present.schema.tables[$0].name } ?? name
    tables.append(Table(name: spelled, place: place))
    return tables.count - 1
  }
}
