extension DeclaredTable.Column {
  init(_ column: MadeColumn, keyPlace: Int) {
    self.init(
      name: column.name, type: column.type.rawValue,
      isRequired: keyPlace > 0 && column.type != .integer, hasDefault: false, keyPlace: keyPlace,
      isGenerated: false, collation: "BINARY", jsonPath: column.jsonName.map { [$0] })
  }
}

extension MadeColumn {
  var foreignKeys: [DeclaredTable.ForeignKey] {
    guard let reference else { return [] }
    return [
      DeclaredTable.ForeignKey(
        columns: [name], table: reference.table, targets: [reference.column],
        onDelete: reference.isChild ? "CASCADE" : "SET NULL")
    ]
  }
}

extension MadeType {
  /// The type of a column whose values were said to be something; `nil` where nothing was said.
  init?(_ saying: SchemaOverrides.Column) {
    switch (saying.date, saying.kind) {
    case (.milliseconds?, _), (.seconds?, _): self = .integer
    case (.text?, _): self = .text
    case (nil, .boolean?): self = .boolean
    case (nil, .integer?): self = .integer
    case (nil, .real?): self = .real
    case (nil, .decimal?): self = .decimal
    case (nil, .json?): self = .json
    case (nil, .blob?): self = .blob
    case (nil, .text?), (nil, .uuid?), (nil, .url?), (nil, .date?), (nil, .any?): self = .text
    case (nil, nil): return nil
    }
  }
}
