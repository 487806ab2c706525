/// What one commit changed in a store.
public struct StoreChange: Sendable, Equatable {
  /// Who changed it.
  public enum Origin: Sendable {
    /// A person, or a program for them.
    case user
    /// A sync.
    case sync
    /// Somebody else who has the same file open, such as another process.
    case others
  }

  /// Who changed it.
  public let origin: Origin
  /// The documents that are otherwise now, in the order in which they were changed.
  public let documents: [ChangedDocument]
  /// Whether these are all. Else any other document may be another, too: others don't say what they
  /// changed, nor does who hides or drops a collection, or changes very many at once.
  public let isComplete: Bool

  /// Whether a document may be otherwise now.
  public func concerns(_ id: DocumentID) -> Bool {
    !isComplete || documents.contains { $0.id == id }
  }
}

/// What became of a document in one commit.
public struct ChangedDocument: Sendable, Equatable {
  /// What people see of it.
  public enum Kind: Sendable {
    /// It's there, and wasn't before.
    case appeared
    /// It says something else.
    case changed
    /// It's there no more.
    case disappeared
    /// It says what it said, and stands otherwise: it was sent, say, or is in conflict.
    case status
  }

  /// Which document.
  public let id: DocumentID
  /// Where it's at home.
  public let scope: DocumentScope
  /// What became of it.
  public let kind: Kind
}
