/// What becomes of a change that a server refuses.
public enum RefusalPolicy: Sendable {
  /// It's set aside until it's edited, or somebody wants it tried again. The default.
  case leave
  /// It's given up: the server's last value is here again, and what was given up is told as lost.
  case resign
  /// It's tried again within the same sync, so many times at most, after pauses that double from
  /// 1 s on; then it's set aside.
  case retry(atMost: Int)
  /// Somebody decides about each; about what is left so, they are asked again by each sync.
  case ask(@Sendable (RefusedChange) async -> RefusedChange.Decision)
}

/// A change that a server refused.
public struct RefusedChange: Sendable, Hashable {
  /// What is to become of it.
  public enum Decision: Sendable, Hashable {
    /// It stays set aside.
    case leave
    /// It's given up for the server's last value.
    case resign
    /// It's sent once more, at once.
    case retry
  }

  /// Of which document.
  public let id: DocumentID
  /// Its collection.
  public let collection: String
  /// What the document says here; `nil` where it was deleted.
  public let content: DocumentValue?
  /// The status of HTTP that the server refused it with.
  public let status: Int
  /// What the server said beside it.
  public let words: String
}

/// Decides between a document and the server's; `nil` leaves both for later.
public typealias ConflictDecider =
  @Sendable (DocumentID, DocumentConflict) async -> DocumentConflict.Resolution?
