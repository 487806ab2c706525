/// What is asked of a server for an entry, with all that makes it safe to be asked twice.
struct SendOrder: Sendable, Equatable {
  /// What is asked, and on what condition.
  enum Kind: Sendable, Equatable {
    /// Stores the content, unless the server has the document already.
    case create
    /// Stores the content, if the server still has that version.
    case update(DocumentVersion)
    /// Removes the document, if the server still has that version.
    case delete(DocumentVersion)
    /// Reads what the server has, before a deletion whose version isn't known.
    case look

    /// Whether the document would be gone after it.
    var isDeletion: Bool {
      switch self {
      case .delete: true
      case .create, .update, .look: false
      }
    }
  }

  /// Which content is sent.
  let revision: Revision
  /// What is asked.
  let kind: Kind

  /// The same for each try of this revision, and of no other; `nil` for what changes nothing.
  ///
  /// - Parameter store: what no other store is called.
  func idempotencyKey(ofStore store: String) -> String? {
    kind == .look ? nil : "\(store)-\(revision.number)"
  }
}
