import SyncText

/// What a catalog calls its own state.
public enum CatalogRevision: Hashable, Sendable {
  /// A JSON string: equal or not, without an order.
  case opaque(String)
  /// A JSON integer: the catalog thereby says that its revisions only grow.
  case ordered(Int64)
}

extension CatalogRevision: CustomStringConvertible {
  /// The revision, escaped as keys are.
  public var description: String {
    switch self {
    case .opaque(let text): CatalogKey.escape(text.utf8)
    case .ordered(let number): String(number)
    }
  }
}

extension CatalogRevision {
  /// The form in which the index keeps it.
  var stored: String {
    switch self {
    case .opaque(let text): "text " + text
    case .ordered(let number): "number \(number)"
    }
  }

  init?(stored: String) {
    if stored.hasPrefix("text ") {
      self = .opaque(String(stored.dropFirst(5)))
    } else if stored.hasPrefix("number "), let number = Int64(stored.dropFirst(7)) {
      self = .ordered(number)
    } else {
      return nil
    }
  }
}
