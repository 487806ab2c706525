import SyncLock

/// Performs one pass: does what ``SyncPass`` answers and tells it how that went.
struct PassPerformer<Processor: SyncProcessor> {
  typealias Item = Processor.Item
  typealias ID = Processor.Item.ID

  /// What is to be downloaded, as far as it is known.
  struct Downloads {
    var items: [Item] = []
    /// Whether `prepareDownload` has had its say on them.
    var arePrepared = false
    /// Keys that it left out.
    var leftOut: Set<ID> = []
    var ledger = ItemLedger(count: 0)
    /// Whether an item is there for good when its last download returns.
    var areCommittedEach = false
  }

  let tools: Equipment
  let work: PassWork<Item>
  let options: SyncOptions
  private let number: Int
  /// The key that alone matters, in a pass of the kind `item`.
  let onlyKey: ID?
  /// Removals that somebody has allowed, whatever the limit says.
  let allowed: [Set<ID>]
  private var pass: SyncPass
  var report: PassReport<ID>
  var list: CheckedList<Item>?
  /// What the source answered, also where only one item of it counts.
  var listKind = ListKind.unchanged
  var comparison: ListComparison<Item>?
  var downloads = Downloads()
  /// Keys of which the local side was asked for somebody who waits for them, and those it holds.
  var sought: (asked: Set<ID>, held: Set<ID>) = ([], [])
  /// Whether what the commit finds was told already.
  var wasEndedByWatch = false
  /// What is listed and not held, as it was known before and, in the end, as it is known now.
  var missing: MissingItems<ID>
  /// Keys that the list says are gone.
  var gone: Set<ID> = []

  init(
    _ kind: PassKind, of key: ID? = nil, number: Int, options: SyncOptions,
    allowing allowed: [Set<ID>],
    missing: MissingItems<ID>, with tools: Equipment
  ) {
    self.allowed = allowed
    self.missing = missing
    self.tools = tools
    work = tools.processor._work
    self.options = options
    self.number = number
    onlyKey = key
    pass = SyncPass(SyncPass.Rules(options, for: kind))
    report = PassReport(kind: kind)
  }

  /// Walks through the stages, `syncDidEnd` included, and reports; `nil` if the pass was cancelled
  /// before it began.
  mutating func run() async -> PassReport<ID>? {
    var stage = pass.stage
    while true {
      if tools.signal.isRaised { stage = pass.handle(.cancelRequested) }
      if stage == .end { break }
      if stage != .begin { await enter(stage) }
      let began = tools.timeline.now
      let event = await perform(stage)
      if event != .cancelRequested {
        report.durations[stage, default: .zero] += tools.timeline.now - began
      }
      stage = pass.handle(event)
    }
    tools.desk.passCloses(well: pass.outcome == .succeeded)
    return pass.hasBegun ? await end() : nil
  }

  /// How the downloads ended; asked at their commit.
  var downloadsEnding: DownloadsEnding {
    switch pass.cutShort {
    case nil: .tried
    case .cancelled: .cancelled
    case .failed, .succeeded, .removalRefused: .stopped
    }
  }

  private func enter(_ stage: SyncStage) async {
    tools.hub.announce(.stageEntered(stage))
    guard let willBegin = work.store.stageWillBegin else { return }
    let limit = options.timeLimits.stage
    await tools.makeMark().mark {
      // It throws only that it took too long, and then the stage's own call comes all the same.
      try? await tools.limiting(stage, to: limit) { await willBegin(stage) }
    }
  }

  private mutating func end() async -> PassReport<ID> {
    tools.hub.announce(.stageEntered(.end))
    if pass.rules.kind != .plan, options.downloadPreview || options.downloadContent {
      downloads.ledger.count(into: &report.counts)
    }
    report.outcome = pass.outcome
    if case .removalRefused = pass.outcome { report.refusedRemovals = comparison?.removals ?? [] }
    if pass.rules.kind != .plan, let comparison {
      let prepared =
        downloads.arePrepared
        ? (downloads: downloads.items, leftOut: downloads.leftOut, ledger: downloads.ledger) : nil
      missing.settle(comparison, gone: gone, prepared: prepared)
    }
    let isPlan = pass.rules.kind == .plan  // what that would download isn't held
    let lacksSome = isPlan && !(downloads.items.isEmpty && downloads.leftOut.isEmpty)
    report.isComplete = lacksSome ? false : missing.isComplete
    let began = tools.timeline.now
    let (processor, told) = (tools.processor, report)
    await tools.makeMark().mark { await processor.syncDidEnd(told) }
    report.durations[.end] = tools.timeline.now - began
    tools.hub.announce(.passEnded(report))
    return report
  }

  private mutating func perform(_ stage: SyncStage) async -> SyncPass.Event {
    do {
      switch stage {
      case .begin: return try await begin()
      case .fetchSourceList: return try await fetchSourceList()
      case .localKeys: return try await compareKeys()
      case .removeLocalItems: return try await removeLocalItems()
      case .itemsToUpdate: return try await chooseUpdates()
      case .prepareDownload: return try await prepareDownload()
      case .downloadPreviews: return try await download(.preview)
      case .downloadContents: return try await download(.content)
      case .commitDownloads: return try await commit()
      case .end: preconditionFailure("the end is no stage to perform")
      }
    } catch {
      return await ended(stage, by: error)
    }
  }

  /// What an error means for the pass. The commit isn't cancelled, so whatever it throws, be it
  /// `CancellationError`, is a failure.
  private mutating func ended(_ stage: SyncStage, by error: any Error) async -> SyncPass.Event {
    let wasInterrupted = tools.signal.isRaised && stage != .commitDownloads
    let failure = SyncFailure<ID>(of: stage, error)
    if wasInterrupted, await tools.isCancellation(failure.cause) { return .interrupted }
    report.failures.append(failure)
    return wasInterrupted ? .interrupted : .failed
  }
}

extension PassPerformer {
  /// Makes a call of the processor: cancelled when the run is, for as long as it may take, and
  /// marked as this synchronizer's.
  func call<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (stage, limit) = (pass.stage, options.timeLimits.stage)
    return try await tools.signal.interruptingStage { [tools] in
      try await tools.makeMark().mark { try await tools.limiting(stage, to: limit, body) }
    }
  }

  /// The pass begins where `syncWillBegin` is called: one that is cancelled before has none of it,
  /// no events, no report and no `syncDidEnd`.
  private func begin() async throws -> SyncPass.Event {
    let (willBegin, hub) = (work.store.syncWillBegin, tools.hub)
    let (kind, number) = (report.kind, number)
    let limit = options.timeLimits.stage
    let called: Result<Void, any Error>
    do {
      called = try await tools.signal.interruptingStage { [tools] in
        hub.announce(.passStarted(number: number))
        hub.announce(.stageEntered(.begin))
        do {
          try await tools.makeMark().mark {
            try await tools.limiting(.begin, to: limit) { try await willBegin(kind) }
          }
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    } catch {
      return .cancelRequested
    }
    try called.get()
    return .succeeded
  }

  private mutating func removeLocalItems() async throws -> SyncPass.Event {
    let processor = tools.processor
    let keys = removals
    try await call { try await processor.removeLocalItems(keys) }
    report.counts.removed = keys.count
    return .succeeded
  }

  /// What has to go. Late, that isn't what `prepareDownload` added to the downloads.
  var removals: Set<ID> {
    guard let comparison else { return [] }
    guard options.removal == .afterDownloads, downloads.arePrepared else {
      return comparison.removals
    }
    if comparison.removals.isEmpty { return [] }
    return comparison.removals.subtracting(downloads.items.lazy.map(\.id))
  }

  private mutating func chooseUpdates() async throws -> SyncPass.Event {
    guard let comparison else { preconditionFailure("keys are compared before updates are asked") }
    let existing = comparison.existing
    let chosen = try await call { [work] in try await work.store.itemsToUpdate(existing) }
    downloads.items = try work.choose(comparison, chosen)
    report.counts.updated = chosen.count
    return .succeeded
  }

  private mutating func prepareDownload() async throws -> SyncPass.Event {
    let processor = tools.processor
    let wanted = downloads.items
    downloads.items = []
    let prepared = try await call { try await processor.prepareDownload(of: wanted) }
    downloads.leftOut = try work.checkPrepared(prepared, wanted)
    downloads.items = prepared
    downloads.arePrepared = true
    downloads.ledger = ItemLedger(count: prepared.count)
    downloads.areCommittedEach = await tools.makeMark().mark {
      await work.store.commitsEachDownload()
    }
    let spared = sparedRemovals
    tools.hub.status.expect(items: prepared.count, in: options.downloadStages)
    tools.hub.announce(
      .planned(
        PlanCounts(
          toRemove: pass.removals - spared, toUpdate: report.counts.updated,
          toDownload: prepared.count)))
    if let comparison {
      tools.desk.passIsPlanned(
        PassLookup(
          kind: listKind, listed: comparison.items, wanted: wanted, downloads: prepared,
          asked: sought.asked, held: sought.held, missing: missing.keys ?? [], work: work))
    }
    return .prepared(downloads: prepared.count, spared: spared)
  }

  /// How many that would have to go late are downloaded instead.
  private var sparedRemovals: Int {
    guard let comparison, options.removal == .afterDownloads, !comparison.removals.isEmpty else {
      return 0
    }
    return downloads.items.count { comparison.removals.contains($0.id) }
  }
}
