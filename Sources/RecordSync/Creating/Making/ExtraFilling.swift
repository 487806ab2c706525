package import SyncDatabase
private import SyncText

/// Moves what a table keeps for want of a column to the columns that there are meanwhile.
package struct ExtraFilling {
  private let connection: Connection
  private let schema: RecordSchema
  /// How many rows are held at once.
  private static let batch: Int64 = 1_000

  package init(_ connection: Connection, _ schema: RecordSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// Goes through some tables; tells what was moved. What a column can't hold as it is stays.
  package func fill(_ tables: [Int]) throws -> [SchemaChange] {
    try tables.flatMap { try fill($0) }
  }

  private struct Row {
    var number: Int64
    var values: [StoredValue?]
  }

  private func fill(_ place: Int) throws -> [SchemaChange] {
    let table = schema.tables[place]
    guard table.unknown != .freeze, let number = table.rowNumber?.sql,
      let extra = table.place(ofColumn: TableSchema.extraColumn),
      table.columns[extra].type.kind == .json, !table.columns[extra].isGenerated,
      let name = Identifier(table.name)
    else { return [] }
    let columns: [SQL] = try table.columns.map { column in
      guard let column = Identifier(column.name) else {
        throw DatabaseError(code: .statement, message: "an unusable name", path: connection.path)
      }
      return "\(column)"
    }
    let select: SQL = """
      SELECT \(number), \(columns) FROM \(name)
      WHERE \(columns[extra]) IS NOT NULL AND \(number) > ?1 ORDER BY \(number) LIMIT ?2
      """
    var counts: [Int: Int] = [:]
    var last = Int64.min
    while true {
      var rows: [Row] = []
      try connection.query(select, last, Self.batch) { row in
        rows.append(
          Row(
            number: try row.integer(0),
            values: try columns.indices.map { try row.value(Column(at: $0 + 1)) }))
      }
      guard let end = rows.last?.number else { break }
      for row in rows {
        let moved = moves(of: row, extra, in: place)
        guard !moved.isEmpty else { continue }
        let sets: [SQL] = moved.map { "\(columns[$0.column]) = ?" }
        try connection.run(
          "UPDATE \(name) SET \(sets) WHERE \(number) = ?",
          values: moved.map(\.value) + [.integer(row.number)])
        for move in moved where move.column != extra { counts[move.column, default: 0] += 1 }
      }
      last = end
      try Task.checkCancellation()
    }
    return counts.sorted { $0.key < $1.key }.map {
      .filled(column: table.columns[$0.key].name, table: table.name, rows: $0.value)
    }
  }

  /// The columns of a row that change, that which keeps the rest among them; none if none takes
  /// anything.
  private func moves(
    of row: Row, _ extra: Int, in place: Int
  ) -> [(column: Int, value: StoredValue?)] {
    guard case .text(let text)? = row.values[extra] else { return [] }
    var tape = JSONTape(nesting: PayloadWindow.nesting)
    tape.begin(Array(text.utf8))
    guard let root = try? tape.append(at: 0).root, tape.kind(of: root) == .object else { return [] }
    var moved: [(column: Int, value: StoredValue?)] = []
    var rest = ExtraMembers(column: extra)
    var isEmpty = true
    let end = tape.end(of: root)
    var name = tape.inside(root)
    while name != end {
      let value = tape.after(name)
      if let move = move(name, value, in: tape, of: row, extra, place),
        !moved.contains(where: { $0.column == move.column })
      {
        moved.append(move)
      } else {
        rest.add(tape.stringBytes(name) ?? [], Array(tape.bytes[tape.range(of: value)]))
        isEmpty = false
      }
      name = tape.after(value)
    }
    guard !moved.isEmpty else { return [] }
    return moved + [(extra, isEmpty ? nil : rest.stored(over: .value(nil), nil))]
  }

  private func move(
    _ name: JSONTape.Node, _ value: JSONTape.Node, in tape: borrowing JSONTape, of row: Row,
    _ extra: Int, _ place: Int
  ) -> (column: Int, value: StoredValue?)? {
    let meaning = schema.meaning(of: tape.stringBytes(name) ?? [], in: schema.members[place])
    guard let column = meaning?.column, column.table == place, column.column != extra,
      meaning?.relation == nil, meaning?.inside == nil, row.values[column.column] == nil
    else { return nil }
    let own = schema.tables[place].columns[column.column]
    guard own.isNamed, own.transformer == nil,
      !schema.tables[place].foreignKeys.contains(where: { $0.column == column.column }),
      case .stored(let stored?, false) = own.type.stored(value, in: tape)
    else { return nil }
    return (column.column, stored)
  }
}
