import SyncDatabase
import SyncText

/// What one object gives: columns of its table and of those that this one extends, and relations,
/// which are read once the object's key is known.
struct ObjectMembers {
  /// What is given for the columns of one table.
  struct Part {
    var table: Int
    var values: [DraftRow.Given]
  }

  let table: Int
  /// The table's own columns first, then those of its base, and so on.
  var parts: [Part]
  var relations: [(MemberMap.RelationPlace, JSONTape.Node)] = []
  var mismatches: [Mismatch] = []
  /// Why a name that the object has means nothing.
  var problem: SchemaProblem?
  var coerced = 0

  /// Nothing given yet, for a table whose parts are these.
  init(_ table: Int, _ parts: [Part]) {
    self.table = table
    self.parts = parts
  }

  /// The parts of a table and of those that it extends, with nothing given.
  static func parts(of table: Int, _ schema: RecordSchema) -> [Part] {
    var parts: [Part] = []
    var next: Int? = table
    while let place = next, parts.count <= schema.tables.count {
      let count = schema.tables[place].columns.count
      parts.append(Part(table: place, values: Array(repeating: .absent, count: count)))
      next = schema.tables[place].base
    }
    return parts
  }

  /// The key, if all of its columns are given.
  func key(_ columns: [Int]) -> RecordKey? {
    var values: [StoredValue] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      guard case .value(let value?) = parts[0].values[column] else { return nil }
      values.append(value)
    }
    return values.isEmpty ? nil : RecordKey(values)
  }

  /// Takes the value of a member.
  mutating func take(
    _ value: JSONTape.Node, _ meaning: MemberMap.Meaning, in tape: borrowing JSONTape,
    _ schema: RecordSchema
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
      let end = tape.end(of: value)
      var name = tape.inside(value)
      while name != end {
        let member = tape.after(name)
        let bytes = tape.stringBytes(name) ?? []
        if let meaning = schema.meaning(of: bytes, in: inside) {
          take(member, meaning, in: tape, schema)
        }
        name = tape.after(member)
      }
    case .null: for place in inside.columnPlaces { set(place, value, in: tape, schema) }
    default:
      // A relation takes keys, and then that is what came.
      guard meaning.relation == nil else { return }
      for place in inside.columnPlaces { refuse(place, value, in: tape, schema) }
    }
  }

  private func isGiven(_ place: MemberMap.ColumnPlace) -> Bool {
    parts.contains { $0.table == place.table && $0.values[place.column] != .absent }
  }

  /// Takes the value of a member that only a column of the object's own table takes.
  mutating func set(
    _ column: NameCache.PlainColumn, _ value: JSONTape.Node, in tape: borrowing JSONTape,
    _ schema: RecordSchema
  ) {
    if column.ignoresNull, tape.kind(of: value) == .null { return }
    switch column.type.stored(value, in: tape) {
    case .stored(let stored, let isCoerced):
      parts[0].values[column.column] = .value(stored)
      if isCoerced { coerced += 1 }
    case .mismatch:
      let place = MemberMap.ColumnPlace(table: table, column: column.column)
      refuse(place, value, in: tape, schema)
    }
  }

  private mutating func set(
    _ place: MemberMap.ColumnPlace, _ value: JSONTape.Node, in tape: borrowing JSONTape,
    _ schema: RecordSchema
  ) {
    guard let part = parts.firstIndex(where: { $0.table == place.table }) else { return }
    let column = schema.tables[place.table].columns[place.column]
    if column.ignoresNull, tape.kind(of: value) == .null { return }
    switch column.type.stored(value, in: tape, through: column.transformer) {
    case .stored(let stored, let isCoerced):
      parts[part].values[place.column] = .value(stored)
      if isCoerced { coerced += 1 }
    case .mismatch: refuse(place, value, in: tape, schema)
    }
  }

  private mutating func refuse(
    _ place: MemberMap.ColumnPlace, _ value: JSONTape.Node, in tape: borrowing JSONTape,
    _ schema: RecordSchema
  ) {
    let column = schema.tables[place.table].columns[place.column]
    mismatches.append(
      Mismatch(
        key: nil, column: column.name, came: tape.excerpt(value), wanted: column.type.inWords))
  }
}

extension MemberMap {
  /// The columns that anything within an object fills.
  var columnPlaces: Set<ColumnPlace> {
    var places: Set<ColumnPlace> = []
    for meaning in exact.values {
      if let column = meaning.column { places.insert(column) }
      if let inside = meaning.inside { places.formUnion(inside.columnPlaces) }
    }
    return places
  }
}
