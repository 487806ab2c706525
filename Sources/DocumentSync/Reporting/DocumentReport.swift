/// What one sync of documents did.
public struct DocumentReport: Sendable, Hashable {
  /// A document that the server took, or of which people see something else now.
  public struct Change: Sendable, Hashable {
    /// Which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// Whether it was removed; else it was stored, as a new one or over an older one.
    public let isRemoval: Bool
    /// What the server calls the outcome of what it took, if it has a name for it.
    public var version: DocumentVersion?
    /// Whether its copy here went since the collection's filter doesn't let it through any more:
    /// nobody knows whether it's at the server.
    public var hasLeftFilter = false
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
    /// What the server answered, whole and without secrets; `nil` where nothing was asked, and
    /// where others took the room of 16 MiB that all answers of a report have.
    public var answer: EndpointCall?
  }

  /// A change that gave way.
  public struct Lost: Sendable, Hashable {
    /// Of which document.
    public let id: DocumentID
    /// What gave way, and why.
    public let loss: DocumentLoss
  }

  /// A document that a server has in an older version than it had.
  public struct Older: Sendable, Hashable {
    /// Which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// The version that the server has.
    public let version: DocumentVersion
  }

  /// What the server took, in the order in which that was learned.
  public var sent: [Change] = []
  /// How many files the server took.
  public var filesSent = 0
  /// How many files came here.
  public var filesReceived = 0
  /// How many files were removed at the server.
  public var filesRemoved = 0
  /// What changed here by what the server has.
  public var received: [Change] = []
  /// What both sides had changed.
  public var conflicts: [Conflict] = []
  /// What couldn't be sent or stored.
  public var failures: [Failure] = []
  /// What gave way.
  public var lost: [Lost] = []
  /// What each collection is known to be as new as now, by name: as the server's endpoint wrote it.
  public var checkpoints: [String: String] = [:]
  /// What wasn't removed since it would have been too much.
  public var refusedRemovals: [HeldBackRemovals] = []
  /// The collections of which the server forgot what it had, so that all of them was compared.
  public var compared: [String] = []
  /// What ``DocumentReplica/republish(newer:_:)`` found in an older version at the server, and
  /// left.
  public var older: [Older] = []
  /// Why the sync, or that of single collections, didn't do all of its work; empty if it did.
  public var errors: [DocumentSyncError] = []

  /// What the server answered where it led to an error of these; without secrets.
  public var answers: [DocumentSyncError: EndpointCall] = [:]

  /// Whether nothing was asked, since the server had asked to be left alone before.
  public var isHeldUp = false

  /// Nothing was done.
  package init() {}

  /// Whether nothing changed, here or there, and nothing went wrong.
  package var isQuiet: Bool {
    filesSent + filesReceived + filesRemoved == 0 && sent.isEmpty && received.isEmpty
      && conflicts.isEmpty && failures.isEmpty && lost.isEmpty && refusedRemovals.isEmpty
      && older.isEmpty && errors.isEmpty
  }
}
