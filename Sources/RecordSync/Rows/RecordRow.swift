/// A row as JSON would have it.
public struct RecordRow: Sendable, Equatable {
  /// What identifies it.
  public let key: RecordKey
  /// Its columns by their names, and those of the rows that it extends: dates as RFC 3339, truth
  /// values as such, JSON as what it says.
  public let values: [String: RecordValue]
  /// Under which names, besides its own, each column is looked for.
  let otherNames: [String: [String]]

  /// What a column holds; `nil` if there is no such column.
  public subscript(column: String) -> RecordValue? { values[column] }

  /// Two rows with the same columns.
  public static func == (one: RecordRow, other: RecordRow) -> Bool {
    one.key == other.key && one.values == other.values
  }
}
