public import DocumentSync

/// How a ``ReferenceServer`` does what servers do differently.
public struct ServerManners: Sendable, Hashable {
  /// How a server names the moments of its changes.
  public enum Stamps: Sendable, Hashable {
    /// Each change of a collection has a later one than the change before it, whatever the clock
    /// says.
    case rising
    /// As the clock says: changes may have the same one, and a clock that is put back gives earlier
    /// ones. Checkpoints are asked for inclusively, so that equal ones aren't missed; what an
    /// earlier stamp hides from a checkpoint is missed, as it is with such servers.
    case asTheClockSays
  }

  /// What a server does with a document that is made anew where it was deleted.
  public enum Revival: Sendable, Hashable {
    /// It stores it.
    case allowed
    /// It refuses, and shows the deletion.
    case refused
  }

  /// What it can do.
  public var capabilities: EndpointCapabilities
  /// How many documents a page has.
  public var pageSize: Int
  /// How it names moments.
  public var stamps: Stamps
  /// What it does with documents that are made anew.
  public var revival: Revival
  /// Whether a conflict shows what the server has.
  public var showsConflicts: Bool
  /// The documents that it won't take, whatever they say: 400. By default none.
  public var unwanted: Set<DocumentID> = []
  /// The collections whose documents it gives ids of its own, which are numbers. By default none.
  public var serverKeys: Set<String> = []
  /// The most bytes that it takes of a file: 413 for more. By default any number.
  public var longestFile: Int?

  /// How a server does it. By default it can do everything but store files.
  public init(
    capabilities: EndpointCapabilities = EndpointCapabilities(
      features: [.preconditions, .changes, .tombstones, .idempotencyKeys, .revivals],
      batchEntries: 25),
    pageSize: Int = 100, stamps: Stamps = .rising, revival: Revival = .allowed,
    showsConflicts: Bool = true
  ) {
    self.capabilities = capabilities
    self.pageSize = max(1, pageSize)
    self.stamps = stamps
    self.revival = revival
    self.showsConflicts = showsConflicts
  }
}
