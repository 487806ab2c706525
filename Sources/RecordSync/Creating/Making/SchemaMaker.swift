package import SyncDatabase

/// Makes what a decision says, within a transaction.
package struct SchemaMaker {
  private let connection: Connection
  private let present: PresentTables

  package init(_ connection: Connection, _ present: PresentTables) {
    self.connection = connection
    self.present = present
  }

  package func make(_ changes: [SchemaChange]) throws {
    let rebuilt = rebuilds(changes)
    if !rebuilt.isEmpty {
      try connection.replacingTables {
        for rebuild in rebuilt { try rebuild.perform() }
      }
    }
    if changes.contains(where: \.namesColumns) { try MadeNames.makeForColumns(in: connection) }
    if changes.contains(where: \.namesRelations) {
      try MadeNames.makeForRelations(in: connection)
    }
    for statement in changes.flatMap(\.statements) { try connection.run(statement) }
  }

  /// Whether a column holds integers that no double holds.
  package func isWide(_ column: String, of table: String) throws -> Bool {
    guard let table = Identifier(table), let column = Identifier(column) else { return false }
    let most: Int64 = 1 << 53
    let found = try connection.row(
      "SELECT 1 AS one FROM \(table) WHERE \(column) > ?1 OR \(column) < ?2 LIMIT 1", most, -most
    ) { try $0.integer("one") }
    return found != nil
  }

  private func rebuilds(_ changes: [SchemaChange]) -> [TableRebuild] {
    var types: [Int: [(column: String, type: MadeType)]] = [:]
    for case .widened(let column, let table, _, let type) in changes {
      guard let place = present.schema.place(of: table) else { continue }
      types[place, default: []].removeAll { $0.column == column }
      types[place, default: []].append((column, type))
    }
    return types.sorted { $0.key < $1.key }.map { place, types in
      TableRebuild(connection, present.schema.tables[place], types)
    }
  }
}
