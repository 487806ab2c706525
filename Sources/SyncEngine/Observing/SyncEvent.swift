/// Something that happened in a run, as told to the subscribers of ``Synchronizer/events``.
///
/// Order: `runStarted`, then for every pass `passStarted`, `stageEntered` for each stage with its
/// item events after it, `planned` once the downloads are known, `passEnded`; last `runEnded`.
/// Every `itemStarted` is followed by one of `itemFinished`, `itemFailed` and `itemCutShort`,
/// however often the item is tried. It starts once more only if it has failed and somebody asks for
/// it, see ``Synchronizer/ensure(_:)``.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum SyncEvent<ID: Hashable & Sendable>: Sendable {
  /// A run began; the first of a synchronizer is number 1.
  case runStarted(number: Int)
  /// A pass began; the first of a run is number 1.
  case passStarted(number: Int)
  /// A stage is about to run.
  case stageEntered(SyncStage)
  /// What the pass is going to do; told once, after `prepareDownload`.
  case planned(PlanCounts)
  /// A download began.
  case itemStarted(ItemEvent<ID>)
  /// A download told how far it is.
  case itemProgressed(ItemEvent<ID>)
  /// A download succeeded.
  case itemFinished(ItemEvent<ID>)
  /// A download failed, or its commit did.
  case itemFailed(ItemEvent<ID>)
  /// A download was cut short, as the pass was cancelled or stopped.
  case itemCutShort(ItemEvent<ID>)
  /// A pass ended.
  case passEnded(PassReport<ID>)
  /// The run with this number ended, with this outcome and the passes of the whole run; its callers
  /// have been resumed, each with the passes since its call.
  case runEnded(number: Int, Result<SyncReport<ID>, SyncError<ID>>)
  /// This many item events were dropped here since the subscriber didn't read them in time.
  case itemEventsDropped(Int)
  /// More than 1,024 other events stood unread: the last event of the stream.
  case overflowed
}

/// What an event tells of an item.
public struct ItemEvent<ID: Hashable & Sendable>: Sendable {
  /// The stage that the item is in.
  public var stage: SyncStage
  /// The item's key.
  public var key: ID
  /// How far the stage is.
  public var totals: ItemTotals
  /// How much of the item is there, where its processor tells.
  public var bytes: ItemBytes?
  /// Why it failed; `nil` unless it did.
  public var error: (any Error)?

  /// An event made by hand, for tests of your own code.
  public init(
    stage: SyncStage, key: ID, totals: ItemTotals, bytes: ItemBytes? = nil,
    error: (any Error)? = nil
  ) {
    self.stage = stage
    self.key = key
    self.totals = totals
    self.bytes = bytes
    self.error = error
  }
}

/// What a pass is going to do, in numbers of items.
public struct PlanCounts: Sendable, Equatable {
  /// Local items that vanished from the source (with `beforeDownloads`, already removed).
  public var toRemove: Int
  /// Items on both sides that are downloaded again, before `prepareDownload` had its say.
  public var toUpdate: Int
  /// All items that are downloaded, new ones and changed ones.
  public var toDownload: Int

  /// A plan made by hand, for tests of your own code.
  public init(toRemove: Int, toUpdate: Int, toDownload: Int) {
    self.toRemove = toRemove
    self.toUpdate = toUpdate
    self.toDownload = toDownload
  }
}

/// Running totals of a download stage.
public struct ItemTotals: Sendable, Equatable {
  /// Items that succeeded.
  public var finished: Int
  /// Items that failed.
  public var failed: Int
  /// Items that have ended, well or not; those that were cut short aren't among them.
  public var ended: Int { finished + failed }
  /// Items that the stage set out to download.
  public var total: Int
  /// Bytes of the items under way, where their processor tells; those of items that have ended
  /// aren't in it.
  public var bytesUnderWay: Int64

  /// Totals made by hand, for tests of your own code.
  public init(finished: Int, failed: Int, total: Int, bytesUnderWay: Int64 = 0) {
    self.finished = finished
    self.failed = failed
    self.total = total
    self.bytesUnderWay = bytesUnderWay
  }
}
