package import SyncDatabase
private import SyncText

/// The tables that a database has, as far as a payload may change them.
package struct PresentTables: Sendable {
  let declared: [DeclaredTable]
  /// As they are understood, with what the overrides say of those that are there.
  let schema: RecordSchema
  /// All that the program says, also of tables that are yet to be made.
  let overrides: SchemaOverrides
  /// Whether numbers are kept to the digit, as text where that takes it.
  var isExact = false
  /// The names of everything in the database, in lower case.
  let names: Set<String>
  /// Whether tables grow that nothing is said of, and new ones are made.
  let creates: Bool

  /// - Parameter overrides: What the program says.
  package init(
    in connection: Connection, _ overrides: SchemaOverrides, creates: Bool
  ) throws {
    var names: Set<String> = []
    try connection.query("SELECT name FROM sqlite_schema", values: []) { row in
      names.insert(try row.text("name").asciiLowercased)
    }
    try self.init(DeclaredTable.all(in: connection), overrides, creates: creates, names: names)
  }

  init(
    _ declared: [DeclaredTable], _ overrides: SchemaOverrides, creates: Bool,
    names: Set<String>? = nil
  ) throws(SchemaProblem) {
    (self.declared, self.creates) = (declared, creates)
    self.names = names ?? Set(declared.map(\.name.asciiLowercased))
    var overrides = overrides
    if creates { overrides.unknownElsewhere = .evolve }
    self.overrides = overrides
    schema = try SchemaReader.schema(of: declared, overrides: overrides.fitting(declared))
  }

  /// What becomes of names that nothing in a table takes, also of one that isn't there yet.
  func unknown(in table: String) -> SchemaOverrides.UnknownMembers {
    saying(of: table)?.unknown ?? overrides.unknownElsewhere
  }

  func saying(of table: String) -> SchemaOverrides.Table? {
    let name = table.asciiLowercased
    return overrides.tables.first { $0.key.asciiLowercased == name }?.value
  }

  /// The history of a table whose versions are kept, in lower case.
  func history(of table: String) -> String? {
    let keeps = saying(of: table)?.keepsHistory ?? overrides.keepsHistory
    return keeps ? HistoryNames.history(of: table).asciiLowercased : nil
  }

  /// How the objects for a table, and those under names, are told apart.
  package func keyNames(for table: String) -> KeyNames {
    let spelling = schema.spelling
    let usual = Self.rule(Self.usualKeys.map { [$0] }, spelling)
    var rules: [[UInt8]: KeyNames.Rule] = [:]
    for (name, saying) in overrides.tables {
      guard let key = saying.key else { continue }
      let paths = key.map { JSONPath.parts(of: saying.columns[$0]?.name ?? $0) ?? [$0] }
      rules[spelling.canonical(Array(name.utf8))] = Self.rule(paths, spelling, isOne: false)
    }
    for place in schema.tables.indices {
      rules[spelling.canonical(Array(schema.tables[place].name.utf8))] = rule(of: place)
    }
    let top = rules[spelling.canonical(Array(table.utf8))] ?? usual
    return KeyNames(top: top, tables: rules, usual: usual, spelling: spelling)
  }

  /// The names, in one form for all spellings, under which objects have the key by which a table
  /// that is there can be referred to; none where it can't.
  func keyNames(of table: Int) -> [[UInt8]] {
    let present = schema.tables[table]
    guard present.key.problem == nil, let column = present.keyColumn, present.isUnique(column)
    else { return [] }
    return rule(of: table).names
  }

  private func rule(of table: Int) -> KeyNames.Rule {
    let present = schema.tables[table]
    let columns = present.key.columns.map { present.columns[$0] }
    let paths = zip(columns, present.key.jsonNames).map { $0.jsonPath ?? [$1] }
    let isOne = columns.count == 1
    let others = columns.map(\.name) + [present.key.alternative?.jsonName].compactMap { $0 }
    var rule = Self.rule(
      isOne ? paths + others.map { [$0] } : paths, schema.spelling, isOne: isOne)
    let identity = KeyIdentity(present)
    if !identity.isPlain { rule.identity = identity }
    return rule
  }

  private static func rule(
    _ paths: [[String]], _ spelling: Spelling, isOne: Bool = true
  ) -> KeyNames.Rule {
    var all: [[UInt8]] = []
    for name in paths.map({ KeyNames.joined($0, spelling) }) where !all.contains(name) {
      all.append(name)
    }
    return KeyNames.Rule(names: all, isAll: !isOne && all.count > 1)
  }

  /// What the key of a new table may be called, the likeliest first.
  static let usualKeys = ["id", "_id", "uuid"]

  /// Whether rows of a table that is there go when those go that they name.
  func isBound(_ place: Int?) -> Bool {
    guard let place else { return false }
    return schema.tables[place].foreignKeys.contains { $0.onDelete == .cascade }
  }
}

extension SchemaOverrides {
  /// Without what isn't there yet.
  func fitting(_ declared: [DeclaredTable]) -> SchemaOverrides {
    var fitting = self
    func table(_ name: String) -> DeclaredTable? {
      declared.first { $0.name.asciiLowercased == name.asciiLowercased }
    }
    for (name, var saying) in tables {
      guard let own = table(name) else {
        fitting.tables[name] = nil
        continue
      }
      let columns = Set(own.columns.map(\.name.asciiLowercased))
      let isThere = { (column: String) in columns.contains(column.asciiLowercased) }
      let isKeyThere = { (name: String) in
        let path = JSONPath.parts(of: name) ?? [name]
        return isThere(name) || isThere(path.joined(separator: "_"))
          || own.columns.contains { $0.jsonPath == path }
          || saying.columns.contains { isThere($0.key) && $0.value.name == name }
      }
      if let key = saying.key, !key.allSatisfy(isKeyThere) { saying.key = nil }
      if let position = saying.position, !isThere(position) { saying.position = nil }
      if let edits = saying.edits, !isThere(edits) { saying.edits = nil }
      if let mark = saying.deletedAt, !isThere(mark) { saying.deletedAt = nil }
      saying.columns = saying.columns.filter { isThere($0.key) }
      let tables = [
        saying.relations.values.compactMap(\.table), saying.relations.values.compactMap(\.through),
      ]
      if !tables.joined().allSatisfy({ table($0) != nil }) { saying.relations = [:] }
      fitting.tables[name] = saying
    }
    return fitting
  }
}
