private import SyncText

/// Which columns that are there get another type, since they can't hold what comes, and which can't
/// have another.
struct WiderTypes {
  private(set) var changes: [SchemaChange] = []
  /// For tables that are there, the columns of which not all values fit that come.
  private(set) var misfits: [Int: [String]] = [:]
  private let present: PresentTables
  private let look: ColumnLook

  init(for walk: DecisionWalk, _ look: ColumnLook) throws {
    (present, self.look) = (walk.present, look)
    let tables = walk.tables
    // Two spellings of a name may mean one column.
    var kinds: [MemberMap.ColumnPlace: ValueFacts.Kinds] = [:]
    var columns: [MemberMap.ColumnPlace] = []
    for name in tables.flatMap(\.names) {
      guard let known = name.known, let column = known.column, known.inside == nil else { continue }
      var seen = name.member.facts.kinds
      if known.relation != nil { seen.subtract([.nested, .oddText]) }
      if kinds[column] == nil { columns.append(column) }
      kinds[column, default: []].formUnion(seen)
    }
    for column in columns { try widen(column, for: kinds[column] ?? []) }
  }

  private mutating func widen(
    _ place: MemberMap.ColumnPlace, for seen: ValueFacts.Kinds
  ) throws {
    let table = present.schema.tables[place.table]
    let column = table.columns[place.column]
    // An object whose key doesn't fit has no row.
    guard mayGrow(place), !table.key.columns.contains(place.column) else { return }
    let hasFractions = !seen.isDisjoint(with: [.real, .digits, .decimal, .realText])
    let wide =
      try column.type.kind == .integer && hasFractions && look.isWide(column.name, table.name)
    guard let held = MadeType.kinds(of: column.type, isWide: wide) else { return }
    let isExact = present.isExact || held == .decimal
    var seen = seen
    let numbers = MadeType(held.union(seen.subtracting(.spelling)), isExact: isExact)
    // A column of numbers is no text for the spelling of one.
    if !isExact, seen.contains(.spelling), numbers == .integer || numbers == .real {
      addMisfits(of: column.name, place.table)
      seen.remove(.spelling)
    }
    let before = MadeType(held.subtracting(.wideInteger), isExact: held == .decimal)
    guard let before,
      let wider = MadeType(held.union(seen), isExact: isExact), wider != before
    else { return }
    let after = table.isStrict ? wider.strict : wider
    if table.isStrict, after == before.strict { return }
    // Integers that no double holds stay what they are.
    if let after, !wide || after != .real, try !look.isBound(column.name, table.name) {
      let old = present.declared[place.table].columns[place.column].type
      changes.append(.widened(column: column.name, table: table.name, from: old, to: after))
    } else {
      addMisfits(of: column.name, place.table)
    }
  }

  private mutating func addMisfits(of column: String, _ table: Int) {
    guard misfits[table]?.contains(column) != true else { return }
    misfits[table, default: []].append(column)
  }

  /// A column whose meaning was said stays what it is, and so does one that keeps an order.
  private func mayGrow(_ place: MemberMap.ColumnPlace) -> Bool {
    let table = present.schema.tables[place.table]
    let column = table.columns[place.column]
    let saying = present.saying(of: table.name)?.columns.first {
      $0.key.asciiLowercased == column.name.asciiLowercased
    }?.value
    return present.unknown(in: table.name) == .evolve && !column.isGenerated
      && !column.isToldByOrder && column.transformer == nil && saying?.kind == nil
      && saying?.date == nil
  }
}

/// What only the database itself knows of a column.
struct ColumnLook {
  /// Whether it holds integers that no double holds.
  var isWide: (_ column: String, _ table: String) throws -> Bool = { _, _ in false }
  /// Whether something else hangs on it, so that it can't have another type.
  var isBound: (_ column: String, _ table: String) throws -> Bool = { _, _ in false }
}
