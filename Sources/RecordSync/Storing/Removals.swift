import SyncDatabase

/// Rows that the payload doesn't name where it was to name all of them. They go at the end, unless
/// it has named them elsewhere.
struct Removals {
  /// The rows of one relation, or of the table that is synced.
  struct Group: Hashable {
    var table: Int
    /// The column that refers to the parent; `nil` for the table that is synced.
    var column: Int?
    /// The relation's name.
    var relation: String
    /// Whether the rows stay and only lose their parent.
    var unlinks: Bool
  }

  /// A group's rows.
  struct Rows {
    var rows: [KeyedRow] = []
    fileprivate var parents: Swift.Set<StoredValue> = []
  }

  private(set) var groups: [Group: Rows] = [:]
  /// Rows that share their key with an older one.
  private(set) var twins: [(table: Int, row: KeyedRow)] = []
  private var current: Group?

  /// Begins to take the rows of a parent; `false` if they were taken before.
  mutating func begin(_ group: Group, _ parent: StoredValue) -> Bool {
    current = group
    return groups[group, default: Rows()].parents.insert(parent).inserted
  }

  /// Takes a row of the parent that was begun with.
  mutating func add(_ row: KeyedRow) {
    guard let current else { return }
    groups[current, default: Rows()].rows.append(row)
  }

  /// Takes the rows in the scope of the table that is synced.
  mutating func add(_ rows: [KeyedRow], to group: Group) {
    groups[group, default: Rows()].rows += rows
  }

  /// Lets go of all rows, which were dealt with.
  mutating func clear() {
    for group in groups.keys { groups[group]?.rows = [] }
    twins = []
  }

  /// Takes a row that shares its key with an older one.
  mutating func addTwin(_ address: [StoredValue], _ key: RecordKey, in table: Int) {
    let row = KeyedRow(address: address, key: key)
    guard !twins.contains(where: { $0.table == table && $0.row == row }) else { return }
    twins.append((table, row))
  }
}

extension KeyedRow {
  init(address: [StoredValue], key: RecordKey) {
    self.address = address
    self.key = key
  }
}
