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
      "column \(table.shown).\(column.declared): \(column.evidence.words(for: column))"
    case .widened(let column, let table, let from, let to):
      "column \(table.shown).\(column.shown) \(to.rawValue), which was "
        + "\(from.isEmpty ? "of no type" : from.shown): values came that it couldn't hold"
    case .loosened(let column, let table):
      "rows of \(table.shown) stay when what \(column.shown) names goes: they hang on others, too"
    case .relinked(let column, let table, let through):
      "links of \(through.name.shown) from \(table.shown).\(column.shown), which refers to nothing "
        + "any more"
    case .filled(let column, let table, let rows):
      "values of \(table.shown).\(column.shown) from \(TableSchema.extraColumn), in "
        + counted(rows, "row")
    }
  }

  /// What is said of the links that a new table has, each as a sentence of its own.
  public var links: [String] {
    guard case .table(let table) = self else { return [] }
    if case .shared = table.evidence { return [] }
    return table.columns.compactMap { column in
      if case .differing = column.evidence {
        return "\(table.name.shown).\(column.name.shown) is JSON: "
          + column.evidence.words(for: column)
      }
      guard let reference = column.reference else { return nil }
      return "\(table.name.shown).\(column.name.shown) names \(reference.table.shown)."
        + "\(reference.column.shown): \(column.evidence.words(for: column))"
    }
  }

  /// The table that is made or changed.
  public var table: String {
    switch self {
    case .table(let table): table.name
    case .column(_, let table), .widened(_, let table, _, _), .loosened(_, let table),
      .relinked(_, let table, _),
      .filled(_, let table, _):
      table
    }
  }

  /// The column that is added, declared anew or filled; `nil` for a whole table.
  public var column: String? {
    switch self {
    case .table: nil
    case .column(let column, _): column.name
    case .widened(let column, _, _, _), .loosened(let column, _), .relinked(let column, _, _),
      .filled(let column, _, _):
      column
    }
  }
}

extension MadeColumn {
  fileprivate var declared: String {
    let names = reference.map { " → \($0.table.shown)" } ?? ""
    let json = jsonName.map { " for \($0.quoted)" } ?? ""
    return "\(name.shown) \(type.rawValue)\(names)\(json)"
  }
}

extension MadeTable.Evidence {
  fileprivate var words: String {
    switch self {
    case .elements(let count): "\(counted(count, "object")) of the payload"
    case .objects(let count, let name, let table):
      "\(counted(count, "object")) under \(name.quoted) in \(table.shown)"
    case .arrays(let count, let name, let table):
      "\(counted(count, "object")) in arrays under \(name.quoted) in \(table.shown)"
    case .shared(let name, let table):
      "objects under \(name.quoted) hang on several rows of \(table.shown)"
    }
  }
}

extension MadeColumn.Evidence {
  fileprivate func words(for column: MadeColumn) -> String {
    let target = column.reference.map { "\($0.table.shown).\($0.column.shown)" } ?? ""
    switch self {
    case .values(let count): return counted(count, "value")
    case .objects(0, let name), .arrays(0, let name):
      return "keys of its rows under \(name.quoted)"
    case .objects(let count, let name): return "\(counted(count, "object")) under \(name.quoted)"
    case .equalKeys(let count, _), .equalParents(let count, _):
      return "\(column.name.shown) equals \(target) in all of \(counted(count, "row"))"
    case .arrays(let count, let name):
      return "\(counted(count, "object")) in arrays under \(name.quoted)"
    case .differing(let count, let name, let key?, let member?):
      return "\(counted(count, "object")) under \(name.quoted), of which those with the key "
        + "\(key.shown) differ in \(member.quoted): they are no rows of one table"
    case .differing(let count, let name, _, _):
      return "\(counted(count, "object")) under \(name.quoted), of which one differs from an "
        + "object of its key that stands elsewhere: they are no rows of one table"
    case .unknownNames: return "what nothing else takes"
    }
  }
}

/// `12,000 rows`
private func counted(_ count: Int, _ word: String) -> String {
  var digits = String(count)
  var place = digits.count - 3
  while place > 0 {
    digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
    place -= 3
  }
  return "\(digits) \(word)\(count == 1 ? "" : "s")"
}
