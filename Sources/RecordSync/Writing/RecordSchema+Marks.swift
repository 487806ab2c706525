extension RecordSchema {
  /// Where rows were to be marked in place of being deleted, the table that is spoken of must have
  /// the column, and no table that is reached one of that name that can't tell: they would be lost.
  func requireMark(in table: Int) throws {
    for place in Set(tablesReached(from: table)).union(changed(withRowsOf: table)).sorted() {
      guard let column = tables[place].unfitMark else { continue }
      throw RecordError.schema(
        .noMark(tables[place].columns[column].name, table: tables[place].name))
    }
    guard let deletedAt, tables[table].mark == nil else { return }
    throw RecordError.table(tables[table].name, .noMark(column: deletedAt))
  }
}
