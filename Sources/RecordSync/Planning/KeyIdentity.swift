private import SyncDatabase
private import SyncText

/// How a table tells its keys apart: as the collations of its key's columns do.
package struct KeyIdentity: Sendable, Equatable {
  private let collations: [ColumnSchema.Collation]
  private let isPlain: Bool

  /// That of a table.
  package init(_ table: TableSchema) {
    collations = table.key.columns.map { table.columns[$0].collation }
    isPlain = collations.allSatisfy { $0 == .binary }
  }

  /// What is equal for keys that the table holds for one.
  package func identity(of key: RecordKey) -> RecordKey {
    guard !isPlain else { return key }
    return RecordKey(
      zip(key.values, collations).map { value, collation in
        guard case .text(let text) = value else { return value }
        switch collation {
        case .noCase: return .text(text.asciiLowercased)
        case .trimmed: return .text(String(text.reversed().drop { $0 == " " }.reversed()))
        case .binary, .other: return value
        }
      })
  }
}
