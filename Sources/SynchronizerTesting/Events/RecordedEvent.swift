public import OneWaySynchronizer

/// A `SyncEvent` in a form that can be compared: errors are the text that describes them.
public enum RecordedEvent<ID: Hashable & Sendable>: Sendable, Equatable {
  /// A run began; the first of a synchronizer is number 1.
  case runStarted(Int)
  /// A pass began; the first of a run is number 1.
  case passStarted(Int)
  /// A stage is about to run.
  case stage(SyncStage)
  /// What the pass is going to do.
  case planned(PlanCounts)
  /// A download began.
  case started(SyncStage, ID, ItemTotals)
  /// A download told how far it is.
  case progressed(SyncStage, ID, ItemTotals, ItemBytes)
  /// A download succeeded.
  case finished(SyncStage, ID, ItemTotals)
  /// A download failed; last comes the error as text.
  case failed(SyncStage, ID, ItemTotals, String)
  /// A download was cut short.
  case cutShort(SyncStage, ID, ItemTotals)
  /// A pass ended; last come its failures as text.
  case passEnded(PassOutcome, PassCounts, failures: [String])
  /// The run ended well, after this many passes.
  case runSucceeded(passes: Int)
  /// The run ended with an error, after this many passes.
  case runFailed(SyncError<ID>.Code, passes: Int)
  /// This many item events were dropped, as they weren't read in time.
  case itemEventsDropped(Int)
  /// Too many events stood unread: the last event of the stream.
  case overflowed

  /// The comparable form of an event.
  public init(_ event: SyncEvent<ID>) {
    self =
      switch event {
      case .runStarted(let number): .runStarted(number)
      case .passStarted(let number): .passStarted(number)
      case .stageEntered(let stage): .stage(stage)
      case .planned(let plan): .planned(plan)
      case .itemStarted(let item): .started(item.stage, item.key, item.totals)
      case .itemProgressed(let item):
        .progressed(item.stage, item.key, item.totals, item.bytes ?? ItemBytes(done: 0))
      case .itemFinished(let item): .finished(item.stage, item.key, item.totals)
      case .itemFailed(let item):
        .failed(item.stage, item.key, item.totals, item.error.map { "\($0)" } ?? "")
      case .itemCutShort(let item): .cutShort(item.stage, item.key, item.totals)
      case .passEnded(let report):
        .passEnded(report.outcome, report.counts, failures: report.failures.map { "\($0)" })
      case .runEnded(_, .success(let report)): .runSucceeded(passes: report.passes.count)
      case .runEnded(_, .failure(let error)):
        .runFailed(error.code, passes: error.report.passes.count)
      case .itemEventsDropped(let count): .itemEventsDropped(count)
      case .overflowed: .overflowed
      }
  }

  /// Whether this event is the end of a run.
  public var isRunEnd: Bool {
    switch self {
    case .runSucceeded, .runFailed: true
    case .runStarted, .passStarted, .stage, .planned, .started, .progressed, .finished, .failed,
      .cutShort, .passEnded, .itemEventsDropped, .overflowed:
      false
    }
  }

  /// Whether this event is about one item.
  public var isItemEvent: Bool {
    switch self {
    case .started, .progressed, .finished, .failed, .cutShort: true
    case .runStarted, .passStarted, .stage, .planned, .passEnded, .runSucceeded, .runFailed,
      .itemEventsDropped, .overflowed:
      false
    }
  }
}

extension RecordedEvent: CustomStringConvertible {
  /// A few words, such as `downloadContents a finished (1 of 3)`.
  public var description: String {
    switch self {
    case .runStarted(let number): "run \(number) started"
    case .passStarted(let number): "pass \(number) started"
    case .stage(let stage): "stage \(stage.rawValue)"
    case .planned(let plan):
      "plan: remove \(plan.toRemove), update \(plan.toUpdate), download \(plan.toDownload)"
    case .started(let stage, let key, let totals):
      "\(stage.rawValue) \(key) started (\(Self.words(for: totals)))"
    case .progressed(let stage, let key, let totals, let bytes):
      "\(stage.rawValue) \(key) has \(bytes.done) bytes (\(Self.words(for: totals)))"
    case .cutShort(let stage, let key, let totals):
      "\(stage.rawValue) \(key) cut short (\(Self.words(for: totals)))"
    case .finished(let stage, let key, let totals):
      "\(stage.rawValue) \(key) finished (\(Self.words(for: totals)))"
    case .failed(let stage, let key, let totals, let error):
      "\(stage.rawValue) \(key) failed (\(Self.words(for: totals))): \(error)"
    case .passEnded(let outcome, _, let failures):
      (["pass ended: \(outcome)"] + failures).joined(separator: "; ")
    case .runSucceeded(let passes): "run succeeded, passes: \(passes)"
    case .runFailed(let code, let passes): "run ended: \(code), passes: \(passes)"
    case .itemEventsDropped(let count): "\(count) item events dropped"
    case .overflowed: "overflowed"
    }
  }

  private static func words(for totals: ItemTotals) -> String {
    let failed = totals.failed > 0 ? ", \(totals.failed) failed" : ""
    return "\(totals.ended) of \(totals.total)\(failed)"
  }
}
