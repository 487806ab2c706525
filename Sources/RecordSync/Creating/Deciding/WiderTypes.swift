private import SyncText

/// Which columns that are there have to be declared anew, since they can't hold what comes.
struct WiderTypes {
  private(set) var changes: [SchemaChange] = []
  private let present: PresentTables

  /// - Parameter isWide: Whether a column holds integers that no double holds.
  init(
    of tables: [DraftTable], in present: PresentTables,
    isWide: (_ column: String, _ table: String) throws -> Bool
  ) rethrows {
    self.present = present
    for name in tables.flatMap(\.names) {
      guard let known = name.known, let column = known.column, known.inside == nil else { continue }
      try widen(column, for: name.member.facts, isWide)
    }
  }

  /// A column's type as it will be.
  func type(of column: String, in table: String) -> MadeType? {
    for case .widened(column, table, _, let type) in changes { return type }
    return nil
  }

  private mutating func widen(
    _ place: MemberMap.ColumnPlace, for facts: ValueFacts,
    _ isWide: (_ column: String, _ table: String) throws -> Bool
  ) rethrows {
    let table = present.schema.tables[place.table]
    let column = table.columns[place.column]
    guard mayGrow(place) else { return }
    let isKey = table.key.columns.contains(place.column)
    var kinds = facts.kinds
    if isKey { kinds.subtract([.nested, .oddText]) }
    let fractions: ValueFacts.Kinds = [.real, .digits, .decimal]
    let mayBeWide = column.type.kind == .integer && !kinds.isDisjoint(with: fractions)
    let wide = mayBeWide ? try isWide(column.name, table.name) : false
    guard let held = MadeType.kinds(of: column.type, isWide: wide) else { return }
    let isExact = isKey || present.isExact || held == .decimal
    // Integers that no double holds stay what they are; what they can't stand beside is told.
    if wide, !isExact, kinds.isDisjoint(with: [.text, .nested]) { kinds.subtract(fractions) }
    guard !kinds.isEmpty,
      let before = MadeType(
        MadeType.kinds(of: column.type, isWide: false) ?? [], isExact: held == .decimal),
      var after = MadeType(held.union(kinds), isExact: isExact), after != before
    else { return }
    if table.isStrict {
      guard let strict = after.strict, strict != before.strict else { return }
      after = strict
    }
    declare(place.column, of: place.table, as: after)
  }

  /// A column whose meaning was said, or that refers to other rows, stays what it is.
  private func mayGrow(_ place: MemberMap.ColumnPlace) -> Bool {
    let table = present.schema.tables[place.table]
    let column = table.columns[place.column]
    let saying = present.saying(of: table.name)?.columns.first {
      $0.key.asciiLowercased == column.name.asciiLowercased
    }?.value
    return present.unknown(in: table.name) == .evolve && !column.isGenerated
      && column.transformer == nil && saying?.kind == nil && saying?.date == nil
      && !table.foreignKeys.contains { $0.column == place.column }
  }

  /// Changes a column's type, and that of all columns that refer to it.
  private mutating func declare(_ column: Int, of table: Int, as type: MadeType) {
    let own = present.schema.tables[table]
    let name = own.columns[column].name
    let isDone = changes.contains {
      if case .widened(name, own.name, _, type) = $0 { true } else { false }
    }
    guard !isDone else { return }
    let old = present.declared[table].columns[column].type
    changes.append(.widened(column: name, table: own.name, from: old, to: type))
    for (other, schema) in present.schema.tables.enumerated() {
      for key in schema.foreignKeys where key.table == table && key.target == column {
        declare(key.column, of: other, as: type)
      }
    }
  }
}
