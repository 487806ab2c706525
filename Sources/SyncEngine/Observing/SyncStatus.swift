/// How a synchronizer stands: what a spinner, a line of text or a progress bar needs.
///
/// Of one type whatever the items are, see ``Syncing``.
public struct SyncStatus: Sendable, Equatable {
  /// Whether a run is under way.
  public var isSyncing = false
  /// The number of the run under way, or of the last one; the first is 1, and 0 is none yet.
  public var run = 0
  /// The number of the pass in the run under way; `nil` when none is.
  public var pass: Int?
  /// The stage under way; `nil` when none is.
  public var stage: SyncStage?
  /// The stage of a call that hasn't returned by twice its time limit, until it returns; `nil` while
  /// there is none. See ``TimeLimits``.
  public var stuckStage: SyncStage?
  /// How far the download stage under way is; `nil` in other stages.
  public var totals: ItemTotals?
  /// Whether every listed item is held, as of the last pass; see ``PassReport/isComplete``.
  public var isComplete: Bool?
  /// How the last run ended; `nil` before the first end.
  public var lastResult: RunResult?

  /// How far the downloads of the run under way are, over its stages and passes.
  package var tally = RunTally()
  /// The number of the first run that its reader sees anything of: the one that was under way when
  /// the reader came, or else the next.
  package var firstRunOfReader = 1

  /// A synchronizer that has done nothing yet.
  public init() {}

  /// How a run ended, without what depends on the type of the items.
  public struct RunResult: Sendable, Equatable {
    /// How its last pass ended.
    public var outcome: PassOutcome
    /// What it did.
    public var counts: PassCounts
    /// What is to be said to people: of its error the `localizedDescription`; of a run that
    /// succeeded, that not every listed item is held. `nil` where there is nothing to say.
    public var message: String?

    /// A result made by hand, for tests of your own code.
    public init(outcome: PassOutcome, counts: PassCounts = PassCounts(), message: String? = nil) {
      self.outcome = outcome
      self.counts = counts
      self.message = message
    }
  }
}

extension SyncStatus {
  /// What an event changes; with the sentence of the error that ends a run.
  mutating func apply<ID>(_ event: SyncEvent<ID>, message: String? = nil) {
    switch event {
    case .runStarted(let number):
      isSyncing = true
      run = number
    case .passStarted(let number):
      pass = number
    case .stageEntered(let stage):
      self.stage = stage
      totals = nil
      tally.enter(stage)
    case .itemStarted(let item), .itemProgressed(let item), .itemFinished(let item),
      .itemFailed(let item), .itemCutShort(let item):
      totals = item.totals
      tally.take(item.totals, of: item.stage)
    case .runEnded(_, let result):
      isSyncing = false
      (pass, stage, totals, tally) = (nil, nil, nil, RunTally())
      lastResult = RunResult(result, message: message)
    case .passEnded(let report): isComplete = report.isComplete
    case .planned, .itemEventsDropped, .overflowed: break
    }
  }
}

extension SyncStatus.RunResult {
  init<ID>(_ result: Result<SyncReport<ID>, SyncError<ID>>, message: String?) {
    switch result {
    case .success(let report):
      self.init(
        outcome: .succeeded, counts: report.counts,
        message: report.isComplete == false ? SyncReport<ID>.incompleteness : nil)
    case .failure(let error):
      self.init(
        outcome: PassOutcome(error.code), counts: error.report.counts, message: message)
    }
  }
}

extension PassOutcome {
  /// The outcome of a run that ended with this code.
  init<ID>(_ code: SyncError<ID>.Code) {
    switch code {
    case .cancelled: self = .cancelled
    case .removalRefused(let count, let local): self = .removalRefused(count: count, of: local)
    case .failed, .reentrant, .notListed, .leftOut, .stuck: self = .failed
    }
  }
}
