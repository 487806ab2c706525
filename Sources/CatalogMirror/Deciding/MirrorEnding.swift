import SyncDatabase
import SyncEngine
import SyncFolder
import SyncTransport

/// How a pass ended, and what went wrong in it: found out once, for the report, the run's record
/// and the exit status.
struct MirrorEnding: Equatable, Sendable {
  private(set) var outcome: MirrorReport.Outcome
  /// What failed, each item once: the first 1,000, and whatever made the run fail as a whole.
  private(set) var failures: [MirrorReport.Failure] = []
  private(set) var failed = 0
  /// How many of them have an entry that can't be used, or no key at all.
  private(set) var unusable = 0
  /// How many belong into the folder of another mirror, which stands in this one.
  private(set) var misplaced = 0
  /// How many the source refused for good.
  private(set) var refused = 0
  /// How many come last, and were held back.
  private(set) var heldBack = 0
  /// Items that are tried first next time; of very many, some. What was left alone comes before
  /// what was tried, so that everything has its turn in one run or another.
  private(set) var toRetry: [FailedItem] = []
  /// Whether the pass was cut short by an error after which nothing else could go well either.
  private(set) var wasCutShort = false
  /// Whether nothing but items failed, so that the listing was taken for true.
  private(set) var triedEverything: Bool
  private(set) var foundDamagedIndex = false
  /// Whether a directory can't be read that the last run could read, or didn't see.
  private(set) var hasNewUnreadable = false
  private(set) var counts: PassCounts
  /// What failed where nothing failed but what the last run couldn't have of the source either.
  private(set) var flaws: [MirrorReport.Failure] = []

  private static let mostNamed = 1_000
  private static let mostToRetry = 10_000

  /// The ending of a pass that the engine reports; so many entries of its listing had no key.
  init(_ report: PassReport<MirrorItem.ID>, unnamed: Int) {
    counts = report.counts
    outcome = .done
    triedEverything =
      switch report.outcome {
      case .succeeded: true
      case .failed: report.failures.allSatisfy { $0.key != nil && !$0.cause.endsRun }
      case .cancelled, .removalRefused: false
      }
    take(report.failures)
    failed += unnamed
    unusable += unnamed
    outcome = outcome(of: report)
    // Items that the end of the run left out haven't failed.
    counts.failed = failed
  }

  private func outcome(of report: PassReport<MirrorItem.ID>) -> MirrorReport.Outcome {
    switch report.outcome {
    case .succeeded: return .done
    case .cancelled: return .cancelled
    case .removalRefused(let count, let local): return .removalRefused(count: count, of: local)
    case .failed:
      for failure in report.failures {
        if case MirrorError.emptyListing(let held, _) = failure.cause {
          return .removalRefused(count: held, of: held)
        }
      }
      return triedEverything && !report.failures.isEmpty ? .someFailed : .failed
    }
  }

  /// An error that ends the run is no item's, however many items met it, and is told once.
  private mutating func take(_ all: [SyncFailure<MirrorItem.ID>]) {
    var counted: Set<MirrorItem.ID> = []
    var told: Set<String> = []
    var (leftAlone, tried) = ([FailedItem](), [FailedItem]())
    defer { toRetry = Array((leftAlone + tried).prefix(Self.mostToRetry)) }
    for failure in all {
      if (failure.cause as? DatabaseError)?.code == .damaged { foundDamagedIndex = true }
      let endsRun = failure.cause.endsRun
      if endsRun, wasCutShort { continue }
      wasCutShort = wasCutShort || endsRun
      guard let id = failure.key, !endsRun else {
        failures.append(MirrorReport.Failure(key: nil, failure.cause))
        continue
      }
      // Its preview may have failed, too.
      guard counted.insert(id).inserted else { continue }
      failed += 1
      let item = MirrorReport.Failure(key: id.description, failure.cause)
      switch item.kind {
      case .unusable: unusable += 1
      case .refused: refused += 1
      case .heldBack: heldBack += 1
      case .other: break
      }
      if (failure.cause as? FolderError)?.code == .otherMirror { misplaced += 1 }
      let isNews = !failure.cause.speaksForMany || told.insert(item.sentence).inserted
      if failed <= Self.mostNamed, isNews { failures.append(item) }
      guard let key = id.key else { continue }
      let retry = FailedItem(key: key, sentence: item.kept)
      if failure.cause.isOfWhatIsLeftAlone { leftAlone.append(retry) } else { tried.append(retry) }
    }
  }

  /// Whether what failed in the run before is forgotten: a run that came to nothing tried no item,
  /// so what failed before it is still to be tried first.
  var replacesFailures: Bool {
    let wasTried = outcome == .done || !toRetry.isEmpty
    return wasTried && outcome != .cancelled && !wasCutShort
  }

  /// The source doesn't give so many items, the same ones as in the last run: no news. If nothing
  /// else failed, all is well.
  mutating func foundKnownFlaws(_ count: Int) {
    guard outcome == .someFailed, count == failed else { return }
    outcome = .done
    (flaws, failures) = (failures, [])
    (failed, unusable, refused, heldBack, counts.failed) = (0, 0, 0, 0, 0)
  }

  /// A directory can't be read that the last run didn't have: news, and so not an end of all well.
  mutating func foundNewUnreadable() {
    hasNewUnreadable = true
    if outcome == .done { outcome = .someFailed }
  }

  /// The run can't be recorded, since the index can't be written or turned out to be damaged, so
  /// it isn't done. One that ended otherwise says so first.
  mutating func recordingFailed(_ error: any Error) {
    if (error as? DatabaseError)?.code == .damaged { foundDamagedIndex = true }
    switch outcome {
    case .failed: return
    case .done, .someFailed: break
    case .cancelled, .removalRefused: guard foundDamagedIndex else { return }
    }
    outcome = .failed
    failures.append(MirrorReport.Failure(key: nil, error))
  }
}

extension Error {
  /// Whether one sentence tells of all items that it happened to: that they were held back, belong
  /// into the folder of another mirror, lie in a directory that this user can't use, or where the
  /// server kept failing.
  fileprivate var speaksForMany: Bool {
    if let error = self as? FolderError { return [.otherMirror, .noRights].contains(error.code) }
    return isOfWhatIsLeftAlone || self as? ItemError == .heldBack
  }

  /// Whether the item wasn't asked for, or not once more, as too much else had failed there.
  fileprivate var isOfWhatIsLeftAlone: Bool {
    guard let error = self as? TransportError else { return false }
    return [.originGivenUp, .directoryGivenUp].contains(error.code)
  }

  /// Whether nothing else in the run can go well either. Without its index, a run can keep nothing.
  var endsRun: Bool {
    switch self {
    case let error as FolderError: error.isFatal
    case is DatabaseError: true
    default: false
    }
  }
}
