import SyncDatabase
import SyncText

/// One export, on the connection's own thread: rows become text, which goes on in pieces.
final class RecordExport {
  let schema: RecordSchema
  let options: ExportOptions
  let reader: ExportReader
  var output: [UInt8] = []
  let table: Int
  let selection: RecordSelection
  let shapes: [ExportShape]
  /// The rows that stand in full somewhere, or will at the top, by table.
  var met: [MetRows]
  let deepest: Int
  private let sink: ([UInt8]) throws -> Void
  private var count = 0
  private var rows = 0

  init(
    _ connection: Connection, _ schema: RecordSchema, _ selection: RecordSelection,
    of name: String, _ options: ExportOptions, to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    guard let table = schema.place(of: name) else { throw RecordError.table(name, .missing) }
    if let problem = schema.tables[table].key.problem { throw RecordError.schema(problem) }
    self.schema = schema
    self.options = options
    self.table = table
    self.selection = selection
    self.sink = sink
    reader = try ExportReader(connection, schema)
    shapes = schema.tables.indices.map { ExportShapeBuilder.shape(of: $0, in: schema, options) }
    met = schema.tables.map { _ in MetRows() }
    deepest = min(options.depth ?? .max, Self.deepest(schema))
  }

  /// Writes all that was asked for; gives how many rows that were.
  func write() throws -> Int {
    let isArray: Bool
    switch (selection, options.form) {
    case (.key, _), (_, .lines): isArray = false
    default: isArray = true
    }
    try noteAsked()
    if isArray { output.append(UInt8(ascii: "[")) }
    try eachAsked { row in
      if isArray, count > 0 { output += ",\n".utf8 }
      count += 1
      try write(row, arriving: nil, level: 0)
      if !isArray { output.append(UInt8(ascii: "\n")) }
    }
    if isArray { output += "]\n".utf8 }
    if !isArray, count == 0, case .key = selection { output += "null\n".utf8 }
    try flush()
    return count
  }

  /// Rows that are asked for stand at the top, and nested only by their keys.
  private func noteAsked() throws {
    guard options.relations != .none, options.relations != .keys else { return }
    if isOfAll { return }
    try eachAsked { row in
      _ = met[table].insert(row.address)
      try countRow()
    }
  }

  private func eachAsked(_ body: (ExportedRow) throws -> Void) throws {
    try reader.each(
      selection, of: table, in: options.order, atMost: options.limit, body)
  }

  /// Whether each row of the table stands at the top.
  private var isOfAll: Bool {
    if case .all = selection { options.limit == nil } else { false }
  }

  private static func deepest(_ schema: RecordSchema) -> Int {
    let names = schema.tables.flatMap { table in
      table.relations.map(\.jsonPath.count) + table.columns.map { $0.jsonPath?.count ?? 1 }
    }
    return 500 / (1 + (names.max() ?? 1))
  }

  func write(
    _ row: ExportedRow, arriving relation: MemberMap.RelationPlace?, level: Int,
    inside extra: (members: [ExportShape.Member], row: ExportedRow)? = nil
  ) throws {
    try countRow()
    for layer in row.layers.dropFirst() { _ = met[layer.table].insert(layer.row.address) }
    let members = shapes[row.table].members
    let way = Way(row: row, arriving: relation, level: level)
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    try write(members, way, &isFirst)
    if let extra {
      let others = extra.members.filter { other in !members.contains { $0.name == other.name } }
      let way = Way(row: extra.row, arriving: nil, level: level)
      try write(others, way, &isFirst)
    }
    output.append(UInt8(ascii: "}"))
    if output.count >= Self.piece { try flush() }
  }

  /// Where the export is: at a row, to which a relation led.
  struct Way {
    var row: ExportedRow
    var arriving: MemberMap.RelationPlace?
    var level: Int
  }

  func write(
    _ members: [ExportShape.Member], _ way: Way, _ isFirst: inout Bool
  ) throws {
    for member in members where !leadsBack(member, way) {
      begin(member.name, &isFirst)
      switch member.content {
      case .column(let place): try write(way.row[place], of: place)
      case .inside(let members): try object(members, way)
      case .relation(let place, let inside): try relation(place, inside, way)
      }
    }
  }

  func object(_ members: [ExportShape.Member], _ way: Way) throws {
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    try write(members, way, &isFirst)
    output.append(UInt8(ascii: "}"))
  }

  private func begin(_ name: String, _ isFirst: inout Bool) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    isFirst = false
    name.write(to: &output)
    output.append(UInt8(ascii: ":"))
  }

  /// The parent is told by the nesting.
  private func leadsBack(_ member: ExportShape.Member, _ way: Way) -> Bool {
    guard let arriving = way.arriving else { return false }
    let other = schema.tables[arriving.table].relations[arriving.relation].kind
    switch member.content {
    case .inside: return false
    case .relation(let place, let inside):
      let kind = schema.tables[place.table].relations[place.relation].kind
      // A row's other children may stand nowhere else, but for rows that are asked for.
      if case .toMany(let child, _, _) = kind, !other.isToMany, child != table { return false }
      return inside.isEmpty
        && schema.tables[place.table].relations[place.relation].kind
          .leadsBack(from: place.table, over: other, of: arriving.table)
    case .column(let place):
      guard let link = other.childLink, other.table == place.table else { return false }
      let relation = schema.tables[arriving.table].relations[arriving.relation]
      if relation.position?.column == place.column,
        schema.tables[place.table].columns[place.column].isToldByOrder
      {
        return true
      }
      return link.column == place.column
        && (relation.isPerParent
          || !schema.tables[place.table].key.columns.contains(place.column))
    }
  }

  // MARK: - Passing on

  private static let piece = 64 * 1024

  private func flush() throws {
    guard !output.isEmpty else { return }
    try sink(output)
    output.removeAll(keepingCapacity: true)
  }

  private func countRow() throws {
    rows += 1
    if rows % 1_000 == 0 { try Task.checkCancellation() }
  }

  func relation(
    _ place: MemberMap.RelationPlace, _ inside: [ExportShape.Member], _ way: Way
  ) throws {
    let kind = schema.tables[place.table].relations[place.relation].kind
    let rows = try reader.rows(place, of: way.row)
    if kind.isToMany { return try several(rows, place, way) }
    guard let row = rows.first else {
      if !inside.isEmpty { return try object(inside, way) }
      // A reference that leads nowhere is told as it is.
      guard let column = kind.ownColumn, let value = way.row[place.table, column] else {
        return JSONNull().write(to: &output)
      }
      return value.writePlainly(to: &output)
    }
    try nested(row, place, way, inside)
  }

  private func several(
    _ rows: [ExportedRow], _ place: MemberMap.RelationPlace, _ way: Way
  ) throws {
    let isNumbered = options.relations == .nested
    output.append(UInt8(ascii: isNumbered ? "{" : "["))
    for (number, row) in rows.enumerated() {
      if number > 0 { output.append(UInt8(ascii: ",")) }
      if isNumbered { output += "\"\(number)\":".utf8 }
      try nested(row, place, way, [])
    }
    output.append(UInt8(ascii: isNumbered ? "}" : "]"))
  }

  private func nested(
    _ row: ExportedRow, _ place: MemberMap.RelationPlace, _ way: Way,
    _ inside: [ExportShape.Member]
  ) throws {
    let extra = inside.isEmpty ? nil : (members: inside, row: way.row)
    // A row that only its place tells from others stands there in full, wherever else it does.
    let isOwned = schema.tables[place.table].relations[place.relation].isOwnedByPlace
    if isOwned || !place.isKeys && way.level < deepest && isNew(row) {
      return try write(row, arriving: place, level: way.level + 1, inside: extra)
    }
    let access = schema.tables[row.table]
    if let column = access.keyColumn, extra == nil, options.relations != .nested {
      return access.columns[column].type.json(of: row[row.table, column], to: &output)
    }
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    let place = Way(row: row, arriving: place, level: way.level)
    try write(shapes[row.table].key, place, &isFirst)
    if let extra { try write(extra.members, way, &isFirst) }
    output.append(UInt8(ascii: "}"))
  }

  /// Whether a row stands nowhere in full yet; it does from now on.
  private func isNew(_ row: ExportedRow) -> Bool {
    if row.table == table, isOfAll { return false }
    return met[row.table].insert(row.address)
  }

  func write(_ value: StoredValue?, of place: MemberMap.ColumnPlace) throws {
    let column = schema.tables[place.table].columns[place.column]
    if let value, let key = reference(place) {
      // JSON speaks of the key of a row, and this column refers to another of its columns.
      let other = schema.tables[key.table]
      let relation = try reader.row(of: key.table, where: key.target, is: value)
      if let relation, let key = other.keyColumn {
        return other.columns[key].type.json(of: relation.values[key], to: &output)
      }
    }
    if options.dates != .rfc3339, column.transformer == nil,
      case .date(let storage) = column.type.kind, let moment = value?.moment(as: storage)
    {
      return options.dates.write(moment, to: &output)
    }
    column.type.json(of: value, through: column.transformer, to: &output)
  }

  private func reference(_ place: MemberMap.ColumnPlace) -> ForeignKey? {
    schema.tables[place.table].foreignKeys.first { key in
      guard key.column == place.column, let other = schema.tables[key.table].keyColumn
      else { return false }
      return other != key.target
    }
  }
}
