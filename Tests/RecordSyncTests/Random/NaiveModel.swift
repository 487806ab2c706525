/// What a sync has to make of some tables, said as plainly as can be: no window, no statement, no
/// order of writing. Foreign keys may be NULL, and nothing is ever refused.
struct NaiveModel {
  let schema: RandomSchema
  /// By table and key: the texts of the columns, and what the references hold; `nil` is NULL.
  private(set) var rows: [[Int: [String: String]]]
  /// By table of links: the pairs.
  private(set) var links: [Set<[Int]>]
  private var relationsRead = 0

  init(_ schema: RandomSchema) {
    self.schema = schema
    rows = schema.tables.map { _ in [:] }
    links = schema.links.map { _ in [] }
  }

  private struct Row: Hashable {
    var table: Int
    var key: Int
  }

  /// What the payload says of a row, rows in the order in which they are first named.
  private struct Named {
    var row: Row
    var values: [String: Sample] = [:]
    /// By the relations' places, each with how many were read before.
    var relations: [Int: (value: Sample, isKeys: Bool, number: Int)] = [:]
  }

  mutating func sync(_ payload: Sample, into table: Int) {
    var named: [Named] = []
    read(payload, table, &named)
    let before = rows
    for row in named {
      var values = rows[row.row.table][row.row.key] ?? [:]
      for (column, value) in row.values { values[column] = value.text }
      rows[row.row.table][row.row.key] = values
    }
    for row in named { linkToOnes(row) }
    var present = Set(named.map(\.row))
    adopt(named, &present)
    for row in named { linkMany(row) }
    let own = schema.tables[table].references.filter { $0.table == table }.map(\.column)
    let roots = before[table].filter { row in own.allSatisfy { row.value[$0] == nil } }
    var gone = roots.keys.map { Row(table: table, key: $0) }
    for row in named { gone += unnamed(row, before, present) }
    for row in gone where !present.contains(row) { delete(row) }
    // What lost its parent is a root that the payload doesn't name.
    func isUnnamedRoot(_ key: Int, _ values: [String: String]) -> Bool {
      own.allSatisfy { values[$0] == nil } && !present.contains(Row(table: table, key: key))
    }
    while !own.isEmpty, let root = rows[table].first(where: isUnnamedRoot) {
      delete(Row(table: table, key: root.key))
    }
  }

  private mutating func read(_ value: Sample, _ table: Int, _ named: inout [Named]) {
    if case .array(let elements) = value {
      for element in elements { read(element, table, &named) }
    }
    guard case .object(let members) = value,
      case .number(let key)? = members.first(where: { $0.name == "id" })?.value
    else { return }
    let row = Row(table: table, key: key)
    let place = named.firstIndex { $0.row == row } ?? named.count
    if place == named.count { named.append(Named(row: row)) }
    var nested: [(Sample, Int)] = []
    for (name, value) in members where name != "id" {
      if let (relation, other, isKeys) = schema.relation(name, of: table) {
        named[place].relations[relation] = (value, isKeys, relationsRead)
        relationsRead += 1
        nested.append((value, other))
      } else {
        named[place].values[name] = value
      }
    }
    for (value, other) in nested { read(value, other, &named) }
  }

  private mutating func linkToOnes(_ named: Named) {
    for (place, relation) in schema.relations(of: named.row.table).enumerated() {
      guard case .toOne(_, let column, let table) = relation,
        let value = named.relations[place]?.value
      else { continue }
      let key = value.key
      guard key == nil || rows[table][key ?? 0] != nil else { continue }
      rows[named.row.table][named.row.key]?[column] = key.map(String.init)
    }
  }

  /// A child hangs on the parent that the text names last.
  private mutating func adopt(_ named: [Named], _ present: inout Set<Row>) {
    let lists = named.flatMap { named in named.relations.map { (named.row, $0.key, $0.value) } }
    for (row, place, list) in lists.sorted(by: { $0.2.number < $1.2.number }) {
      guard case .toMany(_, let table, let column) = schema.relations(of: row.table)[place],
        case .array(let members) = list.value
      else { continue }
      for key in members.compactMap(\.key) where rows[table][key] != nil {
        present.insert(Row(table: table, key: key))
        rows[table][key]?[column] = String(row.key)
      }
    }
  }

  private mutating func linkMany(_ named: Named) {
    for (place, relation) in schema.relations(of: named.row.table).enumerated() {
      guard case .manyToMany(_, let link, true, let table) = relation,
        let value = named.relations[place]?.value
      else { continue }
      links[link] = links[link].filter { $0[0] != named.row.key }
      guard case .array(let members) = value else { continue }
      for key in members.compactMap(\.key) where rows[table][key] != nil {
        links[link].insert([named.row.key, key])
      }
    }
  }

  /// The children that hung on a row and aren't named by it; those that are only to be unlinked are.
  private mutating func unnamed(
    _ named: Named, _ before: [[Int: [String: String]]], _ present: Set<Row>
  ) -> [Row] {
    var gone: [Row] = []
    for (place, relation) in schema.relations(of: named.row.table).enumerated() {
      guard case .toMany(_, let table, let column) = relation,
        let (value, isKeys, _) = named.relations[place]
      else { continue }
      let parent = String(named.row.key)
      for (key, row) in before[table] where row[column] == parent {
        let child = Row(table: table, key: key)
        guard !present.contains(child) else { continue }
        if isKeys || value.isNull { rows[table][key]?[column] = nil } else { gone.append(child) }
      }
    }
    return gone
  }

  private mutating func delete(_ row: Row) {
    guard rows[row.table].removeValue(forKey: row.key) != nil else { return }
    for (place, link) in schema.links.enumerated() {
      if link.one == row.table { links[place] = links[place].filter { $0[0] != row.key } }
      if link.other == row.table { links[place] = links[place].filter { $0[1] != row.key } }
    }
    for (place, table) in schema.tables.enumerated() {
      for reference in table.references where reference.table == row.table {
        for (key, other) in rows[place] where other[reference.column] == String(row.key) {
          if schema.onDelete == "CASCADE" {
            delete(Row(table: place, key: key))
          } else {
            rows[place][key]?[reference.column] = nil
          }
        }
      }
    }
  }

  /// The rows of a table as `1|v1|NULL`.
  func table(_ place: Int) -> [String] {
    let columns = schema.tables[place].columns + schema.tables[place].references.map(\.column)
    return rows[place].sorted { $0.key < $1.key }.map { key, values in
      (["\(key)"] + columns.map { values[$0] ?? "NULL" }).joined(separator: "|")
    }
  }

  /// The rows of a table of links.
  func link(_ place: Int) -> [String] {
    links[place].sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }.map { "\($0[0])|\($0[1])" }
  }
}

extension Sample {
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }

  fileprivate var text: String? {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .null, .raw, .array, .object: nil
    }
  }

  /// The key of the row that it names.
  fileprivate var key: Int? {
    switch self {
    case .number(let key): key
    case .object(let members): members.first { $0.name == "id" }?.value.key
    case .null, .text, .raw, .array: nil
    }
  }
}

extension RandomSchema {
  /// What a member's name means in a table.
  fileprivate func relation(
    _ name: String, of table: Int
  ) -> (relation: Int, table: Int, isKeys: Bool)? {
    for (place, relation) in relations(of: table).enumerated() {
      switch relation {
      case .toOne(let own, let column, let other):
        if name == own || name == column { return (place, other, name == column) }
      case .toMany(let own, let other, _), .manyToMany(let own, _, _, let other):
        if name == own { return (place, other, false) }
        if name == tables[other].singular + "_ids" { return (place, other, true) }
      }
    }
    return nil
  }
}
