import SyncDatabase

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
