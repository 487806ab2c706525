import OneWaySynchronizer

/// What a run did, and how it ended.
public struct MirrorReport: Sendable {
  /// How it ended.
  public var outcome: Outcome
  /// Items in the listing.
  public var listed = 0
  /// Items whose content was fetched for the first time.
  public var added = 0
  /// Items whose content was fetched again since the catalog has another version.
  public var updated = 0
  /// Items whose content was fetched again since it was gone or edited.
  public var repaired = 0
  /// Previews that were fetched.
  public var previews = 0
  /// Files that were there already and taken for their items.
  public var adopted = 0
  /// Items of which the server said that what is held is still right.
  public var confirmed = 0
  /// Items that were removed.
  public var removed = 0
  /// Items that the source lacks and that stay, since nothing was to be removed.
  public var kept = 0
  /// Files that weren't ours and were moved to `.mirror/displaced`.
  public var displaced = 0
  /// Bytes of items and previews that were fetched in this run; what an earlier run had of them
  /// doesn't count.
  public var bytes: Int64 = 0
  /// Whether the source proved that nothing changed.
  public var wasUnchanged = false
  /// Why absence from the listing meant nothing, in sentences; empty when it meant removal.
  public var partial: [String] = []
  /// Directories whose listings can't be read, by their URLs: what is held below them stays, and
  /// they say nothing of the rest.
  public var unreadable: [Failure] = []
  /// Whether these are other ones than in the last run.
  public var hasNewUnreadable = false
  /// What failed, in the order in which it happened, each item once: the first 1,000, and whatever
  /// made the run fail as a whole.
  public var failures: [Failure] = []
  /// How many items failed, named in ``failures`` or not.
  public var failed = 0
  /// How long the run took.
  public var duration = Duration.zero

  /// How a run ended.
  public enum Outcome: Sendable, Equatable {
    /// The folder equals the catalog.
    case done
    /// Some items failed; the others are done.
    case someFailed
    /// The run failed as a whole; what was done stays.
    case failed
    /// Too much would have been removed; nothing was. `count` of `of` items would have gone.
    case removalRefused(count: Int, of: Int)
    /// The run was cancelled; what was finished is kept.
    case cancelled
  }

  /// One thing that failed.
  public struct Failure: Sendable, Equatable {
    /// The item's key, escaped; `nil` when the run failed as a whole.
    public var key: String?
    /// What happened, in a sentence.
    public var sentence: String
  }

  /// A run that did nothing.
  init(outcome: Outcome) {
    self.outcome = outcome
  }

  /// A run that failed before it began.
  init(failure: any Error) {
    self.init(outcome: .failed)
    failures = [Failure(key: nil, sentence: CatalogMirror.sentence(of: failure))]
  }
}

extension MirrorReport {
  /// Puts together what the engine reports and what the processor counted.
  init(_ state: MirrorProcessor.State, outcome: Outcome) {
    self.init(outcome: outcome)
    let failures = state.report?.failures ?? []
    if outcome == .failed, failures.allSatisfy({ $0.key != nil }), !failures.isEmpty {
      self.outcome = .someFailed
    }
    for failure in failures {
      if case MirrorError.emptyListing(let held) = failure.cause {
        self.outcome = .removalRefused(count: held, of: held)
      }
    }
    add(failures, unnamed: state.fetched?.listing.keyless.unnamed ?? 0)
    addEndingError(state)
    addUnreadable(state)
    listed = state.fetched?.listing.count ?? 0
    wasUnchanged = state.fetched?.listing.isUnchanged ?? false
    partial = state.fetched?.listing.partialReasons ?? []
    added = state.tally.added
    updated = state.tally.updated
    repaired = state.tally.repaired
    previews = state.tally.previews
    adopted = state.tally.adopted
    confirmed = state.tally.confirmed
    removed = state.tally.removed
    kept = state.tally.kept
    displaced = state.tally.displaced
    bytes = state.tally.bytes
  }
}

extension MirrorReport {
  /// As many as there may be, no more of them are held as sentences than anybody reads.
  private static let mostNamed = 1_000

  private mutating func add(_ failures: [SyncFailure<MirrorItem.ID>], unnamed: Int) {
    var counted: Set<MirrorItem.ID> = []
    for failure in failures {
      if let key = failure.key {
        guard counted.insert(key).inserted else { continue }  // its preview has failed, too
        failed += 1
        guard failed <= Self.mostNamed else { continue }
      }
      self.failures.append(
        Failure(key: failure.key?.description, sentence: sentence(of: failure.cause)))
    }
    // They aren't even items.
    failed += unnamed
  }

  /// A run that can't be recorded, since the index can't be written or turned out to be damaged,
  /// isn't done. One that ended otherwise says so first.
  private mutating func addEndingError(_ state: MirrorProcessor.State) {
    guard let error = state.endingError else { return }
    switch outcome {
    case .failed: return
    case .done, .someFailed: break
    case .cancelled, .removalRefused: guard IndexDamage(state) != nil else { return }
    }
    outcome = .failed
    failures.append(Failure(key: nil, sentence: sentence(of: error)))
  }

  /// A directory that can't be read is no failed item; the run ends otherwise than well only when
  /// that is news.
  private mutating func addUnreadable(_ state: MirrorProcessor.State) {
    unreadable = (state.fetched?.listing.unreadable ?? []).map {
      Failure(key: $0.url, sentence: $0.reason)
    }
    hasNewUnreadable = state.hasNewUnreadable
    if hasNewUnreadable, outcome == .done { outcome = .someFailed }
  }
}

extension MirrorReport.Outcome {
  /// What the engine's error means for a mirror.
  init(_ code: SyncError<MirrorItem.ID>.Code) {
    switch code {
    case .failed, .reentrant, .notListed, .leftOut: self = .failed
    case .cancelled: self = .cancelled
    case .removalRefused(let count, let local): self = .removalRefused(count: count, of: local)
    }
  }
}
