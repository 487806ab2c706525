/// Columns of a table that hold what stands in columns of another one.
struct KeyReference: Hashable {
  var table: Int
  var columns: [Int]
  /// The columns of the other table.
  var targets: [Int]
}

extension RecordSchema {
  /// What refers to a table, and to one of these columns at least: foreign keys of one column or of
  /// several, and relations that were declared.
  func references(to columns: Set<Int>, of table: Int) -> [KeyReference] {
    var found: Set<KeyReference> = []
    for (place, other) in tables.enumerated() {
      for key in other.foreignKeys where key.table == table {
        found.insert(KeyReference(table: place, columns: [key.column], targets: [key.target]))
      }
      for key in other.compositeForeignKeys where key.table == table {
        found.insert(KeyReference(table: place, columns: key.columns, targets: key.targets))
      }
    }
    for relation in tables[table].relations {
      switch relation.kind {
      case .toMany(let other, let link, let own), .inverseToOne(let other, let link, let own):
        found.insert(KeyReference(table: other, columns: [link], targets: [own]))
      case .manyToMany(let through, let here, let own, _, _, _):
        found.insert(KeyReference(table: through, columns: [here], targets: [own]))
      case .toOne: break
      }
    }
    return found.filter { !columns.isDisjoint(with: $0.targets) }.sorted { one, other in
      (one.table, one.columns[0]) < (other.table, other.columns[0])
    }
  }
}
