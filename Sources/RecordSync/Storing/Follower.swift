/// Rows that the database itself deletes or unlinks with the row to which they refer (sqlite.org,
/// "SQLite Foreign Key Support", 4.3).
struct Follower: Equatable {
  var table: Int
  /// Their columns that refer, and those referred to.
  var columns: [Int]
  var targets: [Int]
  var fate: Fate

  enum Fate: Equatable {
    /// They go as well.
    case deleted
    /// They go as well, and are links between rows rather than rows.
    case link
    /// They stay and refer to nothing.
    case unlinked
  }
}

extension RecordSchema {
  /// For each table: what follows its rows.
  func followers() -> [[Follower]] {
    let links = Set(tables.flatMap(\.relations).compactMap(\.kind.through))
    var followers = [[Follower]](repeating: [], count: tables.count)
    for (place, table) in tables.enumerated() {
      let keys =
        table.foreignKeys.map { CompositeForeignKey($0) } + table.compositeForeignKeys
      for key in keys {
        let fate: Follower.Fate
        switch key.onDelete {
        case .none, .restrict: continue
        case .setNull, .setDefault: fate = .unlinked
        case .cascade: fate = links.contains(place) || table.key.problem != nil ? .link : .deleted
        }
        followers[key.table].append(
          Follower(table: place, columns: key.columns, targets: key.targets, fate: fate))
      }
    }
    return followers
  }
}

extension CompositeForeignKey {
  init(_ key: ForeignKey) {
    self.init(
      columns: [key.column], table: key.table, targets: [key.target], onDelete: key.onDelete)
  }
}
