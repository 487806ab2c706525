import SyncDatabase

/// Rows that the payload doesn't name where it was to name all of them. They go at the end, unless
/// it has named them elsewhere.
struct Removals {
  /// The rows of one relation, or of the table that is synced.
  struct Group: Hashable {
    var table: Int
    /// The column that refers to the parent; `nil` for the table that is synced.
    var column: Int?
    var relation: String
    /// Whether the rows stay and only lose their parent.
    var unlinks: Bool

    static func top(_ table: Int) -> Group {
      Group(table: table, column: nil, relation: "", unlinks: false)
    }
  }

  struct Rows {
    var rows: [KeyedRow] = []
    /// How many more there are, which the payload names.
    fileprivate(set) var named = 0
    /// How many were there that are gone already.
    fileprivate(set) var gone = 0
    var count: Int { rows.count + named + gone }
    fileprivate var parents = Parents()
  }

  /// Parents whose rows were taken.
  fileprivate struct Parents {
    private var numbers = RowNumbers()
    private var others: Swift.Set<StoredValue> = []

    /// - Returns: Whether it wasn't there before.
    mutating func insert(_ parent: StoredValue) -> Bool {
      guard case .integer(let number) = parent else { return others.insert(parent).inserted }
      return numbers.insert(number)
    }
  }

  private var groups: [Group: Rows] = [:]
  /// Rows that share their key with an older one.
  private(set) var twins: [(table: Int, row: KeyedRow)] = []
  private var knownTwins: Set<RowAddress> = []
  private var current: Group?
  /// Rows of the table that is synced that hang on nothing any more.
  private var freed: [KeyedRow] = []

  /// The groups in an order that is the same each time: by table, column and relation.
  var inOrder: [(group: Group, rows: Rows)] {
    groups.map { ($0.key, $0.value) }.sorted { $0.group.precedes($1.group) }
  }

  /// The rows of the table that is synced, as far as they were taken.
  func rows(of group: Group) -> [KeyedRow] { groups[group]?.rows ?? [] }

  /// Begins to take the rows of a parent; `false` if they were taken before.
  mutating func begin(_ group: Group, _ parent: StoredValue) -> Bool {
    current = group
    return groups[group, default: Rows()].parents.insert(parent)
  }

  mutating func add(_ row: KeyedRow) {
    guard let current else { return }
    groups[current, default: Rows()].rows.append(row)
  }

  /// Takes the rows of new parents, all of which the payload names: only how many these are.
  mutating func add(_ parents: [(key: StoredValue, named: Int)], to group: Group) {
    guard !parents.isEmpty else { return }
    var rows = groups.removeValue(forKey: group) ?? Rows()
    for (key, named) in parents where rows.parents.insert(key) { rows.named += named }
    groups[group] = rows
  }

  /// Takes the rows in the scope of the table that is synced.
  ///
  /// - Parameter named: How many more there are, which stay since the payload names them.
  mutating func add(_ rows: [KeyedRow], besides named: Int = 0, to group: Group) {
    groups[group, default: Rows()].rows += rows
    groups[group]?.named += named
  }

  /// Takes no notice any more of the rows that were taken, of which so many are gone.
  mutating func clear(gone: [Group: Int]) {
    for (group, rows) in groups {
      let gone = gone[group] ?? 0
      groups[group]?.rows = []
      groups[group]?.named += rows.rows.count - gone
      groups[group]?.gone += gone
    }
    twins = []
    knownTwins = []
  }

  mutating func free(_ row: KeyedRow) { freed.append(row) }

  mutating func takeFreed() -> [KeyedRow] {
    defer { freed = [] }
    return freed
  }

  mutating func addTwin(_ address: [StoredValue], _ key: RecordKey, in table: Int) {
    guard knownTwins.insert(RowAddress(table: table, values: address)).inserted else { return }
    twins.append((table, KeyedRow(address: address, key: key)))
  }
}

extension Removals.Group {
  fileprivate func precedes(_ other: Removals.Group) -> Bool {
    if (table, column ?? -1) != (other.table, other.column ?? -1) {
      return (table, column ?? -1) < (other.table, other.column ?? -1)
    }
    return (relation, unlinks ? 1 : 0) < (other.relation, other.unlinks ? 1 : 0)
  }
}

private struct RowAddress: Hashable {
  var table: Int
  var values: [StoredValue]
}

extension KeyedRow {
  init(address: [StoredValue], key: RecordKey) {
    self.address = address
    self.key = key
  }
}

/// What goes when rows are deleted: these, the rest of each in other tables, and what the database
/// itself deletes or unlinks with them (sqlite.org, "SQLite Foreign Key Support", 4.3).
struct GoneRows {
  private var addresses: Set<RowAddress> = []
  /// Those that go with rows on which they hang, and weren't to go themselves.
  private var followers: Set<RowAddress> = []
  /// The rows, in the order in which they go.
  private(set) var rows: [(table: Int, key: RecordKey)] = []
  /// By table: the rows that lost a link, and those of tables of links.
  private(set) var unlinked: [Int: Int] = [:]
  /// The rows that lost a link, but for those of tables of links.
  private(set) var freed: [(table: Int, row: KeyedRow)] = []
  /// By table: how many of the rows stay, marked as gone.
  private(set) var marked: [Int: Int] = [:]

  /// By table: how many go with rows on which they hang.
  var cascaded: [Int: Int] {
    followers.reduce(into: [:]) { $0[$1.table, default: 0] += 1 }
  }

  /// Takes a row that is to go itself; `false` if it goes already.
  @discardableResult
  mutating func insert(_ row: KeyedRow, of table: Int) -> Bool {
    followers.remove(RowAddress(table: table, values: row.address))
    return add(row, of: table)
  }

  /// Takes a row that goes with one on which it hangs; `false` if it goes already.
  mutating func insertFollower(_ row: KeyedRow, of table: Int) -> Bool {
    guard add(row, of: table) else { return false }
    followers.insert(RowAddress(table: table, values: row.address))
    return true
  }

  private mutating func add(_ row: KeyedRow, of table: Int) -> Bool {
    let address = RowAddress(table: table, values: row.address)
    guard addresses.insert(address).inserted else { return false }
    rows.append((table, row.key))
    return true
  }

  mutating func insertLink(_ address: [StoredValue], of table: Int) {
    let address = RowAddress(table: table, values: address)
    if addresses.insert(address).inserted { unlinked[table, default: 0] += 1 }
  }

  func contains(_ row: KeyedRow, of table: Int) -> Bool {
    addresses.contains(RowAddress(table: table, values: row.address))
  }

  mutating func add(_ others: GoneRows) {
    addresses.formUnion(others.addresses)
    followers.formUnion(others.followers)
    rows += others.rows
    unlinked.merge(others.unlinked, uniquingKeysWith: +)
    freed += others.freed
    marked.merge(others.marked, uniquingKeysWith: +)
  }

  /// Takes a row that stays, and is marked as gone.
  mutating func mark(in table: Int) { marked[table, default: 0] += 1 }

  /// Takes rows that stay and only lose a link.
  mutating func free(_ rows: [KeyedRow], of table: Int) {
    guard !rows.isEmpty else { return }
    unlinked[table, default: 0] += rows.count
    freed += rows.map { (table, $0) }
  }
}

extension KeyedRow {
  init(_ row: FoundRow, _ table: TableSchema) {
    self.init(
      address: row.address, key: RecordKey(table.key.columns.compactMap { row.values[$0] }))
  }
}
