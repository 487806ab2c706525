/// What is asked of a server for a document, and on what condition.
public enum SendKind: Sendable, Hashable {
  /// Stores the content, unless the server has the document already.
  case create
  /// Stores the content, if the server still has that version.
  case update(DocumentVersion)
  /// Removes the document, if the server still has that version.
  case delete(DocumentVersion)
  /// Reads what the server has, before a deletion whose version isn't known.
  case look

  /// Whether the document would be gone after it.
  public var isDeletion: Bool {
    switch self {
    case .delete: true
    case .create, .update, .look: false
    }
  }
}
