/// Performs one pass: does what ``SyncPass`` answers and tells it how that went.
struct PassPerformer<Processor: SyncProcessor> {
  typealias Item = Processor.Item
  typealias ID = Processor.Item.ID

  let processor: Processor
  let signal: StopSignal
  let hub: EventHub<ID>
  let timeline: Timeline
  let downloadExecutor: (any TaskExecutor)?
  private let options: SyncOptions
  private var pass: SyncPass
  private var report = PassReport<ID>()
  private var list: CheckedList<Item>?
  private var comparison: ListComparison<Item>?
  private var downloads: [Item] = []
  private var ledger = ItemLedger(count: 0)

  init(
    processor: Processor, options: SyncOptions, signal: StopSignal, hub: EventHub<ID>,
    timeline: Timeline, downloadExecutor: (any TaskExecutor)?
  ) {
    self.processor = processor
    self.options = options
    self.signal = signal
    self.hub = hub
    self.timeline = timeline
    self.downloadExecutor = downloadExecutor
    pass = SyncPass(options: options)
  }

  /// Walks through the stages, `syncDidEnd` included, and reports.
  mutating func run() async -> PassReport<ID> {
    var stage = pass.stage
    while true {
      if signal.isRaised { stage = pass.handle(.cancelRequested) }
      if stage == .end { break }
      hub.publish(.stageEntered(stage))
      let began = timeline.now
      let event = await perform(stage)
      report.durations[stage, default: .zero] += timeline.now - began
      stage = pass.handle(event)
    }
    return await end()
  }

  private mutating func end() async -> PassReport<ID> {
    hub.publish(.stageEntered(.end))
    if options.downloadPreview || options.downloadContent { ledger.count(into: &report.counts) }
    report.outcome = pass.outcome
    let began = timeline.now
    await processor.syncDidEnd(report)
    report.durations[.end] = timeline.now - began
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
      return ended(stage, by: error)
    }
  }

  /// What an error means for the pass. The commit isn't cancelled, so whatever it throws, be it
  /// `CancellationError`, is a failure.
  private mutating func ended(_ stage: SyncStage, by error: any Error) -> SyncPass.Event {
    let wasInterrupted = signal.isRaised && stage != .commitDownloads
    if error is CancellationError, wasInterrupted { return .interrupted }
    if stage == .commitDownloads { ledger.failWhatIsDone() }
    let key = (error as? ListProblem<ID>)?.key
    report.failures.append(SyncFailure(stage: stage, key: key, cause: error))
    return wasInterrupted ? .interrupted : .failed
  }
}

extension PassPerformer {
  private func begin() async throws -> SyncPass.Event {
    let processor = processor
    try await signal.interruptingStage { try await processor.syncWillBegin() }
    return .succeeded
  }

  private mutating func fetchSourceList() async throws -> SyncPass.Event {
    let processor = processor
    let source = try await signal.interruptingStage { try await processor.fetchSourceList() }
    let list = try CheckedList(source)
    report.counts.listed = list.items.count
    self.list = list
    return .listed(list.kind)
  }

  private mutating func compareKeys() async throws -> SyncPass.Event {
    guard let list else { preconditionFailure("the list is fetched before keys are compared") }
    let local = try await localKeys(for: list)
    let comparison = ListComparison(list, local: local.keys)
    self.list = nil  // the comparison holds what is needed of it
    self.comparison = comparison
    return .compared(removals: comparison.removals.count, local: local.count)
  }

  /// Only a complete list says something of items that it doesn't name.
  private func localKeys(for list: CheckedList<Processor.Item>) async throws -> LocalKeys<ID> {
    let processor = processor
    guard list.kind == .complete else {
      let named = list.removed.union(list.items.map { $0.id })
      return try await signal.interruptingStage { try await processor.localKeys(among: named) }
    }
    let all = try await signal.interruptingStage { try await processor.localKeys() }
    return LocalKeys(keys: all, count: all.count)
  }

  private mutating func removeLocalItems() async throws -> SyncPass.Event {
    let processor = processor
    let keys = comparison?.removals ?? []
    try await signal.interruptingStage { try await processor.removeLocalItems(keys) }
    report.counts.removed = keys.count
    return .succeeded
  }

  private mutating func chooseUpdates() async throws -> SyncPass.Event {
    let processor = processor
    guard let comparison else { preconditionFailure("keys are compared before updates are asked") }
    let existing = comparison.existing
    let chosen = try await signal.interruptingStage {
      try await processor.itemsToUpdate(among: existing)
    }
    downloads = try comparison.downloads(updating: chosen)
    report.counts.updated = chosen.count
    return .succeeded
  }

  private mutating func prepareDownload() async throws -> SyncPass.Event {
    let processor = processor
    let wanted = downloads
    downloads = []
    let prepared = try await signal.interruptingStage {
      try await processor.prepareDownload(of: wanted)
    }
    if !Self.haveSameKeys(prepared, wanted) { _ = try KeyTable(prepared) }
    downloads = prepared
    ledger = ItemLedger(count: downloads.count)
    hub.publish(
      .planned(
        SyncPlan(
          toRemove: pass.removals, toUpdate: report.counts.updated, toDownload: downloads.count)))
    return .prepared(downloads: downloads.count)
  }

  private static func haveSameKeys(_ some: [Item], _ others: [Item]) -> Bool {
    guard some.count == others.count else { return false }
    for place in some.indices where some[place].id != others[place].id { return false }
    return true
  }

  private mutating func download(
    _ transfer: DownloadStage<Processor>.Transfer
  ) async throws -> SyncPass.Event {
    let stage = DownloadStage(
      processor: processor, transfer: transfer, items: downloads,
      isLastTransfer: transfer == .content || !options.downloadContent, signal: signal, hub: hub,
      executor: downloadExecutor)
    let result = try await signal.interrupting { [options, ledger] in
      await stage.run(
        concurrency: options.effectiveConcurrency, stopsOnFailure: options.stopOnError,
        ledger: ledger)
    }
    ledger = result.ledger
    report.failures += result.failures
    return .downloaded(result.end)
  }

  private mutating func commit() async throws -> SyncPass.Event {
    let failures = try await processor.commitDownloads()
    guard !failures.isEmpty else { return .committed(failures: false) }
    var others = failures
    var totals = ItemTotals(finished: 0, failed: 0, total: failures.count)
    for (place, item) in downloads.enumerated() {
      guard let error = others.removeValue(forKey: item.id) else { continue }
      ledger.fail(place)
      noteCommitFailure(item.id, error, &totals)
    }
    for (key, error) in others { noteCommitFailure(key, error, &totals) }
    return .committed(failures: true)
  }

  private mutating func noteCommitFailure(
    _ key: ID, _ error: any Error, _ totals: inout ItemTotals
  ) {
    totals.finished += 1
    totals.failed += 1
    report.failures.append(SyncFailure(stage: .commitDownloads, key: key, cause: error))
    hub.publish(.itemFailed(.commitDownloads, key, totals, error))
  }
}
