package import SyncDatabase
import SyncText

/// What one object gives: columns of its table and of those that this one extends, and relations,
/// which are read once the object's key is known.
struct ObjectMembers {
  struct Part {
    var table: Int
    var values: [DraftRow.Given]
  }

  let table: Int
  var values: [DraftRow.Given]
  /// Its base, then the base of that, and so on.
  var bases: [Part]
  var relations: [(MemberMap.RelationPlace, JSONTape.Node)] = []
  /// Those whose lists stand in an object that says that there is more.
  var parts: Set<MemberMap.RelationPlace> = []
  var mismatches: [Mismatch] = []
  /// Why a name that the object has means nothing.
  var problem: SchemaProblem?
  var coerced = 0
  var extras: ExtraMembers?

  init(_ table: Int, _ schema: RecordSchema) {
    func nothing(for table: Int) -> [DraftRow.Given] {
      Array(repeating: .absent, count: schema.tables[table].columns.count)
    }
    self.table = table
    values = nothing(for: table)
    bases = []
    var next = schema.tables[table].base
    while let place = next, bases.count < schema.tables.count {
      bases.append(Part(table: place, values: nothing(for: place)))
      next = schema.tables[place].base
    }
  }

  /// What is given for the columns of the table itself, or of one that it extends.
  func values(of table: Int) -> [DraftRow.Given]? {
    table == self.table ? values : bases.first { $0.table == table }?.values
  }

  func key(_ columns: [Int]) -> RecordKey? {
    var values: [StoredValue] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      guard case .value(let value?) = self.values[column] else { return nil }
      values.append(value)
    }
    return values.isEmpty ? nil : RecordKey(values)
  }

  /// Gives NULL to what the object doesn't name: for an object that is all of its row, in whose
  /// place another may have stood. What a column is without being written stays with it.
  mutating func clearAbsent(_ table: TableSchema) {
    let linked = relations.compactMap { place, _ in
      place.table == self.table ? table.relations[place.relation].kind.ownColumn : nil
    }
    for (place, column) in table.columns.enumerated() where values[place] == .absent {
      let isKept =
        !column.isNamed || column.hasDefault || column.ignoresNull || linked.contains(place)
        || [table.edits, table.position].contains(place)
      if !isKept { values[place] = .value(nil) }
    }
  }

  /// - Parameter depth: How many names lead to the value. Default 1.
  mutating func take(
    _ value: JSONTape.Node, _ meaning: MemberMap.Meaning, in tape: borrowing JSONTape,
    _ schema: RecordSchema, depth: Int = 1
  ) {
    if let found = meaning.problem { problem = problem ?? found }
    let isNested = [.object, .array].contains(tape.kind(of: value))
    // Where both have one name, a plain value is the column's.
    if let place = meaning.column, meaning.relation == nil || !isNested {
      if meaning.isReservedWord, isGiven(place) { return }
      set(place, value, in: tape, schema)
    } else if let relation = meaning.relation {
      relations.append((relation, value))
    }
    guard let inside = meaning.inside else { return }
    switch tape.kind(of: value) {
    case .object:
      let before = relations.count
      let end = tape.end(of: value)
      var name = tape.inside(value)
      while name != end {
        let member = tape.after(name)
        let bytes = tape.stringBytes(name) ?? []
        if let meaning = schema.meaning(of: bytes, in: inside) {
          take(member, meaning, in: tape, schema, depth: depth + 1)
        }
        name = tape.after(member)
      }
      if relations.count > before, tape.goesOn(value) {
        parts.formUnion(relations[before...].map(\.0))
      }
    case .null:
      for place in inside.columnPlaces(schema.spelling) { set(place, value, in: tape, schema) }
    default:
      // A relation takes keys, and then that is what came.
      guard meaning.relation == nil else { return }
      for place in inside.columnPlaces(schema.spelling) {
        refuse(place, value, in: tape, schema, depth: depth)
      }
    }
  }

  private func isGiven(_ place: MemberMap.ColumnPlace) -> Bool {
    values(of: place.table).map { $0[place.column] != .absent } ?? false
  }

  /// Takes the value of a member that only a column of the object's own table takes; `false` if
  /// there is none, or if it can't hold the value, which is yet to be noted.
  mutating func set(
    _ column: NameCache.PlainColumn?, _ value: JSONTape.Node, in tape: borrowing JSONTape
  ) -> Bool {
    guard let column else { return false }
    if column.ignoresNull, tape.kind(of: value) == .null { return true }
    guard case .stored(let stored, let isCoerced) = column.type.stored(value, in: tape),
      !isCoerced || tape.kind(of: value) != .string
    else { return false }
    values[column.column] = .value(stored)
    if isCoerced { coerced += 1 }
    return true
  }

  private mutating func set(
    _ place: MemberMap.ColumnPlace, _ value: JSONTape.Node, in tape: borrowing JSONTape,
    _ schema: RecordSchema
  ) {
    let base = bases.firstIndex { $0.table == place.table }
    guard place.table == table || base != nil else { return }
    let column = schema.tables[place.table].columns[place.column]
    if column.ignoresNull, tape.kind(of: value) == .null { return }
    switch column.type.stored(value, in: tape, through: column.transformer) {
    case .stored(_, isCoerced: true) where isSpelling(value, of: place, in: tape, schema):
      refuse(place, value, in: tape, schema)
    case .stored(let stored, let isCoerced):
      if let base {
        bases[base].values[place.column] = .value(stored)
      } else {
        values[place.column] = .value(stored)
      }
      if isCoerced { coerced += 1 }
    case .mismatch: refuse(place, value, in: tape, schema)
    }
  }

  /// Whether a text says what its column holds in a spelling that would be lost, and that has a
  /// place. Texts that tell rows apart, or name others, have their meaning in any spelling.
  private func isSpelling(
    _ value: JSONTape.Node, of place: MemberMap.ColumnPlace, in tape: borrowing JSONTape,
    _ schema: RecordSchema
  ) -> Bool {
    let own = schema.tables[place.table]
    let column = own.columns[place.column]
    guard place.table == table, let extra = own.extra, own.columns[extra].keepsRest,
      column.transformer == nil, let text = tape.string(value),
      !own.key.columns.contains(place.column),
      !own.allForeignKeys.contains(where: { $0.columns.contains(place.column) })
    else { return false }
    switch column.type.kind {
    case .integer, .real, .decimal: return !text.isPrintedNumber
    case .boolean: return text != "true" && text != "false"
    case .text, .date, .uuid, .url, .json, .blob, .any: return false
    }
  }

  /// - Parameter depth: How many names lead to the value, if not those of the column.
  private mutating func refuse(
    _ place: MemberMap.ColumnPlace, _ value: JSONTape.Node, in tape: borrowing JSONTape,
    _ schema: RecordSchema, depth: Int? = nil
  ) {
    let column = schema.tables[place.table].columns[place.column]
    mismatches.append(
      Mismatch(
        key: nil, column: column.name, came: tape.excerpt(value), wanted: column.type.inWords))
    keep(value, of: place, in: tape, schema, depth: depth)
  }

  /// Keeps what a column can't hold, if there is a place for that.
  private mutating func keep(
    _ value: JSONTape.Node, of place: MemberMap.ColumnPlace, in tape: borrowing JSONTape,
    _ schema: RecordSchema, depth: Int?
  ) {
    let own = schema.tables[place.table]
    guard place.table == table, let extra = own.extra, extra != place.column,
      let text = tape.compactText(value)
    else { return }
    var kept = extras ?? ExtraMembers(column: extra)
    let names = own.columns[place.column].jsonNames
    kept.add(Array(names[min(depth ?? names.count, names.count) - 1].utf8), Array(text.utf8))
    extras = kept
  }
}

extension MemberMap {
  /// The columns that anything within an object fills, in their order.
  func columnPlaces(_ spelling: Spelling) -> [ColumnPlace] {
    allPlaces(spelling).sorted { ($0.table, $0.column) < ($1.table, $1.column) }
  }

  private func allPlaces(_ spelling: Spelling) -> Set<ColumnPlace> {
    // What is the same in all spellings is gone through once.
    let others = exact.filter { name, meaning in
      spelled[spelling.canonical(name)].map { !$0.isSame(as: meaning) } ?? true
    }
    var places: Set<ColumnPlace> = []
    for meaning in Array(spelled.values) + others.values {
      if let column = meaning.column { places.insert(column) }
      if let inside = meaning.inside { places.formUnion(inside.allPlaces(spelling)) }
    }
    return places
  }
}

extension JSONTape {
  /// Whether an object says that there is more of the list in it.
  func goesOn(_ object: Node) -> Bool { BodyNotes(within: object, of: self).more != nil }

  func isEmptyArray(_ node: Node) -> Bool {
    kind(of: node) == .array && inside(node) == end(of: node)
  }
}

/// Members of an object that nothing in its table takes, for the column that keeps these as JSON.
package struct ExtraMembers: Sendable, Equatable {
  package let column: Int
  private(set) var names: [[UInt8]] = []
  private(set) var values: [[UInt8]: [UInt8]] = [:]

  package mutating func add(_ name: [UInt8], _ json: [UInt8]) {
    if values.updateValue(json, forKey: name) == nil { names.append(name) }
  }

  mutating func add(_ later: ExtraMembers) {
    for name in later.names { add(name, later.values[name] ?? []) }
  }

  /// Whether what a column holds are such members.
  static func isKept(_ held: StoredValue?) -> Bool {
    if case .text(let text)? = held { text.utf8.first == UInt8(ascii: "{") } else { false }
  }

  mutating func remove(_ name: String) {
    guard values.removeValue(forKey: Array(name.utf8)) != nil else { return }
    names.removeAll { $0.elementsEqual(name.utf8) }
  }

  /// What the column is to hold.
  ///
  /// - Parameters:
  ///   - given: What the object itself has under the column's name.
  ///   - held: What the column holds, of which members stay that this object doesn't have.
  ///   - placed: Names whose values stand elsewhere now. Default none.
  package func stored(
    over given: DraftRow.Given, _ held: StoredValue?, besides placed: [String] = []
  ) -> StoredValue? {
    var before = held
    if case .value(let value) = given { before = value }
    var all = ExtraMembers(column: column)
    if case .text(let text)? = before {
      let bytes = Array(text.utf8)
      let object = try? JSONValue(bytes, in: bytes.indices, nesting: PayloadWindow.nesting)
      for member in object?.members ?? [] { all.add(member.name, Array(member.value.written)) }
    }
    if given == .absent { for name in placed { all.remove(name) } }
    all.add(self)
    return all.names.isEmpty ? nil : all.text.map { .text($0) }
  }

  private var text: String? {
    var output = [UInt8(ascii: "{")]
    for name in names {
      guard let text = String(validating: name, as: UTF8.self) else { return nil }
      if output.count > 1 { output.append(UInt8(ascii: ",")) }
      text.write(to: &output)
      output.append(UInt8(ascii: ":"))
      output += values[name] ?? []
    }
    output.append(UInt8(ascii: "}"))
    return String(validating: output, as: UTF8.self)
  }
}
