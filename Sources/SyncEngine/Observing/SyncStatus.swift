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
  /// The stage of a call that hasn't returned by twice its time limit, until it returns; `nil` when
  /// there is none. See ``TimeLimits``.
  public var stuckStage: SyncStage?
  /// How far the download stage under way is; `nil` in other stages.
  public var totals: ItemTotals?
  /// The share of its downloads that the pass under way has behind it, from 0 to 1, previews and
  /// contents as one whole; `nil` until it knows them, and when no pass is under way. Within a pass
  /// it never goes back, and with the next it begins anew. It stays where it is in stages that
  /// download nothing: at 1 with all items there and not yet committed, or with none to download.
  public var fraction: Double?
  /// Whether every listed item is held, as of the last pass of a run; see
  /// ``PassReport/isComplete``.
  public var isComplete: Bool?
  /// How the last run ended; `nil` before the first end.
  public var lastResult: RunResult?
  /// How long ago the last run that succeeded had ended when this was read, on the synchronizer's
  /// clock; `nil` before the first one. Of this process: an app that is begun anew remembers it
  /// itself. `SyncModel.lastSuccess` has it as a `Date`.
  public var sinceSuccess: Duration?

  /// Of the pass under way, how many downloads have ended, and how many there are; an item's
  /// preview and its content are two.
  package var done = 0
  package var toDo: Int?

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
  /// What an event changes; with what is to be said of the run that it ends.
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
    case .runEnded(_, let result):
      isSyncing = false
      (pass, stage, totals) = (nil, nil, nil)
      lastResult = RunResult(result, message: message)
    case .passEnded(let report): isComplete = report.isComplete
    case .planned, .itemStarted, .itemProgressed, .itemFinished, .itemFailed, .itemCutShort,
      .itemEventsDropped, .overflowed:
      break
    }
  }
}

extension SyncStatus.RunResult {
  init<ID>(_ result: Result<SyncReport<ID>, SyncError<ID>>, message: String?) {
    switch result {
    case .success(let report):
      self.init(outcome: .succeeded, counts: report.counts, message: message)
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
