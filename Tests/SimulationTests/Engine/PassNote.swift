import OneWaySynchronizer

/// What the model knows of one pass: what was called, and what follows from it.
struct PassNote: Sendable {
  /// The count of events at which its first call came.
  let opened: Int
  /// The options that may be the pass's: it reads them before its first call.
  let candidates: [SyncOptions]
  var ended: Int?
  var outcome: PassOutcome?
  var counts = PassCounts()

  /// Calls that have not ended.
  var active: [SyncStage] = []
  private(set) var rank = -1
  /// A stage other than a download threw, or gave a list that can't be.
  var isBroken = false
  var wasCancelled = false
  /// A download or a commit failed.
  var failures = 0
  var source: SourceList<SimulatedItem>?
  var removals: Set<Int> = []
  var removed: Int?
  /// What is to be downloaded, in this order; `nil` before it is known.
  var prepared: [SimulatedItem]?
  var began: [SyncStage: [Int]] = [:]
  /// Keys that somebody wanted at any time: they may come before their turn.
  var sought: Set<Int> = []
  var commits = 0

  init(opened: Int, candidates: [SyncOptions]) {
    self.opened = opened
    self.candidates = candidates
  }

  /// The pass's options, if there is no doubt.
  var options: SyncOptions? { candidates.count == 1 ? candidates[0] : nil }

  var downloadsBegan: Bool {
    began[.downloadPreviews] != nil || began[.downloadContents] != nil
  }

  /// Takes up a call; the problems with it, in sentences.
  mutating func enter(_ stage: SyncStage, _ key: Int?) -> [String] {
    var problems: [String] = []
    let next = rank(of: stage)
    let isOneMore = next == rank && stage.isDownload
    if next <= rank, !isOneMore { problems.append("\(stage) comes after rank \(rank)") }
    if !active.isEmpty, !isOneMore { problems.append("\(stage) comes while \(active) run") }
    if isBroken, stage != .end { problems.append("\(stage) comes though a stage failed") }
    if wasCancelled, !stage.comesAlways { problems.append("\(stage) comes after the cancel") }
    if case .unchanged = source, stage != .end, stage != .localKeys || sought.isEmpty {
      problems.append("\(stage): nothing changed")
    }
    rank = next
    active.append(stage)
    if let key, stage.isDownload { problems += begin(stage, key) }
    if stage == .commitDownloads { commits += 1 }
    return problems
  }

  private func rank(of stage: SyncStage) -> Int {
    switch stage {
    case .begin: 0
    case .fetchSourceList: 1
    case .localKeys: 2
    case .removeLocalItems: rank < 8 ? 3 : 9
    case .itemsToUpdate: 4
    case .prepareDownload: 5
    case .downloadPreviews: 6
    case .downloadContents: 7
    case .commitDownloads: 8
    case .end: 10
    }
  }

  private mutating func begin(_ stage: SyncStage, _ key: Int) -> [String] {
    var problems: [String] = []
    let before = Set(began[stage] ?? [])
    began[stage, default: []].append(key)
    let next = prepared?.first { !before.contains($0.id) }?.id
    let isWanted = sought.contains(key) && prepared?.contains { $0.id == key } == true
    guard !before.contains(key), key == next || isWanted else {
      return ["\(stage) of \(key) comes in place of \(next ?? -1)"]
    }
    if active.count > candidates.map(\.effectiveConcurrency).max() ?? 0 {
      problems.append("\(active.count) downloads at once")
    }
    if failures > 0, options?.stopOnError == true {
      problems.append("\(stage) of \(key) begins after a failure")
    }
    return problems
  }

  /// What is wrong with idle workers while there is work.
  var idleness: String? {
    guard let options, let stage = active.first, stage.isDownload, !wasCancelled, failures == 0,
      let prepared
    else { return nil }
    let waiting = prepared.count - (began[stage]?.count ?? 0)
    let isIdle = waiting > 0 && active.count < options.effectiveConcurrency
    return isIdle ? "\(active.count) downloads run, and \(waiting) wait" : nil
  }

  /// What is wrong with a report.
  func problems(with report: PassReport<Int>, isDisturbed: Bool) -> [String] {
    if report.kind == .plan { return problems(withPlan: report) }
    var problems: [String] = []
    let wanted = candidates.contains { $0.downloadPreview || $0.downloadContent }
    let counts = report.counts
    let settled = counts.downloaded + counts.failed + counts.skipped
    if settled != (prepared?.count ?? 0), wanted, !isBroken, options != nil {
      problems.append("\(settled) of \(prepared?.count ?? 0) items are counted")
    }
    if counts.removed != removed ?? 0 { problems.append("\(counts.removed) are said removed") }
    if downloadsBegan, commits != 1 { problems.append("\(commits) commits after downloads") }
    let isClean = !isBroken && failures == 0
    switch report.outcome {
    case .succeeded:
      if !isClean { problems.append("it succeeded in spite of failures") }
      if counts.skipped > 0, options != nil { problems.append("it succeeded, but skipped items") }
      if removals.count != removed ?? 0 { problems.append("it succeeded, but removed not all") }
    case .failed:
      if isClean { problems.append("it failed without a failure: \(report.failures)") }
    case .cancelled:
      if !isDisturbed { problems.append("it was cancelled by nobody") }
    case .removalRefused:
      if removed != nil || prepared != nil { problems.append("refused, but not at once") }
    }
    return problems
  }
}

extension PassNote {
  /// What is wrong with the report of a plan.
  private func problems(withPlan report: PassReport<Int>) -> [String] {
    let didNothing = removed == nil && commits == 0 && !downloadsBegan
    let isRight = report.outcome != .succeeded || !isBroken
    return (didNothing ? [] : ["a plan did something"])
      + (isRight ? [] : ["a plan succeeded in spite of failures"])
  }
}

extension SyncStage {
  var isDownload: Bool { self == .downloadPreviews || self == .downloadContents }

  /// Whether it comes also in a pass that was cancelled.
  var comesAlways: Bool { self == .commitDownloads || self == .end }
}
