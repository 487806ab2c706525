package import SyncDatabase

/// What a value of JSON becomes in a column.
package enum Conversion: Sendable, Equatable {
  /// What is stored; NULL is `nil`. It was coerced if JSON had another type than the column wants
  /// (`"1"` for an integer).
  case stored(StoredValue?, isCoerced: Bool)
  /// Nothing: the column can't hold what came.
  case mismatch
}
