internal import SyncDatabase
internal import SyncText

extension RecordExport {
  /// What stands under a column's name.
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
