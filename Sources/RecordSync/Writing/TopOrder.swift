import SyncDatabase

/// The column that keeps the order of the rows at the top: the table's own, or that of the relation
/// by which they hang on the scope's parent.
struct TopOrder {
  var column: Int
  /// Whether the order of the array goes before what the objects say themselves.
  var isDeclared = true
  /// By which column the rows hang on the scope's parent, and what it holds.
  var parent: (column: Int, value: StoredValue)?

  init?(_ table: Int, _ scope: ResolvedScope, in schema: RecordSchema) {
    if let position = schema.tables[table].position {
      column = position
      return
    }
    guard let parent = scope.parent else { return nil }
    switch parent.relation?.position {
    case .declared(let column): self.column = column
    case .derived(let column): (self.column, isDeclared) = (column, false)
    case nil, .key: return nil
    }
    self.parent = (parent.column, parent.value)
  }
}

/// What a row at the top gets for its position where it is new, or hung on another parent.
struct NewPosition {
  var column: Int
  var value: Int64
  var parent: Int?

  /// Whether a row gets it.
  ///
  /// - Parameters:
  ///   - found: The row as it is, if it is there.
  ///   - row: What it is to be.
  func isFor(_ found: FoundRow?, _ row: DraftRow) -> Bool {
    guard let found else { return true }
    guard let parent, case .value(let value) = row.values[parent] else { return false }
    return found.values[parent] != value
  }
}
