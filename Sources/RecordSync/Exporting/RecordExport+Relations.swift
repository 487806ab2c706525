internal import SyncText

extension RecordExport {
  /// What stands under a relation's name.
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
    if !place.isKeys, way.level < deepest, isNew(row) {
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
    if row.table == table, case .all = selection { return false }
    return met[row.table].insert(row.address)
  }
}
