/// Who gives way where both sides changed a document.
///
/// Policies stand in a line: where one can't decide, the next one does, and at the line's end the
/// server wins. Whatever gives way is told as a ``DocumentLoss``. A document that was deleted here
/// stays deleted under every policy.
public enum ConflictPolicy: Sendable, Hashable {
  /// The server's copy is taken. A document that it deleted is gone here as well.
  case serverWins
  /// The edit is put over the server's copy and sent again, and a document that the server deleted
  /// is made again; at most so many times for one edit. Then the next policy decides, and if there
  /// is none, the document is left in conflict, edit and all.
  case localWins(atMost: Int)
  /// Both changes are united member by member. What both changed differently, the next policy
  /// decides. A deletion at the server wins.
  case merge
  /// Of each top-level member the latest change is taken. A deletion at the server wins.
  case latest
  /// The document is left in conflict until somebody decides, also where different members were
  /// edited.
  case ask

  /// A policy without its numbers.
  public enum Name: Sendable, Hashable, CaseIterable {
    /// The server's copy is taken.
    case serverWins
    /// The edit is sent again.
    case localWins
    /// Both are united.
    case merge
    /// The later one of each member is taken.
    case latest
    /// Somebody decides.
    case ask
  }

  /// The policy without its numbers.
  public var name: Name {
    switch self {
    case .serverWins: .serverWins
    case .localWins: .localWins
    case .merge: .merge
    case .latest: .latest
    case .ask: .ask
    }
  }
}
