private import SyncText

/// A table as it is put together, with what it gets that isn't there yet: each column under a name
/// of its own that a database takes.
struct AssembledTable {
  let name: String
  /// Its place among those that are there.
  let present: Int?
  /// The key by which other rows can name its rows.
  var key: Key?
  /// What is made of columns.
  var columns: [MadeColumn] = []
  /// The columns of its key, if it is made.
  var keyColumns: [String] = []
  /// Those of its names that have a column already.
  var taken: Set<Int> = []
  private let isStrict: Bool
  private let spelling: Spelling
  /// The columns, in lower case.
  private var used: Set<String>
  /// The names that become columns as they are, in lower case.
  private let plain: Set<String>
  /// The names that objects have, and its columns, in one form for all spellings.
  private let spoken: Set<[UInt8]>

  struct Key {
    var column: String
    var type: MadeType
  }

  init(_ table: DraftTable, named name: String, in schema: RecordSchema) {
    let there = table.present.map { schema.tables[$0] }
    let columns = there?.columns.map(\.name) ?? []
    (self.name, present, isStrict) = (name, table.present, there?.isStrict ?? false)
    if let there, let column = there.keyColumn.map({ there.columns[$0] }) {
      key = Key(column: column.name, type: MadeType(referringTo: column.type))
    }
    let spelling = schema.spelling
    self.spelling = spelling
    used = Set(columns.map(\.asciiLowercased))
    plain = Set(table.names.filter { $0.path.count == 1 }.map(\.path[0].asciiLowercased))
    spoken = Set(
      (table.names.map { $0.path[0] } + columns).map { spelling.canonical(Array($0.utf8)) })
  }

  /// A column for what stands under a way: its name as it is, or that of the ways within objects,
  /// which leaves other names theirs.
  mutating func column(for path: [String], as wanted: String? = nil) -> String {
    keep(
      SafeNames.column(
        for: wanted ?? path.joined(separator: "_"),
        besides: path.count > 1 ? used.union(plain) : used))
  }

  /// A column that no object has the name of, the first of these that is free.
  mutating func own(_ names: [String]) -> String {
    if let free = names.first(where: { isFree($0) }) { return keep(free) }
    let spoken = spoken.map { String(decoding: $0, as: UTF8.self).asciiLowercased }
    return keep(
      SafeNames.column(for: names.last ?? "link", besides: used.union(plain).union(spoken)))
  }

  func isFree(_ name: String, but own: String? = nil) -> Bool {
    SafeNames.isColumn(name) && !has(name)
      && (name == own || !spoken.contains(spelling.canonical(Array(name.utf8))))
  }

  func has(_ column: String) -> Bool { used.contains(column.asciiLowercased) }

  private mutating func keep(_ column: String) -> String {
    used.insert(column.asciiLowercased)
    return column
  }

  /// A type as the table takes it; `nil` for one that it can't take.
  func type(_ type: MadeType) -> MadeType? { isStrict ? type.strict : type }
}
