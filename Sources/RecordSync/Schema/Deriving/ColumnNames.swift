/// The names in JSON that the columns of one table claim for themselves.
struct ColumnNames {
  private let table: TableSchema
  private let spelling: Spelling
  private var declared: [[String]: Int] = [:]
  /// By the columns' own names, of those without a declared one, and by the key's name in JSON.
  private var literal: [String: Int] = [:]
  /// The same names in one spelling.
  private var spelled: [[UInt8]: Int] = [:]

  /// - Parameter table: With its key.
  init(_ table: TableSchema, _ spelling: Spelling) throws(SchemaProblem) {
    self.table = table
    self.spelling = spelling
    for (place, column) in table.columns.enumerated() where !column.isGenerated {
      guard let path = column.jsonPath else {
        addLiteral(column.name, place)
        continue
      }
      if let other = declared.updateValue(place, forKey: path) {
        throw problem(path.joined(separator: "."), other, place)
      }
    }
    for (column, name) in zip(table.key.columns, table.key.jsonNames)
    where table.columns[column].jsonPath == nil { addLiteral(name, column) }
    for (path, place) in declared.sorted(by: { $0.value < $1.value }) where path.count == 1 {
      if let other = literal[path[0]], other != place { throw problem(path[0], other, place) }
    }
  }

  private mutating func addLiteral(_ name: String, _ place: Int) {
    if literal[name] == nil { literal[name] = place }
    let canonical = spelling.canonical(Array(name.utf8))
    if spelled[canonical] == nil { spelled[canonical] = place }
  }

  private func problem(_ name: String, _ first: Int, _ second: Int) -> SchemaProblem {
    .sameName(
      name, table: table.name, first: table.columns[first].name,
      second: table.columns[second].name)
  }

  /// The column that has a name of one part, in whatever spelling.
  func column(goingBy name: String) -> Int? {
    declared[[name]] ?? literal[name] ?? spelled[spelling.canonical(Array(name.utf8))]
  }

  /// The column that claims the same name as a declared one does.
  func column(claiming path: [String]) -> Int? {
    declared[path] ?? (path.count == 1 ? literal[path[0]] : nil)
  }
}
