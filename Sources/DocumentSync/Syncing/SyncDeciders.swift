/// Whom a sync asks where a policy says so.
///
/// They are asked at the end of a sync, one document at a time, while that sync waits for them:
/// each must answer in the end. What they answer is sent by the same sync. An answer about what has
/// become something else meanwhile is left out.
public struct SyncDeciders: Sendable {
  /// A change that a server refused.
  public struct RefusedChange: Sendable, Hashable {
    /// Of which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// What the document is to be; `nil` if it's to be deleted.
    public let content: DocumentValue?
    /// The status of HTTP.
    public let status: Int
    /// The server's own words.
    public let words: String
  }

  /// What is to become of a change that a server refused.
  public enum RefusalAnswer: Sendable, Hashable {
    /// It stays set aside.
    case leave
    /// It's given up, and told as lost.
    case resign
    /// It's tried again, at once.
    case tryAgain
  }

  /// Decides a conflict that ``ConflictPolicy/ask`` left open; `nil` leaves it open. By default
  /// nobody is asked.
  public var conflict:
    (@Sendable (DocumentID, DocumentConflict) async -> DocumentConflict.Resolution?)?
  /// Decides about what was set aside, where ``ErrorPolicy/ask`` says so. By default nobody is
  /// asked.
  public var refusal: (@Sendable (RefusedChange) async -> RefusalAnswer)?

  /// Nobody is asked.
  public init() {}
}
