/// What one walk through the stages did.
public struct PassReport<ID: Hashable & Sendable>: Sendable {
  /// What the pass was for.
  public var kind: PassKind
  /// How the pass ended.
  public var outcome: PassOutcome
  /// What was done, in numbers.
  public var counts: PassCounts
  /// What failed, in the order in which it happened. Of an item that was tried several times, the
  /// last error, and nothing if it came in the end.
  public var failures: [SyncFailure<ID>]
  /// The keys that would have been removed; empty unless the outcome is
  /// ``PassOutcome/removalRefused(count:of:)``. ``Synchronizer/sync(allowing:)`` lets them go.
  public var refusedRemovals: Set<ID> = []
  /// Whether every listed item is held, as far as the engine knows; `nil` until a pass of this
  /// synchronizer has compared a whole list, and again once one ended before it knew which of the
  /// items that are held had changed. It stays `false` while an item that was listed isn't
  /// held as it was listed, also when the source then says that nothing changed.
  public var isComplete: Bool?
  /// How long each stage took; a stage that wasn't reached is missing. Complete in the report that
  /// `sync()` gives; the one that `syncDidEnd` is given lacks ``SyncStage/end``.
  public var durations: [SyncStage: Duration]

  /// A report made by hand, for tests of your own code.
  public init(
    kind: PassKind = .sync, outcome: PassOutcome = .succeeded, counts: PassCounts = PassCounts(),
    failures: [SyncFailure<ID>] = [], durations: [SyncStage: Duration] = [:]
  ) {
    self.kind = kind
    self.outcome = outcome
    self.counts = counts
    self.failures = failures
    self.durations = durations
  }
}

/// How a pass ended.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PassOutcome: Sendable, Equatable {
  /// Everything was done.
  case succeeded
  /// A stage or at least one item failed.
  case failed
  /// The pass was cut short by `cancel()` or `drain()`, or because nobody waited for it any more.
  case cancelled
  /// The set of vanished items was over ``SyncOptions/removalLimit``: nothing was removed and
  /// nothing downloaded. `count` of `of` local items would have gone.
  case removalRefused(count: Int, of: Int)
}

/// What a pass did, in numbers of items.
public struct PassCounts: Sendable, Equatable {
  /// Items in the list.
  public var listed = 0
  /// Local items given to `removeLocalItems`, when it returned without an error.
  public var removed = 0
  /// Items on both sides that were chosen to be downloaded again.
  public var updated = 0
  /// Items of which every transfer that was asked for succeeded and was committed.
  public var downloaded = 0
  /// Items that were to be downloaded but weren't tried to the end, as the pass was cut short.
  public var skipped = 0
  /// Items of which at least one transfer, or the commit, failed.
  public var failed = 0

  /// All zero.
  public init() {}
}

/// What a pass is for.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PassKind: Sendable, Hashable {
  /// It makes the local side equal to the remote one.
  case sync
  /// It only finds out what a sync would do, see ``Synchronizer/plan()``: it ends after
  /// `prepareDownload`.
  case plan
  /// It fetches one item and touches no other, see ``EnsurePolicy/alone``.
  case item
}
