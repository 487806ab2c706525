@testable import RecordSync

extension TestDatabase {
  /// Syncs a payload into tables that are made for it.
  @discardableResult
  func create(
    _ json: String, _ table: String, overrides: SchemaOverrides = SchemaOverrides(),
    _ change: (inout RecordOptions) -> Void = { _ in }
  ) async throws -> RecordReport {
    try await sync(json, table, overrides: overrides) { options in
      options.creates = true
      change(&options)
    }
  }

  /// The columns of a table with their types, in their order: `id INTEGER`.
  func columns(_ table: String) throws -> [String] {
    try rows("SELECT name || ' ' || type FROM pragma_table_info('\(table)')")
  }

  /// The names of all tables but those of this package.
  func tables() throws -> [String] {
    try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .filter { !$0.hasPrefix(DeclaredTable.ownPrefix) }
  }

  /// All that the database is made of.
  func declarations() throws -> [String] {
    try rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
  }
}

extension RecordReport {
  /// What was decided of objects under names, each as a sentence.
  var relations: [String] {
    made.compactMap { if case .relation = $0 { $0.description } else { nil } }
  }
}
