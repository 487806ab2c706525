import SyncDatabase
private import SyncText

/// Moves what a table keeps for want of a column to the columns that there are meanwhile.
struct ExtraFilling {
  private let connection: Connection
  private let schema: RecordSchema

  init(_ connection: Connection, _ schema: RecordSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// Goes through some tables; tells what was moved. What a column can't hold as it is stays.
  func fill(_ tables: [Int]) throws -> [SchemaChange] {
    try tables.flatMap { try fill($0) }
  }

  private func fill(_ place: Int) throws -> [SchemaChange] {
    let table = schema.tables[place]
    guard table.unknown != .freeze, let extra = table.extra else { return [] }
    let access = try TableAccess(table)
    let kept: SQL = """
      \(access.select) WHERE \(access.column(extra)) IS NOT NULL ORDER BY \(access.address)
      """
    var counts: [Int: Int] = [:]
    try connection.forEachRow(of: kept) { row in
      let row = try FoundRow(row, access)
      let moved = moves(of: row, extra, in: place)
      if !moved.isEmpty {
        let update = access.update(moved.map(\.column))
        try connection.run(update, values: moved.map(\.value) + row.address)
      }
      for move in moved where move.column != extra { counts[move.column, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map {
      .filled(column: table.columns[$0.key].name, table: table.name, rows: $0.value)
    }
  }

  /// The columns of a row that change, that which keeps the rest among them; none if none takes
  /// anything.
  private func moves(
    of row: FoundRow, _ extra: Int, in place: Int
  ) -> [(column: Int, value: StoredValue?)] {
    guard case .text(let text)? = row.values[extra] else { return [] }
    var tape = JSONTape(nesting: PayloadWindow.nesting)
    tape.begin(Array(text.utf8))
    guard let root = try? tape.append(at: 0).root, tape.kind(of: root) == .object else { return [] }
    var moved: [(column: Int, value: StoredValue?)] = []
    var rest = ExtraMembers(column: extra)
    tape.forEachMember(of: root) { name, value in
      if let move = move(name, value, in: tape, of: row, extra, place),
        !moved.contains(where: { $0.column == move.column })
      {
        moved.append(move)
      } else {
        rest.add(name, Array(tape.bytes[tape.range(of: value)]))
      }
    }
    guard !moved.isEmpty else { return [] }
    return moved + [(extra, rest.stored(over: .value(nil), nil))]
  }

  private func move(
    _ name: [UInt8], _ value: JSONTape.Node, in tape: borrowing JSONTape, of row: FoundRow,
    _ extra: Int, _ place: Int
  ) -> (column: Int, value: StoredValue?)? {
    guard let column = column(name, of: place), column != extra,
      row.values[column] == nil
    else { return nil }
    let own = schema.tables[place].columns[column]
    guard own.isNamed, own.transformer == nil,
      !schema.tables[place].foreignKeys.contains(where: { $0.column == column }),
      case .stored(let stored?, false) = own.type.stored(value, in: tape)
    else { return nil }
    return (column, stored)
  }

  /// The column of a kept member: one that its name means, or that whose value was kept under it.
  private func column(_ name: [UInt8], of place: Int) -> Int? {
    guard let meaning = schema.meaning(of: name, in: schema.members[place]) else {
      return schema.tables[place].columns.firstIndex { $0.jsonName.utf8.elementsEqual(name) }
    }
    guard let column = meaning.column, column.table == place, meaning.relation == nil,
      meaning.inside == nil
    else { return nil }
    return column.column
  }
}
