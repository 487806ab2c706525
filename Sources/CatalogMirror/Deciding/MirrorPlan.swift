import SyncText

/// What a sync would do, and why.
public struct MirrorPlan: Sendable {
  /// What would be fetched, in this order.
  public var fetches: [Fetch] = []
  /// Empty files that would be made without a request, as their SHA-256 tells that there is nothing
  /// to fetch; in this order.
  public var empties: [Fetch] = []
  /// How many files of ``fetches`` and ``copies`` would come in packs, many with a request.
  public var packed = 0
  /// How many requests those would take.
  public var packRequests = 0
  /// How many of these are for a part of a pack. Whether the server gives parts, only a sync finds
  /// out; where it doesn't, the whole pack comes, or each file by itself.
  public var packParts = 0
  /// What would be made of bytes that are here, in this order. What is to be made of a file that is
  /// itself replaced in the same run may be fetched after all.
  public var copies: [Copy] = []
  /// What the server would be asked about, and fetched only if it has changed.
  public var asks: [Fetch] = []
  /// What of all these failed in the last run that tried it, and why then, in their
  /// order. Whether it can be had by now, only a sync finds out.
  public var failedBefore: [MirrorReport.Failure] = []
  /// Keys of items whose files are there already, escaped: they would be taken over as they are.
  public var adoptions: [String] = []
  /// Files that aren't the mirror's, or were edited, and would be moved to `.mirror/displaced`.
  public var displacements: [Displacement] = []
  /// Keys of items that would be removed, escaped; named also where that would be refused.
  public var removals: [String] = []
  /// Items that the source lacks and that would stay, since nothing is to be removed.
  public var kept = 0
  /// What would fail, as the catalog has it: the first 1,000 with their reasons.
  public var unusable: [MirrorReport.Failure] = []
  /// How many would fail so, named in ``unusable`` or not.
  public var unusableCount = 0
  /// What would fail as it did in the last run, where nothing else would; then ``unusable`` is
  /// empty.
  public var flaws: [MirrorReport.Failure] = []
  /// Whether the removals would be refused, since they are too many of so many items; then nothing
  /// would be done at all.
  public var refusedRemoval: (count: Int, of: Int)?
  /// What the source has and the scope leaves out, in the order of the listing.
  public var leftOut: [LeftOut] = []
  /// What of the scope means nothing for this listing; unknown where the source has nothing new.
  public var remarks: [ListingRemark] = []
  /// Items that are held and outside the scope, and that would stay.
  public var outside = 0
  /// How many of ``removals`` are outside the scope, and would go for that.
  public var leaving = 0
  /// Whether the scope is another one than in the last run.
  public var hasNewScope = false
  /// What a sync would say of the refusal besides, such as that the listing is empty.
  public var refusal: MirrorReport.Failure?
  /// Whether the source proved that nothing changed.
  public var wasUnchanged = false
  /// Whether the index was believed, so that nobody looked at the files that are held.
  public var trustedIndex = false
  /// Why absence from the listing means nothing; empty when it means removal.
  public var partial: [PartialReason] = []
  /// Directories whose listings can't be read, by their URLs, with the reason.
  public var unreadable: [MirrorReport.Failure] = []
  /// Whether there is one among them that the last run didn't have.
  public var hasNewUnreadable = false

  /// One item that would be fetched, or asked about.
  public struct Fetch: Sendable, Equatable {
    // Which has the key already: there may be a million of these.
    private let entry: CatalogEntry
    /// Why.
    public var reason: Reason
    /// Whether it is only about the item's preview.
    public let isPreview: Bool
    private let hasPreview: Bool

    init(of entry: CatalogEntry, reason: Reason, wantsContent: Bool, wantsPreview: Bool) {
      self.entry = entry
      self.reason = reason
      (isPreview, hasPreview) = (!wantsContent, wantsPreview)
    }

    /// Bytes that would come at most, where the catalog gives them, be it rounded.
    public var bytes: Int64? { bytes(ofContent: true, ofPreview: true) }

    /// The same of one of them alone.
    func bytes(ofContent: Bool, ofPreview: Bool) -> Int64? {
      let content = isPreview || !ofContent ? nil : entry.size ?? entry.estimatedSize
      let preview = hasPreview && ofPreview ? entry.preview?.size : nil
      guard let content, let preview else { return content ?? preview }
      return content.addingSaturated(preview)
    }

    /// Whether the catalog gives them rounded, or as a guess.
    public var isRounded: Bool { !isPreview && entry.size == nil && entry.estimatedSize != nil }

    /// The item's key, escaped.
    public var key: String { entry.key.description }

    /// Whether both say the same of items with equal keys.
    public static func == (left: Fetch, right: Fetch) -> Bool {
      left.entry.keyBytes == right.entry.keyBytes && left.bytes == right.bytes
        && left.isRounded == right.isRounded && left.reason == right.reason
        && left.isPreview == right.isPreview
    }
  }

  /// One item of which something would be made of bytes that are here. Whether they still are, only
  /// a sync finds out; if not, they would be fetched.
  public struct Copy: Sendable, Equatable {
    /// What would be had of it, and why.
    public let item: Fetch
    /// The file of whose bytes its content would be made; `nil` where it isn't wanted, or would be
    /// fetched.
    public let content: CopySource?
    /// The same of its preview.
    public let preview: CopySource?

    /// Bytes that would have to come all the same, as far as the catalog gives them.
    public var bytes: Int64 {
      item.bytes(ofContent: content == nil, ofPreview: preview == nil) ?? 0
    }

    /// Bytes that would be copied, as far as the catalog gives them.
    public var copiedBytes: Int64 {
      item.bytes(ofContent: content != nil, ofPreview: preview != nil) ?? 0
    }
  }

  /// A file that would be moved to `.mirror/displaced`.
  public struct Displacement: Sendable, Equatable {
    /// Where it stands, escaped.
    public var key: String
    /// Why.
    public var reason: Reason

    /// Why a file would be moved.
    public enum Reason: String, Sendable {
      /// It was the mirror's, and was edited.
      case edited
      /// It isn't the mirror's, and an item belongs there that has other bytes.
      case inTheWay
      /// It isn't the mirror's, and is kept in its place only if the item turns out to have the
      /// same bytes.
      case unlessEqual
    }
  }

  /// What can't be used is what the source didn't give in the last run either: no news.
  mutating func foundKnownFlaws() {
    (flaws, unusable, unusableCount) = (unusable, [], 0)
  }

  /// Bytes of all that would be fetched, as far as the catalog gives sizes.
  public var bytes: Int64 {
    copies.reduce(Self.sum(fetches)) { $0.addingSaturated($1.bytes) }
  }

  /// Bytes of all that would be copied, as far as the catalog gives sizes.
  public var copiedBytes: Int64 {
    copies.reduce(0) { $0.addingSaturated($1.copiedBytes) }
  }

  /// Bytes that would come at most of what would be asked about.
  public var askedBytes: Int64 { Self.sum(asks) }

  /// How a sync would end, as far as that can be known before anything is fetched: what failed
  /// before may go well now, and doesn't count.
  public var outcome: MirrorReport.Outcome {
    if let (count, local) = refusedRemoval { return .removalRefused(count: count, of: local) }
    return unusableCount > 0 || hasNewUnreadable ? .someFailed : .done
  }

  /// What failed last is known: of that, what a sync would ask for again is told.
  mutating func failed(before failures: [FailedItem]) {
    guard !failures.isEmpty else { return }
    let told = Dictionary(
      failures.map { ($0.key.description, $0) }, uniquingKeysWith: { first, _ in first })
    for wanted in [fetches, empties, copies.map(\.item), asks] {
      failedBefore += wanted.compactMap { told[$0.key] }.map(MirrorReport.Failure.init)
    }
  }

  private static func sum(_ fetches: [Fetch]) -> Int64 {
    fetches.reduce(0) { $0.addingSaturated($1.bytes ?? 0) }
  }

  /// Why an item would be fetched, or asked about.
  public enum Reason: String, Sendable, CaseIterable {
    /// It isn't held.
    case new
    /// The catalog has another version.
    case changed
    /// Its file was edited here.
    case damaged
    /// Its file was deleted here.
    case deleted
    /// The catalog gives neither a version nor a digest nor a date that would change with it.
    case unversioned
    /// It had changed so shortly before it was listed that a later change could bear the same date.
    case recent
    /// When it was fetched, nothing told its version.
    case unproven
    /// Only the date that the catalog gives is another one.
    case moved
  }
}

extension MirrorPlan.Reason: CustomStringConvertible {
  /// The reason in a few words.
  public var description: String {
    switch self {
    case .new: "new"
    case .changed: "changed"
    case .damaged: "damaged here"
    case .deleted: "deleted here"
    case .unversioned: "the catalog says nothing that would tell a change"
    case .recent: "it was so young when it was listed that its date proves nothing"
    case .unproven: "nothing told its version when it was fetched"
    case .moved: "only its date is another one"
    }
  }
}

extension MirrorPlan {
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
