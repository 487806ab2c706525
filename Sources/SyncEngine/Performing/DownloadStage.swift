/// Performs one download stage: workers that each take the next item from the window, see
/// ``DownloadWorker``, and the processor's watch beside them.
struct DownloadStage<Processor: SyncProcessor>: Sendable {
  typealias Item = Processor.Item

  /// What came of a stage.
  struct Result {
    var end: SyncPass.DownloadsEnd
    var ledger: ItemLedger
    var failures: [SyncFailure<Item.ID>]
    /// Whether the processor's watch ended the pass.
    var wasEndedByWatch: Bool
  }

  /// A child of the stage's group has ended.
  private enum Child {
    /// The last one, or the first one of a stage that stops, ends the others.
    case worker(endsAll: Bool)
    case watch(failed: Bool)
  }

  let tools: PassPerformer<Processor>.Equipment
  let work: PassWork<Item>
  let stage: SyncStage
  let transfer: Transfer
  let items: [Item]
  /// Whether a success here is the item's last transfer.
  let isLastTransfer: Bool
  let options: SyncOptions
  let board: DownloadBoard
  let teller: DownloadTeller<Item>
  /// Whether a download is tried once and for as long as it takes.
  let isPlain: Bool
  /// Whether items may wait for another attempt.
  let hasPauses: Bool
  private let workers: Int

  init(
    _ transfer: Transfer, of items: [Item], with tools: PassPerformer<Processor>.Equipment,
    work: PassWork<Item>, options: SyncOptions, ledger: ItemLedger, commitsEach: Bool
  ) {
    self.tools = tools
    self.work = work
    self.transfer = transfer
    stage = transfer == .preview ? .downloadPreviews : .downloadContents
    self.items = items
    self.options = options
    isLastTransfer = transfer == .content || !options.downloadContent
    hasPauses = options.retries.attempts > 1
    isPlain = !hasPauses && options.timeLimits.download == nil
    workers = min(options.effectiveConcurrency, items.count)
    let window = DownloadWindow(
      count: items.count, width: workers, stopsOnFailure: options.stopOnError)
    board = DownloadBoard(
      window: window, ledger: ledger, workers: workers,
      commitsEach: commitsEach && isLastTransfer)
    teller = DownloadTeller(stage, items: items, hub: tools.hub, board: board)
  }

  /// Transfers until no item is left, one failed that stops the others, or the signal was raised.
  /// What is in flight has ended when it returns.
  func run() async -> Result {
    tools.desk.downloadsBegin(on: board)
    let share = options.budget.map { (budget: $0, id: $0.join()) }
    defer { share.map { $0.budget.leave($0.id) } }
    tools.signal.whenRaised { [board] in
      board.drain()
      share.map { $0.budget.refuse($0.id) }
    }
    defer { tools.signal.whenRaised(nil) }
    tools.hub.status.downloadsBegin { [board] in board.withLock { $0.totals } }
    let watchFailed = await withTaskGroup(of: Child.self) { group in
      startWorkers(of: share, in: &group)
      if let watch = work.store.watchDownloads {
        group.addTask { .watch(failed: await fails(watch)) }
      }
      var watchFailed = false
      for await child in group {
        switch child {
        case .worker(let endsAll):
          if endsAll { group.cancelAll() }
        case .watch(let failed):
          watchFailed = failed
          if failed { group.cancelAll() }
        }
      }
      return watchFailed
    }
    return result(watchFailed)
  }

  private func startWorkers(
    of share: (budget: DownloadBudget, id: Int)?, in group: inout TaskGroup<Child>
  ) {
    for number in 0..<workers {
      let place = share.map { DownloadPlace(in: $0.budget, of: $0.id) }
      let worker = DownloadWorker(stage: self, number: number, place: place)
      // Optimised, a preference for none would take the group's own away.
      if let executor = tools.downloadExecutor {
        group.addTask(executorPreference: executor) {
          .worker(endsAll: await worker.downloadAll())
        }
      } else {
        group.addTask { .worker(endsAll: await worker.downloadAll()) }
      }
    }
  }

  private func result(_ watchFailed: Bool) -> Result {
    let last = board.withLock { state in
      if tools.signal.isRaised { state.window.cancel() }
      for place in state.window.takeResting() {
        state.cutShort(place)
        // One that was to be tried anew hasn't begun anew.
        if state.window.attempt(of: place) > 1 { teller.wasCutShort(place, nil, &state) }
      }
      return state
    }
    tools.hub.status.downloadsEnd(last.totals)
    let failures = last.lastFailures.map { failure in
      SyncFailure(stage: stage, key: failure.place.map { items[$0].id }, cause: failure.error)
    }
    return Result(
      end: last.window.end, ledger: last.ending(isLast: isLastTransfer), failures: failures,
      wasEndedByWatch: watchFailed)
  }

  /// The processor's watch; answers whether it ends the pass.
  private func fails(_ watch: () async throws -> Void) async -> Bool {
    do {
      try await watch()
      return false
    } catch {
      if error is CancellationError { return false }
      // Cancelled, it may have translated that.
      if Task.isCancelled, await !tools.processor.endsPass(error) { return false }
      board.withLock { state in
        state.window.stop()
        state.passIsEnding = true
        state.failures.append((nil, error))
      }
      return true
    }
  }
}
