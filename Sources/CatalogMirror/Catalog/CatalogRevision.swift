import SyncText

/// What a catalog calls its own state.
package enum CatalogRevision: Hashable, Sendable {
  /// A JSON string: equal or not, without an order.
  case opaque(String)
  /// A JSON integer: the catalog thereby says that its revisions only grow.
  case ordered(Int64)
}

extension CatalogRevision: CustomStringConvertible {
  /// The revision, escaped as keys are.
  package var description: String {
    switch self {
    case .opaque(let text): CatalogKey.escape(text.utf8)
    case .ordered(let number): String(number)
    }
  }
}
