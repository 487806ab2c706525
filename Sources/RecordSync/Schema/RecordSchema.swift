private import SyncText

/// What a database's tables are to JSON: read from the database itself, adjusted by overrides.
public struct RecordSchema: Sendable, Equatable {
  /// The tables, by name. Those that SQLite or this package keeps for itself aren't among them, nor
  /// are views and virtual tables.
  public var tables: [TableSchema]
  /// What was understood and may not be what was meant.
  public var warnings: [SchemaWarning]
  /// Whether references that lead nowhere are remembered, and linked once their targets come.
  package var remembersUnresolved = false
  /// What each table makes of the members of an object.
  package var members: [MemberMap]
  /// Tables by their names in lower case (A to Z only, as SQLite compares names).
  package var places: [String: Int]
  /// How names in two spellings are known for one.
  package var spelling: Spelling

  /// The place of a table, whose name is compared as SQLite does: A to Z count as a to z.
  package func place(of table: String) -> Int? { places[table.asciiLowercased] }
}
