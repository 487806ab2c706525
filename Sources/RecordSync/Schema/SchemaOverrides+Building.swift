extension SchemaOverrides {
  /// Says something about a table.
  ///
  /// ```swift
  /// var overrides = SchemaOverrides()
  /// overrides.table("users") { users in
  ///   users.key = ["remote_id"]
  ///   users.column("age") { $0.name = "age_of_person" }
  ///   users.relation("tags") { $0.position = "place" }
  /// }
  /// ```
  public mutating func table(_ name: String, _ adjust: (inout Table) -> Void) {
    adjust(&tables[name, default: Table()])
  }
}

extension SchemaOverrides.Table {
  /// Says something about a column.
  public mutating func column(
    _ name: String, _ adjust: (inout SchemaOverrides.Column) -> Void
  ) {
    adjust(&columns[name, default: SchemaOverrides.Column()])
  }

  /// Says something about a relation: by its derived name, or by a new one with what it is made of.
  public mutating func relation(
    _ name: String, _ adjust: (inout SchemaOverrides.Relation) -> Void
  ) {
    adjust(&relations[name, default: SchemaOverrides.Relation()])
  }
}
