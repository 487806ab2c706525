/// What is asked of a server for an entry, with all that makes it safe to be asked twice.
struct SendOrder: Sendable, Equatable {
  /// What is asked, and on what condition.
  typealias Kind = SendKind

  /// Which content is sent.
  let revision: Revision
  let kind: Kind

  /// The same for each try of this revision, and of no other; `nil` for what changes nothing.
  ///
  /// - Parameter store: what no other store is called.
  func idempotencyKey(ofStore store: String) -> String? {
    kind == .look ? nil : "\(store)-\(revision.number)"
  }
}

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

/// The number of one content of one document.
///
/// Each change takes the next number of the store, so that no two contents share one, whichever
/// document they are of. Requests that differ never carry the same revision.
struct Revision: Sendable, Hashable, Comparable {
  /// Rises from change to change.
  let number: Int64

  init(_ number: Int64) {
    self.number = number
  }

  static func < (one: Revision, other: Revision) -> Bool { one.number < other.number }
}
