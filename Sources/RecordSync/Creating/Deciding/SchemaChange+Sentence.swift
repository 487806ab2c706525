private import SyncText

extension SchemaChange: CustomStringConvertible {
  /// What is made, and what from, as the end of a sentence: `table users (id INTEGER, name TEXT): 3
  /// objects of the payload`.
  public var description: String {
    switch self {
    case .table(let table):
      "table \(table.name.shown) (\(table.columns.map(\.declared).joined(separator: ", "))): "
        + table.evidence.words
    case .column(let column, let table):
      "column \(table.shown).\(column.declared): \(column.evidence.words)"
    case .widened(let column, let table, let from, let to):
      "column \(table.shown).\(column.shown) \(to.rawValue), which was "
        + "\(from.isEmpty ? "of no type" : from.shown): values came that it couldn't hold"
    case .relation(let relation): relation.words
    case .filled(let column, let table, let rows):
      "values of \(table.shown).\(column.shown) from \(TableSchema.extraColumn), in "
        + counted(rows, "row")
    }
  }

  /// The table that is made or changed.
  public var table: String {
    switch self {
    case .table(let table): table.name
    case .relation(let relation): relation.table
    case .column(_, let table), .widened(_, let table, _, _), .filled(_, let table, _): table
    }
  }

  /// The column that is added, filled, or gets another type; `nil` for anything else.
  public var column: String? {
    switch self {
    case .table, .relation: nil
    case .column(let column, _): column.name
    case .widened(let column, _, _, _), .filled(let column, _, _): column
    }
  }
}

extension MadeColumn {
  fileprivate var declared: String {
    let names = reference.map { " → \($0.table.shown)" } ?? ""
    let path = keepsRest ? nil : jsonPath
    let json = path.map { " for \(JSONPath.text(of: $0).quoted)" } ?? ""
    return "\(name.shown) \(type.rawValue)\(names)\(json)"
  }
}

extension MadeTable.Evidence {
  fileprivate var words: String {
    switch self {
    case .elements(let count): "\(counted(count, "object")) of the payload"
    case .objects(let objects, let table): "\(objects.words) in \(table.shown)"
    case .shared(let objects, let table):
      "objects under \(objects.name.quoted) hang on several rows of \(table.shown)"
    }
  }
}

extension SeenObjects {
  fileprivate var words: String {
    "\(counted(count, "object")) \(isMany ? "in arrays " : "")under \(name.quoted)"
  }
}

extension MadeColumn.Evidence {
  fileprivate var words: String {
    switch self {
    case .values(let count): counted(count, "value")
    case .objects(let objects): objects.words
    case .order: "the order of arrays"
    case .unknownNames: "what nothing else takes"
    case .misfits(let columns):
      "values that can't stand in \(columns.map(\.shown).joined(separator: ", "))"
    case .marks: "since when a row is gone"
    }
  }
}

/// `12,000 rows`
func counted(_ count: Int, _ word: String) -> String {
  var digits = String(count)
  var place = digits.count - 3
  while place > 0 {
    digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
    place -= 3
  }
  return "\(digits) \(word)\(count == 1 ? "" : "s")"
}
