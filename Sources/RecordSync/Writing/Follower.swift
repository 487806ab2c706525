/// Rows that the database itself deletes or unlinks with the row to which they refer (sqlite.org,
/// "SQLite Foreign Key Support", 4.3).
struct Follower {
  var key: CompositeForeignKey
  var table: Int
  var fate: Fate

  enum Fate {
    /// They go as well.
    case deleted
    /// They go as well, and are links between rows rather than rows.
    case link
    /// They stay and refer to nothing.
    case unlinked
  }
}

extension RecordSchema {
  /// By table: what the database itself deletes or unlinks with a row.
  func followers() -> [[Follower]] {
    let links = Set(tables.flatMap(\.relations).compactMap(\.kind.through))
    var followers = [[Follower]](repeating: [], count: tables.count)
    for (place, table) in tables.enumerated() {
      for key in table.allForeignKeys {
        let fate: Follower.Fate
        switch key.onDelete {
        case .none, .restrict: continue
        case .setNull, .setDefault: fate = .unlinked
        case .cascade: fate = links.contains(place) || table.key.problem != nil ? .link : .deleted
        }
        followers[key.table].append(Follower(key: key, table: place, fate: fate))
      }
    }
    return followers
  }
}
