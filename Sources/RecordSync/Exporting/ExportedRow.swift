internal import SyncDatabase

/// A row on its way out, with those of the tables that its own extends.
struct ExportedRow {
  let table: Int
  /// The row, and those that it extends, as far as they are there.
  let layers: [(table: Int, row: FoundRow)]

  var address: [StoredValue] { layers[0].row.address }

  /// The value of a column, of its table or of one that this extends.
  subscript(place: MemberMap.ColumnPlace) -> StoredValue? { self[place.table, place.column] }

  subscript(table: Int, column: Int) -> StoredValue? {
    layers.first { $0.table == table }?.row.values[column]
  }
}

extension Relation.Kind {
  /// Whether following this relation back, from the row to which another one led, leads again to
  /// where that began.
  ///
  /// - Parameters:
  ///   - table: The table of this relation.
  ///   - other: The one that led there, which is a relation of `origin`.
  func leadsBack(from table: Int, over other: Relation.Kind, of origin: Int) -> Bool {
    switch (self, other) {
    case (.toOne(let column, _, _), .toMany(let child, let link, _)),
      (.toOne(let column, _, _), .inverseToOne(let child, let link, _)):
      return table == child && column == link
    case (.toMany(let child, let link, _), .toOne(let column, _, _)),
      (.inverseToOne(let child, let link, _), .toOne(let column, _, _)):
      return origin == child && column == link
    case (
      .manyToMany(let one, let here, _, let there, _, _),
      .manyToMany(let two, let from, _, let to, _, _)
    ):
      return one == two && here == to && there == from
    default: return false
    }
  }
}
