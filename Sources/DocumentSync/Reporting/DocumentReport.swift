/// What one sync of documents did.
public struct DocumentReport: Sendable, Hashable {
  /// A document that the server took.
  public struct Sent: Sendable, Hashable {
    /// What was done with it.
    public enum Deed: String, Sendable, Hashable {
      /// It was stored, as a new one or over an older one.
      case stored
      /// It was removed.
      case removed
    }

    /// Which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// What was done with it.
    public let deed: Deed
    /// What the server calls the outcome, if it has a name for it.
    public let version: DocumentVersion?
  }

  /// A document of which people see something else now.
  public struct Received: Sendable, Hashable {
    /// Which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// Whether it is gone.
    public let isGone: Bool
  }

  /// A document that both sides changed.
  public struct Conflict: Sendable, Hashable {
    /// Which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// The policies that were asked, the one that decided last; none where a deletion won.
    public let policies: [ConflictPolicy.Name]
    /// Whether it waits for somebody to decide.
    public let isParked: Bool
  }

  /// A document that couldn't be sent or stored.
  public struct Failure: Sendable, Hashable {
    /// Its id, or what else it's told from others by.
    public let name: String
    /// Its collection.
    public let collection: String
    /// Why, for a place behind a colon.
    public let words: String
    /// Whether the server refused to take it; else it couldn't be stored here, or waits.
    public let isRefusal: Bool
    /// Whether the server was in trouble with it, so that it waits and is tried again.
    public var isWaiting = false
  }

  /// Files that are where they belong by this sync.
  public struct Files: Sendable, Hashable {
    /// Those that the server took.
    public var sent = 0
    /// Those that came here.
    public var received = 0
    /// Those that were removed at the server.
    public var removed = 0
  }

  /// A change that gave way.
  public struct Lost: Sendable, Hashable {
    /// Of which document.
    public let id: DocumentID
    /// What gave way, and why.
    public let loss: DocumentLoss
  }

  /// Removals that would have been too many: none of them was made.
  public struct RefusedRemoval: Sendable, Hashable {
    /// Of which collection.
    public let collection: String
    /// How many documents would have gone.
    public let count: Int
    /// Of how many.
    public let held: Int
  }

  /// What the server took, in the order in which that was learned.
  public var sent: [Sent] = []
  /// How many files travelled.
  public var files = Files()
  /// What changed here by what the server has.
  public var received: [Received] = []
  /// What both sides had changed.
  public var conflicts: [Conflict] = []
  /// What couldn't be sent or stored.
  public var failures: [Failure] = []
  /// What gave way.
  public var lost: [Lost] = []
  /// What each collection is known to be as new as now, by name: as the server's endpoint wrote it.
  public var checkpoints: [String: String] = [:]
  /// What wasn't removed since it would have been too much.
  public var refusedRemovals: [RefusedRemoval] = []
  /// The collections of which the server forgot what it had, so that all of them was compared.
  public var compared: [String] = []
  /// Why the sync, or that of single collections, didn't do all of its work; empty if it did.
  public var errors: [DocumentSyncError] = []

  /// Whether nothing was asked, since the server had asked to be left alone before.
  public var isHeldUp = false

  /// Nothing was done.
  public init() {}

  /// Whether nothing changed, here or there, and nothing went wrong.
  public var isQuiet: Bool {
    files == Files() && sent.isEmpty && received.isEmpty && conflicts.isEmpty && failures.isEmpty
      && lost.isEmpty
      && refusedRemovals.isEmpty && errors.isEmpty
  }
}
