import SyncEngine
import SyncText

/// What is to be remembered of a pass that has ended.
struct Settlement: Sendable {
  var orphans: Set<String>
  /// The ordered revision that was taken for true; remembered first, since nothing that the
  /// validators vouch for may be newer than it.
  var revision: Int64?
  var keepsCatalog: Bool
  /// Directories that can't be read; `nil` when nothing is known of them.
  var unreadable: [UnreadableDirectory]?
  /// What the source lists and doesn't give; `nil` when the pass says nothing of that.
  var flaws: KnownFlaws?
  /// The directories that the source has and that hold nothing; `nil` when nothing new is known of
  /// them.
  var emptyDirectories: PathList?
  var validated: CatalogSource.Fetched?
  /// Whether the scope took effect, so that the next run's is held against it.
  var keepsScope: Bool
  /// Whether it says something of items that it wasn't told of.
  var isWhole: Bool
}

extension MirrorPass {
  mutating func ended(_ report: PassReport<MirrorItem.ID>) -> Settlement {
    go(to: .settled)
    let listing = fetched?.listing
    let ending = MirrorEnding(report, unnamed: listing?.keyless.unnamed ?? 0)
    self.ending = ending
    let isComplete = listing?.completeness == .complete
    var revision: Int64?
    if ending.triedEverything, isComplete {
      revision = listing?.header.orderedRevision ?? listing?.header.date
    }
    let isNews = isComplete && listing?.isUnchanged == false
    let isChanges = if case .changes = listing?.completeness { true } else { false }
    return Settlement(
      orphans: previews.names, revision: revision,
      keepsCatalog: ending.outcome == .done && rules.repairs == nil,
      unreadable: rules.repairs == nil && ending.outcome != .cancelled ? listing?.unreadable : nil,
      flaws: rules.repairs == nil && ending.replacesFailures ? flaws(of: report) : nil,
      emptyDirectories: isNews
        ? listing.map { PathList($0.notes.emptyDirectories) } : nil,
      validated: ending.outcome == .done && (isNews || isChanges) ? fetched : nil,
      keepsScope: ending.triedEverything && listing != nil, isWhole: rules.repairs == nil)
  }

  /// What the index remembers of the run.
  /// - Parameters:
  ///   - startedAt: When it began, in seconds since 1970.
  ///   - duration: How long it has taken, with all that came before the pass.
  func record(startedAt: Double, took duration: Duration, catalog: String) -> RunRecord? {
    guard let ending else { return nil }
    let started = Int64(nanosecondsOf: startedAt)
    var record = RunRecord(
      startedNanoseconds: started,
      endedNanoseconds: started.addingSaturated(Int64(duration / .nanoseconds(1))),
      ending: isOutOfTime ? .outOfTime : RunEnding(ending.outcome), catalog: catalog)
    record.counts = ending.counts
    // What was confirmed or adopted is no download.
    record.counts.downloaded = report.downloaded
    record.counts.updated = report.changed
    record.counts.removed = report.removed
    record.adopted = report.adopted
    if let listing = fetched?.listing, !listing.isUnchanged { record.counts.listed = listing.count }
    record.bytes = report.bytes
    (record.copied, record.copiedBytes) = (report.copied, report.copiedBytes)
    (record.packed, record.packRequests) = (report.packed, report.packRequests)
    record.error = reason(of: ending.outcome) ?? ending.failures.first?.kept
    return record
  }

  /// Whether its own limit of time ended it, and no person.
  private var isOutOfTime: Bool { ending?.outcome == .cancelled && report.timeLimit != nil }

  private func reason(of outcome: MirrorReport.Outcome) -> String? {
    switch outcome {
    case .removalRefused(let count, let local):
      "\(count) of \(local) items would have been removed, which is too many at once"
    case .cancelled:
      report.timeLimit.map {
        "the time that the run may take, \($0.components.seconds) s, was over"
      }
    case .done, .someFailed, .failed: nil
    }
  }
}

extension RunEnding {
  init(_ outcome: MirrorReport.Outcome) {
    switch outcome {
    case .done: self = .succeeded
    case .someFailed: self = .someFailed
    case .failed: self = .failed
    case .removalRefused: self = .removalRefused
    case .cancelled: self = .cancelled
    }
  }
}

extension MirrorReport {
  init(_ pass: MirrorPass, _ ending: MirrorEnding) {
    self = pass.report
    let listing = pass.fetched?.listing
    outcome = ending.outcome
    failures = ending.failures
    failed = ending.failed
    unusable = ending.unusable
    misplaced = ending.misplaced
    (refusedItems, heldBack) = (ending.refused, ending.heldBack)
    flaws = ending.flaws
    unreadable = (listing?.unreadable ?? []).map(Failure.init)
    hasNewUnreadable = ending.hasNewUnreadable
    listed = listing.map { $0.isUnchanged ? $0.unchangedCount : $0.count } ?? 0
    remarks = listing?.notes.remarks ?? []
    wasUnchanged = listing?.isUnchanged ?? false
    sourceModified = pass.fetched?.modified
    partial = listing?.partialReasons ?? []
    leftOut = listing?.leftOut.count { !$0.isDirectory } ?? 0
  }
}

extension CatalogSource.Fetched {
  /// When the newest page was modified, in seconds since 1970, as far as the server says.
  fileprivate var modified: Double? {
    pages.compactMap { $0.lastModified.flatMap { HTTPDate($0) } }
      .map { Double($0.secondsSince1970) }.max()
  }
}
