import SyncDatabase

extension RecordPass {
  /// Writes a row of which some parents weren't looked for: those of foreign keys of several
  /// columns, and those that a default names. Where one isn't there, the row is refused at once;
  /// SQLite would refuse all of the transaction at its end.
  ///
  /// - Parameter body: Writes it, and gives its address.
  /// - Returns: The address.
  func write(
    in table: Int, _ body: () throws -> [StoredValue]
  ) throws -> [StoredValue] {
    guard let orphans = orphans[table] else { return try body() }
    var address: [StoredValue] = []
    try attempt {
      address = try body()
      var isOrphan = false
      try connection.query(orphans, values: address) { _ in isOrphan = true }
      guard isOrphan else { return }
      // SQLITE_CONSTRAINT_FOREIGNKEY.
      throw DatabaseError(
        code: .constraint, sqliteCode: 787, message: "FOREIGN KEY constraint failed",
        path: connection.path)
    }
    return address
  }

  /// Whether one of these rows refers to a row that isn't there.
  func refersToNothing(_ rows: [(table: Int, row: KeyedRow)]) throws -> Bool {
    for (table, row) in rows {
      let keys =
        schema.tables[table].foreignKeys.map { CompositeForeignKey($0) }
        + schema.tables[table].compositeForeignKeys
      guard !keys.isEmpty, let found = try self.row(at: row.address, in: table) else { continue }
      for key in keys {
        let values = key.columns.compactMap { found.values[$0] }
        guard values.count == key.columns.count else { continue }
        if try search.rows(where: key.targets, are: values, in: key.table).isEmpty { return true }
      }
    }
    return false
  }
}

extension RecordSchema {
  /// What gives a row of each table, by its address, if a parent that isn't looked for otherwise is
  /// missing; `nil` where all are.
  func orphans(_ tables: [TableAccess]) -> [SQL?] {
    tables.indices.map { place in
      let table = self.tables[place]
      let defaults = table.foreignKeys.filter { table.columns[$0.column].hasDefault }
      let keys = table.compositeForeignKeys + defaults.map(CompositeForeignKey.init)
      guard !keys.isEmpty else { return nil }
      let access = tables[place]
      let conditions: [SQL] = keys.map { key in
        let parent = tables[key.table]
        let isGiven: [SQL] = key.columns.map { "\(access.name).\(access.column($0)) IS NOT NULL" }
        let isMet: [SQL] = zip(key.columns, key.targets).map {
          "parent.\(parent.column($1)) = \(access.name).\(access.column($0))"
        }
        let isThere: SQL =
          "SELECT 1 FROM \(parent.name) AS parent WHERE \(isMet, separator: " AND ")"
        return "(\(isGiven, separator: " AND ") AND NOT EXISTS (\(isThere)))"
      }
      let isAddressed: [SQL] = access.address.map { "\($0) = ?" }
      return """
        SELECT 1 FROM \(access.name) WHERE \(isAddressed, separator: " AND ")
        AND (\(conditions, separator: " OR "))
        """
    }
  }
}
