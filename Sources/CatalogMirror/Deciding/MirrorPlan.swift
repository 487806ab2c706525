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
  /// What the source has and the scope leaves out, in the order of the listing.
  public var leftOut: [LeftOut] = []
  /// Items that are held and outside the scope, and that would stay.
  public var outside = 0
  /// Whether the scope is another one than in the last run.
  public var hasNewScope = false
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

  /// Something that the scope leaves out.
  public struct LeftOut: Sendable, Equatable {
    /// The item's key, escaped; for a directory that wasn't even listed, its path with a slash at
    /// its end.
    public var key: String
    /// Whether it is such a directory.
    public var isDirectory: Bool
    /// Why.
    public var reason: LeftOutReason
  }

  /// How much is left out for each reason, in the order in which they were met.
  public var leftOutCounts: [(reason: LeftOutReason, items: Int, directories: Int)] {
    var places: [LeftOutReason: Int] = [:]
    var counts: [(reason: LeftOutReason, items: Int, directories: Int)] = []
    for left in leftOut {
      let place = places[left.reason] ?? counts.count
      if place == counts.count {
        places[left.reason] = place
        counts.append((left.reason, 0, 0))
      }
      if left.isDirectory { counts[place].directories += 1 } else { counts[place].items += 1 }
    }
    return counts
  }
}

extension MirrorPlan.LeftOut {
  init(_ left: LeftOut) {
    key = left.key.description
    isDirectory = left.isDirectory
    reason = left.reason
  }
}
