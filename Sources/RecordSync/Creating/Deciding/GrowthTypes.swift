private import SyncText

/// Which columns that are there have to be declared anew, since they can't hold what comes.
struct GrowthTypes {
  private(set) var changes: [SchemaChange] = []
  private(set) var declared: [DeclaredTable]
  private let tables: PayloadTables

  /// - Parameters:
  ///   - plainKeys: Tables whose INTEGER PRIMARY KEY must not be the row number, in lower case.
  ///   - isWide: Whether a column holds integers that no double holds.
  init(
    _ tables: PayloadTables, plainKeys: Set<String>,
    isWide: (_ column: String, _ table: String) throws -> Bool
  ) rethrows {
    self.tables = tables
    declared = tables.present.declared
    for (number, table) in tables.tables.enumerated() {
      for member in table.members {
        guard case .known(let meaning) = tables.meaning(of: member, in: number),
          let column = meaning.column, meaning.inside == nil
        else { continue }
        try widen(column, for: member, isWide)
      }
    }
    for name in plainKeys.sorted() { makeKeyPlain(name) }
  }

  /// A key's type as it will be. What refers to a row number may be one, too.
  func type(of key: GrowthKeys.Key, in table: String) -> MadeType {
    for case .widened(key.column, table, _, let type) in changes where type != .plainInteger {
      return type
    }
    return key.type
  }

  private mutating func widen(
    _ place: MemberMap.ColumnPlace, for member: MergedMember,
    _ isWide: (_ column: String, _ table: String) throws -> Bool
  ) rethrows {
    let table = tables.present.schema.tables[place.table]
    let column = table.columns[place.column]
    guard mayGrow(place) else { return }
    let isKey = table.key.columns.contains(place.column)
    var kinds = member.facts.kinds
    if isKey { kinds.subtract([.nested, .oddText]) }
    let fractions: ValueFacts.Kinds = [.real, .digits, .decimal]
    let mayBeWide = column.type.kind == .integer && !kinds.isDisjoint(with: fractions)
    let wide = mayBeWide ? try isWide(column.name, table.name) : false
    guard let present = MadeType.kinds(of: column.type, isWide: wide) else { return }
    let isExact = isKey || tables.present.isExact || present == .decimal
    // Integers that no double holds stay what they are; what they can't stand beside is told.
    if wide, !isExact, kinds.isDisjoint(with: [.text, .nested]) { kinds.subtract(fractions) }
    guard !kinds.isEmpty,
      let before = MadeType(
        MadeType.kinds(of: column.type, isWide: false) ?? [], isExact: present == .decimal),
      var after = MadeType(present.union(kinds), isExact: isExact), after != before
    else { return }
    if table.isStrict {
      guard let strict = after.strict, strict != before.strict else { return }
      after = strict
    }
    declare(place.column, of: place.table, as: after)
  }

  /// A column whose meaning was said, or that refers to other rows, stays what it is.
  private func mayGrow(_ place: MemberMap.ColumnPlace) -> Bool {
    let table = tables.present.schema.tables[place.table]
    let column = table.columns[place.column]
    let saying = tables.present.saying(of: table.name)?.columns.first {
      $0.key.asciiLowercased == column.name.asciiLowercased
    }?.value
    return tables.present.unknown(in: table.name) == .evolve && !column.isGenerated
      && column.transformer == nil && saying?.kind == nil && saying?.date == nil
      && !table.foreignKeys.contains { $0.column == place.column }
  }

  /// Changes a column's type, and that of all columns that refer to it.
  private mutating func declare(_ column: Int, of table: Int, as type: MadeType) {
    let own = tables.present.schema.tables[table]
    let name = own.columns[column].name
    let isDone = changes.contains {
      if case .widened(name, own.name, _, type) = $0 { true } else { false }
    }
    guard !isDone else { return }
    let old = declared[table].columns[column].type
    changes.append(.widened(column: name, table: own.name, from: old, to: type))
    declared[table].columns[column].type = type.rawValue
    declared[table].indexKey()
    guard type != .plainInteger else { return }
    for (other, schema) in tables.present.schema.tables.enumerated() {
      for key in schema.foreignKeys where key.table == table && key.target == column {
        declare(key.column, of: other, as: type)
      }
    }
  }

  private mutating func makeKeyPlain(_ name: String) {
    guard let table = tables.present.schema.place(of: name),
      let column = tables.present.schema.tables[table].rowNumberColumn
    else { return }
    declare(column, of: table, as: .plainInteger)
  }
}

extension DeclaredTable {
  /// A primary key that is no other name of the row number has an index.
  mutating func indexKey() {
    guard !primaryKey.isEmpty, rowNumberColumn == nil, !isWithoutRowNumber,
      !uniques.contains(where: \.isPrimaryKey)
    else { return }
    uniques.append(.init(columns: primaryKey, isPrimaryKey: true))
  }
}
