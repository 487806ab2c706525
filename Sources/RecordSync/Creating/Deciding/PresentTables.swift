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

  /// - Parameters:
  ///   - overrides: What the program says.
  ///   - creates: Whether tables grow that nothing is said of, and new ones are made.
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
    self.declared = declared
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

  /// Whether the program says something of a relation.
  func isDeclared(_ place: MemberMap.RelationPlace) -> Bool {
    let table = schema.tables[place.table]
    let relation = table.relations[place.relation]
    return relation.isDeclared || relation.isPerParent
      || !(saying(of: table.name)?.relations.isEmpty ?? true)
  }

  /// The names that keys may have in JSON, the likeliest first: what is declared, what keys that
  /// are there have, and what keys are mostly called.
  package var keyNames: [String] {
    var names = overrides.tables.values.flatMap { $0.key ?? [] }.sorted()
    names += schema.tables.flatMap(\.key.jsonNames)
    names = Self.usualKeys + names
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  /// What the key of a new table may be called, the likeliest first.
  static let usualKeys = ["id", "_id", "uuid"]
}

extension SchemaOverrides {
  /// Without what isn't there yet.
  func fitting(_ declared: [DeclaredTable]) -> SchemaOverrides {
    var fitting = self
    func table(_ name: String) -> DeclaredTable? {
      declared.first { $0.name.asciiLowercased == name.asciiLowercased }
    }
    fitting.tables = tables.filter { table($0.key) != nil }
    for (name, saying) in fitting.tables {
      guard let own = table(name) else { continue }
      let columns = Set(own.columns.map(\.name.asciiLowercased))
      let isThere = { (column: String) in columns.contains(column.asciiLowercased) }
      var saying = saying
      if let key = saying.key, !key.allSatisfy(isThere) { saying.key = nil }
      if let position = saying.position, !isThere(position) { saying.position = nil }
      if let edits = saying.edits, !isThere(edits) { saying.edits = nil }
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
