import SyncText

/// Reads what objects give for the columns of a flat table, with the values left in the text.
struct FlatReader {
  private let table: FlatTable
  private let schema: RecordSchema
  /// The names of the objects themselves, and of those within them that fill columns.
  private var levels: ContiguousArray<Level>
  private var given: [Bool]
  private let relations: [FlatRelation]
  /// What the object that was read last gives, in its order.
  private(set) var members = ContiguousArray<Member>()
  /// What it gives for those relations, by their places among them.
  private(set) var nested: [(relation: Int, value: JSONTape.Node)] = []
  /// Its key; `nil` where that can't be told from what stands there.
  private(set) var key: FlatKey?
  private var hasUnclearKey = false

  struct Member {
    var column: Int
    var type: ColumnType
    var value: JSONTape.Node
  }

  private struct Level {
    var names: NameCache
    /// Those of objects within it, by the names under which they were met.
    var inside: [[UInt8]: Int] = [:]
    /// The columns that are filled from it, at any depth; `nil` where it takes more to fill them.
    var columns: [NameCache.PlainColumn]?
  }

  /// So many objects within objects are told apart.
  private static let mostLevels = 256

  init(_ table: FlatTable, _ schema: RecordSchema, relations: [FlatRelation] = []) {
    self.table = table
    self.schema = schema
    self.relations = relations
    levels = [Level(names: NameCache(schema.members[table.place]))]
    given = Array(repeating: false, count: table.uses.count)
  }

  enum Shape {
    /// It gives columns of the table, each once and as they are.
    case flat
    /// It gives more than that, or gives it in another way.
    case other
    /// It may name other rows, and these rows of the table again.
    case nested
  }

  mutating func read(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Shape {
    (key, hasUnclearKey) = (nil, false)
    for member in members { given[member.column] = false }
    for (relation, _) in nested {
      if let column = relations[relation].column { given[column] = false }
    }
    members.removeAll(keepingCapacity: true)
    nested.removeAll(keepingCapacity: true)
    guard tape.kind(of: node) == .object else { return .other }
    let shape = read(node, at: 0, in: tape)
    if hasUnclearKey { key = nil }
    return shape
  }

  /// Whether the object that was read last gives a column.
  func gives(_ column: Int) -> Bool { given[column] }

  private mutating func read(
    _ node: JSONTape.Node, at level: Int, in tape: borrowing JSONTape
  ) -> Shape {
    var shape = Shape.flat
    let end = tape.end(of: node)
    var (name, number) = (tape.inside(node), 0)
    while name != end {
      let value = tape.after(name)
      switch take(value, of: name, number, at: level, in: tape) {
      case .flat: break
      case .other: shape = .other
      case .nested: return .nested
      }
      name = tape.after(value)
      number += 1
    }
    return shape
  }

  private mutating func take(
    _ value: JSONTape.Node, of name: JSONTape.Node, _ number: Int, at level: Int,
    in tape: borrowing JSONTape
  ) -> Shape {
    if let column = levels[level].names.plainColumn(of: name, number, in: tape) {
      return take(value, column, in: tape)
    }
    if let use = levels[level].names.use(of: name, number, in: tape) {
      return take(value, use, in: tape)
    }
    let meaning = levels[level].names.meaning(of: name, number, in: tape, schema, table.place)
    if let column = levels[level].names.plainColumn(of: name, number, in: tape) {
      return take(value, column, in: tape)
    }
    if let use = use(of: meaning, name, at: level, in: tape) {
      levels[level].names.keep(use, at: number)
      return take(value, use, in: tape)
    }
    if meaning?.column?.column == table.key { hasUnclearKey = true }
    if meaning?.relation != nil || meaning?.inside != nil { return .nested }
    // What nothing takes within an object isn't told either.
    return meaning == nil && level > 0 ? .flat : .other
  }

  private mutating func take(
    _ value: JSONTape.Node, _ column: NameCache.PlainColumn, in tape: borrowing JSONTape
  ) -> Shape {
    if column.ignoresNull, tape.kind(of: value) == .null { return .flat }
    let mayBeGiven =
      switch table.uses[column.column] {
      case .value, .reference: true
      case .null: tape.kind(of: value) == .null
      case .nothing: false
      }
    // Of several names of one column the last counts.
    guard mayBeGiven, !given[column.column] else {
      if column.column == table.key { hasUnclearKey = true }
      return .other
    }
    if column.column == table.key { key = FlatKey(value, table.keyKind, in: tape) }
    given[column.column] = true
    members.append(Member(column: column.column, type: column.type, value: value))
    return .flat
  }
}

/// A relation whose values are left for whoever asks.
struct FlatRelation {
  /// Its place among those of the table.
  let place: Int
  /// The column that leads to the row, if the objects' own table has it.
  let column: Int?
  /// Whether `null` clears that column, or says nothing.
  let clears: Bool
}

// MARK: - Names that mean more than a column

extension FlatReader {
  private mutating func take(
    _ value: JSONTape.Node, _ use: NameCache.Use, in tape: borrowing JSONTape
  ) -> Shape {
    switch use {
    case .relation(let relation):
      // Of several names of one relation the last counts.
      guard !nested.contains(where: { $0.relation == relation }) else { return .nested }
      if let column = relations[relation].column {
        if tape.kind(of: value) == .null { return clear(column, of: relation, value) }
        guard !given[column] else { return .nested }
        given[column] = true
      }
      nested.append((relation, value))
      return .flat
    case .inside(let level): return take(value, inside: level, in: tape)
    }
  }

  private mutating func clear(
    _ column: Int, of relation: Int, _ null: JSONTape.Node
  ) -> Shape {
    guard relations[relation].clears else { return .flat }
    guard !given[column] else { return .other }
    given[column] = true
    let type = schema.tables[table.place].columns[column].type
    members.append(Member(column: column, type: type, value: null))
    return .flat
  }

  /// Takes an object whose members fill columns. Without the object there are no values either.
  private mutating func take(
    _ value: JSONTape.Node, inside level: Int, in tape: borrowing JSONTape
  ) -> Shape {
    switch tape.kind(of: value) {
    case .object:
      let before = nested.count
      let shape = read(value, at: level, in: tape)
      // Nothing goes for being absent from a part of a list.
      return shape == .flat && nested.count > before && tape.goesOn(value) ? .other : shape
    case .null:
      var shape = Shape.other
      guard let columns = levels[level].columns else { return shape }
      shape = .flat
      for column in columns where take(value, column, in: tape) != .flat { shape = .other }
      return shape
    case .false, .true, .number, .string, .array: return .other
    }
  }

  /// `nil` for a name of which more can be meant.
  private mutating func use(
    of meaning: MemberMap.Meaning?, _ name: JSONTape.Node, at level: Int,
    in tape: borrowing JSONTape
  ) -> NameCache.Use? {
    guard let meaning, meaning.column == nil, meaning.problem == nil else { return nil }
    if let inside = meaning.inside {
      guard meaning.relation == nil, let name = tape.stringBytes(name) else { return nil }
      return self.level(of: inside, name, in: level).map { .inside($0) }
    }
    guard let place = meaning.relation, place.table == table.place, !place.isKeys
    else { return nil }
    return relations.firstIndex { $0.place == place.relation }.map { .relation($0) }
  }

  /// `nil` if there are too many already.
  private mutating func level(of map: MemberMap, _ name: [UInt8], in level: Int) -> Int? {
    if let known = levels[level].inside[name] { return known }
    guard levels.count < Self.mostLevels else { return nil }
    var inside = Level(names: NameCache(map))
    let columns = map.columnPlaces(schema.spelling).map {
      NameCache.PlainColumn($0, table.place, schema)
    }
    inside.columns = columns.contains { $0 == nil } ? nil : columns.compactMap(\.self)
    levels[level].inside[name] = levels.count
    levels.append(inside)
    return levels.count - 1
  }
}
