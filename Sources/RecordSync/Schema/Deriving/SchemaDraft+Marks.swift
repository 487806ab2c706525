import SyncDatabase
import SyncText

extension SchemaDraft {
  /// Finds the columns by which rows are marked in place of being deleted.
  mutating func findMarks() throws(SchemaProblem) {
    for place in schema.tables.indices {
      let table = schema.tables[place]
      guard let name = overrides[place].deletedAt ?? schema.deletedAt else { continue }
      let isMeant = overrides[place].deletedAt != nil
      let found = isMeant ? try table.requirePlace(ofColumn: name) : table.place(ofColumn: name)
      guard let column = found else { continue }
      if table.mayMark(by: column) {
        schema.tables[place].mark = column
      } else if isMeant {
        throw .noMark(table.columns[column].name, table: table.name)
      } else {
        // No matter, unless rows of the table are to be marked.
        schema.tables[place].unfitMark = column
      }
    }
  }
}

extension TableSchema {
  /// Whether a column can tell since when a row is gone, and that it isn't.
  fileprivate func mayMark(by place: Int) -> Bool {
    let column = columns[place]
    let isOther =
      key.columns.contains(place) || primaryKey.contains(place)
      || allForeignKeys.contains { $0.columns.contains(place) }
      || [edits, position].contains(place)
    return !isOther && !column.isRequired && !column.hasDefault && !column.isGenerated
      && column.transformer == nil && column.type.storage != nil
  }
}

extension ColumnType {
  /// How a point in time is stored in such a column; `nil` where none can be.
  fileprivate var storage: DateStorage? {
    switch (kind, affinity) {
    case (.date(let storage), _): storage
    case (.text, _), (.any, .blob), (.any, .numeric): .text
    case (.integer, _): .milliseconds
    case (.real, _): .seconds
    case (.decimal, _), (.boolean, _), (.uuid, _), (.url, _), (.json, _), (.blob, _), (.any, _): nil
    }
  }

  /// What such a column holds for a point in time.
  func stored(_ moment: Timestamp) -> StoredValue? {
    storage.map { moment.stored(as: $0, isReal: affinity == .real) }
  }
}
