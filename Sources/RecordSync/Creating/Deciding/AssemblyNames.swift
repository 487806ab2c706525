private import SyncText

/// Hands out names of tables, columns and indexes, each once.
struct AssemblyNames {
  /// Everything in the database, and the histories that there may be, in lower case.
  private var all: Set<String>
  /// The columns of each table, in lower case.
  private var columns: [Set<String>]
  /// The names that objects of each table have, and its columns, in one form for all spellings.
  private let spoken: [Set<[UInt8]>]
  /// The names that become columns as they are, in lower case.
  private let plain: [Set<String>]
  /// The names that have their column already.
  private var taken: [Set<Int>]
  private let spelling: Spelling
  private let present: PresentTables

  init(_ walk: DecisionWalk) {
    present = walk.present
    spelling = walk.present.schema.spelling
    all = walk.present.names.union(
      walk.tables.filter { $0.owner == nil }.map(\.name.asciiLowercased))
    all.formUnion(all.compactMap { walk.present.history(of: $0) })
    taken = walk.tables.map { _ in [] }
    let present = walk.tables.map { table in
      table.present.map { walk.present.schema.tables[$0].columns.map(\.name) } ?? []
    }
    columns = present.map { Set($0.map(\.asciiLowercased)) }
    plain = walk.tables.map { table in
      Set(table.names.filter { $0.path.count == 1 }.map(\.path[0].asciiLowercased))
    }
    let spelling = spelling
    spoken = zip(walk.tables, present).map { table, columns in
      Set((table.names.map { $0.path[0] } + columns).map { spelling.canonical(Array($0.utf8)) })
    }
  }

  mutating func table(_ name: String, or other: String) -> String {
    let isFree = SafeNames.isTable(name) && !all.contains(name.asciiLowercased)
    let name = isFree ? name : SafeNames.table(for: other, besides: all)
    all.insert(name.asciiLowercased)
    if let history = present.history(of: name) { all.insert(history) }
    return name
  }

  mutating func index(_ table: String, _ column: String) -> String {
    let name = SafeNames.index(table, column, besides: all)
    all.insert(name.asciiLowercased)
    return name
  }

  /// A column for what stands under a way: its name as it is, or that of the ways within objects,
  /// which leaves other names theirs.
  mutating func column(
    for path: [String], as wanted: String? = nil, of table: Int
  ) -> String {
    let others = path.count > 1 ? columns[table].union(plain[table]) : columns[table]
    return keep(
      SafeNames.column(for: wanted ?? path.joined(separator: "_"), besides: others), of: table)
  }

  /// A column that no object has the name of, the first of these that is free.
  mutating func own(_ names: [String], of table: Int) -> String {
    if let free = names.first(where: { isFree($0, in: table) }) { return keep(free, of: table) }
    let spoken = spoken[table].map { String(decoding: $0, as: UTF8.self).asciiLowercased }
    let all = columns[table].union(plain[table]).union(spoken)
    return keep(SafeNames.column(for: names.last ?? "link", besides: all), of: table)
  }

  func isFree(_ name: String, in table: Int, but own: String? = nil) -> Bool {
    SafeNames.isColumn(name) && !columns[table].contains(name.asciiLowercased)
      && (name == own || !spoken[table].contains(spelling.canonical(Array(name.utf8))))
  }

  private mutating func keep(_ column: String, of table: Int) -> String {
    columns[table].insert(column.asciiLowercased)
    return column
  }

  /// Says that a name has its column.
  mutating func take(_ name: Int, of table: Int) { taken[table].insert(name) }

  func isTaken(_ name: Int, of table: Int) -> Bool { taken[table].contains(name) }
}
