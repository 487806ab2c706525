import SyncText

/// What a sync would do, and why.
public struct MirrorPlan: Sendable {
  /// What would be fetched, in this order.
  public var fetches: [Fetch] = []
  /// Bytes of all contents that would be fetched, as far as the catalog gives sizes.
  public var bytes: Int64 { fetches.reduce(0) { $0.addingSaturated($1.bytes ?? 0) } }
  /// Keys of items that would be removed, escaped.
  public var removals: [String] = []
  /// Items that the source lacks and that would stay, since nothing is to be removed.
  public var kept = 0
  /// Whether the removals would be refused: they are too many of so many items.
  public var refusedRemoval: (count: Int, of: Int)?
  /// Whether the source proved that nothing changed.
  public var wasUnchanged = false
  /// Why absence from the listing means nothing; empty when it means removal.
  public var partial: [PartialReason] = []

  /// Directories whose listings can't be read, by their URLs, with the reason.
  public var unreadable: [MirrorReport.Failure] = []

  /// One item that would be fetched.
  public struct Fetch: Sendable, Equatable {
    /// The item's key, escaped.
    public var key: String
    /// Why: `new`, `changed`, `damaged`, `unsettled` or `unusable`.
    public var reason: String
    /// Bytes of the content, where the catalog gives them.
    public var bytes: Int64?
  }
}
