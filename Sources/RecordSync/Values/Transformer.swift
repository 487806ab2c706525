package import SyncDatabase
package import SyncText

/// Changes a column's values on their way in, and back on their way out. It has the last word: what
/// it gives is stored as it is.
public struct Transformer: Sendable {
  /// What it is known by; two of one name are taken for the same.
  public let name: String
  /// From JSON to what is stored; `nil` is a mismatch, an inner `nil` NULL.
  package let stored: @Sendable (JSONValue) -> StoredValue??
  /// From what is stored to the text of a JSON value.
  package let exported: @Sendable (StoredValue?) -> [UInt8]

  package init(
    name: String, stored: @escaping @Sendable (JSONValue) -> StoredValue??,
    exported: @escaping @Sendable (StoredValue?) -> [UInt8]
  ) {
    self.name = name
    self.stored = stored
    self.exported = exported
  }
}

extension Transformer: Equatable {
  /// Equal names.
  public static func == (one: Transformer, other: Transformer) -> Bool { one.name == other.name }
}
