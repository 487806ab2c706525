/// How a ``Synchronizer`` works. Read once at the start of every pass; a change made while a pass
/// is under way counts from the next one on.
public struct SyncOptions: Sendable {
  /// The number of downloads at once when ``concurrency`` is 0: enough to hide the latency of a
  /// network, few enough to be polite to a server.
  public static let automaticConcurrency = 8

  /// The largest number of downloads at once. 0, the default, is ``automaticConcurrency``;
  /// a negative number is taken as 0.
  public var concurrency: Int
  /// Whether previews are downloaded, all of them before the first content. Default `false`.
  public var downloadPreview: Bool
  /// Whether contents are downloaded. Default `true`.
  public var downloadContent: Bool
  /// Whether the first failed preview or content stops the pass: nothing new starts, and what is
  /// in flight is cancelled and waited for. Default `true`.
  public var stopOnError: Bool
  /// When vanished items are removed. Default: before the downloads.
  public var removal: Removal
  /// How many items one pass may remove. Default: ``RemovalLimit/guarded(count:)`` with 3, so that
  /// a list that came out empty or halved removes nothing.
  public var removalLimit: RemovalLimit
  /// How often a failed download is tried again. Default: never.
  public var retries: DownloadRetries {
    get { keptRetries.value }
    set { keptRetries = KeptRetries(newValue) }
  }
  /// How long a stage and a download may take. Default: as long as they like.
  public var timeLimits: TimeLimits
  /// What this synchronizer shares with others: how many downloads all of them have at once.
  /// Default `nil`: nothing.
  public var budget: DownloadBudget?

  private var keptRetries: KeptRetries

  /// The defaults, as stated at each property, but for what is given.
  public init(
    concurrency: Int = 0, downloadPreview: Bool = false, downloadContent: Bool = true,
    stopOnError: Bool = true, removal: Removal = .beforeDownloads,
    removalLimit: RemovalLimit = .guarded(count: 3), retries: DownloadRetries = DownloadRetries(),
    timeLimits: TimeLimits = TimeLimits(), budget: DownloadBudget? = nil
  ) {
    self.concurrency = concurrency
    self.downloadPreview = downloadPreview
    self.downloadContent = downloadContent
    self.stopOnError = stopOnError
    self.removal = removal
    self.removalLimit = removalLimit
    keptRetries = KeptRetries(retries)
    self.timeLimits = timeLimits
    self.budget = budget
  }

  /// The number of downloads at once that ``concurrency`` stands for; at least 1.
  package var effectiveConcurrency: Int {
    concurrency > 0 ? concurrency : Self.automaticConcurrency
  }

  var downloadStages: [SyncStage] {
    (downloadPreview ? [.downloadPreviews] : []) + (downloadContent ? [.downloadContents] : [])
  }

  /// When vanished items are removed.
  public enum Removal: Sendable, Equatable {
    /// Before anything is downloaded: space is freed first.
    case beforeDownloads
    /// After ``SyncProcessor/commitDownloads()``, once every download has been tried. Skipped when
    /// the pass was cancelled or stopped on an error.
    case afterDownloads
  }
}

extension SyncOptions {
  /// Rules hold closures, which can't be compared: these are the same until they are set again.
  private final class KeptRetries: Sendable, Equatable {
    let value: DownloadRetries

    init(_ value: DownloadRetries) { self.value = value }

    static func == (one: KeptRetries, other: KeptRetries) -> Bool { one === other }
  }

  /// Takes over the properties in which `changed` differs from what it was made from; answers
  /// whether there are any.
  mutating func take(_ changed: SyncOptions, madeFrom before: SyncOptions) -> Bool {
    var hasTaken = false
    func take<Value: Equatable>(_ property: WritableKeyPath<SyncOptions, Value>) {
      guard changed[keyPath: property] != before[keyPath: property] else { return }
      self[keyPath: property] = changed[keyPath: property]
      hasTaken = true
    }
    take(\.concurrency)
    take(\.downloadPreview)
    take(\.downloadContent)
    take(\.stopOnError)
    take(\.removal)
    take(\.removalLimit)
    take(\.keptRetries)
    take(\.timeLimits)
    if changed.budget !== before.budget { (budget, hasTaken) = (changed.budget, true) }
    return hasTaken
  }
}

/// How many local items one pass may remove, evaluated on the whole set before the first removal
/// and before any download. A set over the limit ends the pass; not one item of it is removed.
/// Where it is right all the same, `Synchronizer.sync(allowing:)` lets it go.
public enum RemovalLimit: Sendable, Equatable {
  /// Any number.
  case unlimited
  /// Refused when more than this many items would go.
  case count(Int)
  /// Refused when more than this share of the local keys would go; from 0 (none) to 1 (all).
  case share(Double)
  /// Refused when both are exceeded: a large share that is also a large number. So a small store
  /// may lose all that it holds; ``guarded(count:)`` doesn't let it.
  case both(share: Double, count: Int)
  /// Refused when at least half of the local keys and more than this many items would go, and
  /// always when nothing would be left of more than one.
  case guarded(count: Int)

  /// Whether `removals` of `local` keys may go.
  public func allows(removals: Int, of local: Int) -> Bool {
    switch self {
    case .unlimited: true
    case .count(let most): removals <= most
    case .share(let most): Self.share(removals, of: local) <= most
    case .both(let share, let count):
      removals <= count || Self.share(removals, of: local) <= share
    case .guarded(let count):
      // By subtraction: twice the number might be too large for an `Int`.
      (removals <= count || removals < local - removals) && (removals < local || local <= 1)
    }
  }

  /// Divided rather than multiplied: 29 of 100 is exactly what is written 0.29, but 0.29 times 100
  /// is less than 29.
  private static func share(_ removals: Int, of local: Int) -> Double {
    removals == 0 ? 0 : Double(removals) / Double(local)
  }
}
