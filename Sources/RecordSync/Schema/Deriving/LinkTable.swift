private import SyncText

/// A table that does nothing but link rows of two others, or of one: two foreign keys which
/// together are unique, and at most a position.
struct LinkTable {
  /// The foreign key that stands first in the key, and so orders what a position counts.
  let first: ForeignKey
  let second: ForeignKey
  /// The column that keeps the order of what hangs on a row that ``first`` refers to.
  let position: Int?

  /// - Returns: `nil` for a table that holds more than links.
  init?(_ table: TableSchema) {
    let keys = table.foreignKeys
    guard keys.count == 2, keys[0].column != keys[1].column, table.base == nil else { return nil }
    let pair: Set = [keys[0].column, keys[1].column]
    guard let key = ([table.primaryKey] + table.uniques).first(where: { Set($0) == pair }) else {
      return nil
    }
    let others = table.columns.indices.filter {
      !pair.contains($0) && $0 != table.rowNumberColumn
    }
    let position = others.first
    guard others.count <= 1, position.map(table.isPosition) ?? true else { return nil }
    let ordered = position.map { position in
      table.uniques.first { $0.count == 2 && $0.contains(position) && !pair.isDisjoint(with: $0) }
    }
    let leading = (ordered ?? nil)?.first { $0 != position } ?? key[0]
    first = keys[0].column == leading ? keys[0] : keys[1]
    second = keys[0].column == leading ? keys[1] : keys[0]
    self.position = position
  }
}

extension TableSchema {
  /// Whether a column is known for a position by its name and type.
  func isPosition(_ column: Int) -> Bool {
    let name = columns[column].name.asciiLowercased.replacing("_", with: "")
    return ["position", "sortorder"].contains(name) && columns[column].type.affinity == .integer
      && !columns[column].isGenerated && !primaryKey.contains(column)
      && !foreignKeys.contains { $0.column == column }
  }
}
