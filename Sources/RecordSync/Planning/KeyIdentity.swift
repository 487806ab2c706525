private import SyncDatabase
private import SyncText

/// How a table tells its keys apart: by what they mean in their columns' types, and as the columns'
/// collations do.
package struct KeyIdentity: Sendable, Equatable {
  private let columns: [ColumnSchema]
  private let isPlain: Bool
  /// Whether a key may be stored in more forms than one.
  package let hasForms: Bool

  package init(_ table: TableSchema) {
    columns = table.key.columns.map { table.columns[$0] }
    hasForms = columns.contains { $0.type.hasForms }
    isPlain = !hasForms && columns.allSatisfy { $0.collation == .binary }
  }

  /// What is equal for keys that the table holds for one.
  package func identity(of key: RecordKey) -> RecordKey {
    guard !isPlain else { return key }
    return RecordKey(
      zip(key.values, columns).map { value, column in
        column.collation.folded(column.type.canonical(value))
      })
  }

  /// The other forms in which programs are known to store the key.
  package func forms(of key: RecordKey) -> [RecordKey] {
    guard hasForms else { return [] }
    var forms: [[StoredValue]] = [[]]
    for (value, column) in zip(key.values, columns) {
      let own = [value] + column.type.forms(of: value)
      forms = forms.flatMap { form in own.map { form + [$0] } }
    }
    return forms.map(RecordKey.init).filter { $0 != key }
  }
}

extension ColumnSchema.Collation {
  /// What is equal for values that it holds for one.
  fileprivate func folded(_ value: StoredValue) -> StoredValue {
    guard case .text(let text) = value else { return value }
    switch self {
    case .noCase: return .text(text.asciiLowercased)
    case .trimmed: return .text(String(text.reversed().drop { $0 == " " }.reversed()))
    case .binary, .other: return value
    }
  }
}
