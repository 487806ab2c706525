extension RecordSchema {
  /// Where rows were to be marked in place of being deleted, the table that is spoken of must have
  /// the column: they would be lost.
  func requireMark(in table: Int) throws {
    guard let deletedAt, tables[table].mark == nil else { return }
    throw RecordError.table(tables[table].name, .noMark(column: deletedAt))
  }
}
