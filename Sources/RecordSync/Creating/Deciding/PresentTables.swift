import SyncDatabase
private import SyncText

/// The tables that a database has, as far as a payload may change them.
struct PresentTables: Sendable {
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

  init(in connection: Connection, _ overrides: SchemaOverrides, creates: Bool) throws {
    var (names, overrides): (Set<String>, _) = ([], overrides)
    try connection.query("SELECT name FROM sqlite_schema", values: []) { row in
      names.insert(try row.text("name").asciiLowercased)
    }
    if creates { overrides.unknownElsewhere = .evolve }
    declared = try DeclaredTable.all(in: connection)
    schema = try SchemaReader.schema(of: declared, overrides: overrides.fitting(declared))
    (self.names, self.overrides, self.creates) = (names, overrides, creates)
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
  func keyNames(for table: String) -> KeyNames {
    let spelling = schema.spelling
    let usual = KeyNames.Rule(Self.usualKeys.map { [$0] }, spelling)
    var rules: [[UInt8]: KeyNames.Rule] = [:]
    for (name, saying) in overrides.tables {
      guard let key = saying.key else { continue }
      let paths = key.map { JSONPath.parts(of: saying.columns[$0]?.name ?? $0) ?? [$0] }
      rules[spelling.canonical(Array(name.utf8))] = KeyNames.Rule(paths, spelling, isAll: true)
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
    var paths = zip(columns, present.key.jsonNames).map { $0.jsonPath ?? [$1] }
    if columns.count == 1 {
      paths += [columns[0].name, present.key.alternative?.jsonName].compactMap { $0.map { [$0] } }
    }
    let identity = KeyIdentity(present)
    return KeyNames.Rule(
      paths, schema.spelling, isAll: columns.count > 1, identity.isPlain ? nil : identity)
  }

  /// What the key of a new table may be called, the likeliest first.
  static let usualKeys = ["id", "_id", "uuid"]

  /// Whether a column of a name, in one form for all spellings, is taken for the key beside a row
  /// number.
  static func isKeyName(_ name: [UInt8]) -> Bool {
    ["id", "remote_id"].contains { $0.utf8.elementsEqual(name) }
  }

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
    fitting.tables = [:]
    for (name, var saying) in tables {
      guard let own = table(name) else { continue }
      let columns = Set(own.columns.map(\.name.asciiLowercased))
      let isThere = { (column: String) in columns.contains(column.asciiLowercased) }
      let isKeyThere = { (name: String) in
        let path = JSONPath.parts(of: name) ?? [name]
        return isThere(name) || isThere(path.joined(separator: "_"))
          || own.columns.contains { $0.jsonPath == path }
          || saying.columns.contains { isThere($0.key) && $0.value.name == name }
      }
      if saying.key?.allSatisfy(isKeyThere) == false { saying.key = nil }
      for column in [\SchemaOverrides.Table.position, \.edits, \.deletedAt] {
        if saying[keyPath: column].map(isThere) == false { saying[keyPath: column] = nil }
      }
      saying.columns = saying.columns.filter { isThere($0.key) }
      let others = saying.relations.values.flatMap { [$0.table, $0.through].compactMap { $0 } }
      if others.contains(where: { table($0) == nil }) { saying.relations = [:] }
      fitting.tables[name] = saying
    }
    return fitting
  }
}
