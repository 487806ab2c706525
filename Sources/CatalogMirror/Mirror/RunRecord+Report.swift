import OneWaySynchronizer
import SyncLedger
import SyncText

/// What the index remembers of a run, from what the engine and the mirror tell of it.
extension RunRecord {
  init(
    _ report: PassReport<MirrorItem.ID>, _ tally: MirrorTally, startedAt: Double,
    options: MirrorOptions
  ) {
    let took = report.durations.values.reduce(Duration.zero, +)
    let started = Int64(nanosecondsOf: startedAt)
    self.init(
      startedNanoseconds: started,
      endedNanoseconds: started.addingSaturated(Int64(took / .nanoseconds(1))),
      ending: RunEnding(report), catalog: URLReference(options.catalog)?.redacted ?? "")
    counts = Counts(report.counts)
    // What was confirmed or adopted is no download.
    counts.downloaded = tally.added + tally.updated + tally.repaired + tally.previews
    bytes = tally.bytes
    error = report.failures.first.map { sentence(of: $0.cause) }
  }
}

extension RunRecord.Counts {
  fileprivate init(_ counts: PassCounts) {
    self.init()
    listed = counts.listed
    removed = counts.removed
    updated = counts.updated
    downloaded = counts.downloaded
    skipped = counts.skipped
    failed = counts.failed
  }
}

extension RunEnding {
  fileprivate init(_ report: PassReport<MirrorItem.ID>) {
    switch report.outcome {
    case .succeeded: self = .succeeded
    case .failed where report.failures.contains(where: \.isEmptyListing): self = .removalRefused
    case .failed:
      let isWhole = report.failures.contains { $0.key == nil }
      self = isWhole ? .failed : .someFailed
    case .cancelled: self = .cancelled
    case .removalRefused: self = .removalRefused
    }
  }
}

extension SyncFailure {
  /// Whether it is the refusal to empty the folder.
  fileprivate var isEmptyListing: Bool {
    if case MirrorError.emptyListing = cause { true } else { false }
  }
}
