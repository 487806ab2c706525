/// How it stands with a document.
public struct DocumentStatus: Sendable, Equatable {
  /// What is here, beside what the server had last.
  public enum State: String, Sendable {
    /// The same.
    case synced
    /// Something that no server is known to have.
    case created
    /// Something else.
    case edited
    /// Nothing any more.
    case deleted
  }

  /// What keeps a change from being sent.
  public enum Problem: String, Sendable {
    /// Somebody is to decide between it and the server's.
    case conflict
    /// The server won't take it.
    case rejected
    /// Something else.
    case other
  }

  /// What is here.
  public let state: State
  /// What is wrong with it, if anything is.
  public let problem: Problem?
  /// Whether something of it is to be sent.
  public let isPending: Bool
  /// The server's name for its copy, if that has one.
  public let version: DocumentVersion?
  /// The server's own words, where it refused.
  public let words: String?
  /// Why it isn't at the server as it is here; `nil` if it is.
  public let reason: UnsentReason?

  /// How it stands with a document that is known.
  init(_ document: StoredDocument, _ reason: UnsentReason? = nil) {
    self.reason = reason
    state =
      if document.body == nil {
        .deleted
      } else if document.base == nil {
        .created
      } else {
        document.isSynced ? .synced : .edited
      }
    isPending = document.entry != nil
    version = document.base?.version
    (problem, words) =
      switch document.entry?.phase {
      case .setAside(.refused(let refusal)): (.rejected, refusal.words)
      case .setAside(.madeAs), .setAside(.unknownForm): (.other, nil)
      case .waiting, .sending, .contested, .parked, .setAside(.outrun), nil:
        (document.isInConflict ? .conflict : nil, nil)
      }
  }
}
