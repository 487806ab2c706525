import SyncLock

/// Performs one download stage: workers that each take the next item from the window, and the
/// processor's watch beside them.
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
    case worker(stops: Bool)
    case watch(failed: Bool)
    /// So many workers are of use, more than there are; `nil` when the stage ended before.
    case crew(wanted: Int?)
  }

  let tools: PassPerformer<Processor>.Equipment
  let work: PassWork<Item>
  let transfer: Transfer
  let items: [Item]
  /// Whether a success here is the item's last transfer.
  let isLastTransfer: Bool
  let options: SyncOptions
  let board: DownloadBoard
  private let workers: Int
  private let teller: DownloadTeller<Item>
  /// Whether a download is tried once and for as long as it takes.
  private let isPlain: Bool

  init(
    _ transfer: Transfer, of items: [Item], with tools: PassPerformer<Processor>.Equipment,
    work: PassWork<Item>, options: SyncOptions, ledger: ItemLedger, commitsEach: Bool
  ) {
    self.tools = tools
    self.work = work
    self.transfer = transfer
    self.items = items
    self.options = options
    isLastTransfer = transfer == .content || !options.downloadContent
    isPlain = options.retries.attempts <= 1 && options.timeLimits.download == nil
    let window = DownloadWindow(count: items.count, stopsOnFailure: options.stopOnError)
    workers = min(options.effectiveConcurrency, items.count)
    board = DownloadBoard(
      window: window, ledger: ledger, workers: workers,
      commitsEach: commitsEach && isLastTransfer)
    teller = DownloadTeller(
      Self.stage(of: transfer), items: items, hub: tools.hub, board: board)
  }

  private static func stage(of transfer: Transfer) -> SyncStage {
    transfer == .preview ? .downloadPreviews : .downloadContents
  }

  private var stage: SyncStage { Self.stage(of: transfer) }

  /// Transfers until no item is left, one failed that stops the others, or the signal was raised.
  /// What is in flight has ended when it returns.
  func run() async -> Result {
    tools.desk.downloadsBegin(on: board)
    let watchFailed = await withTaskGroup(of: Child.self) { group in
      var started = startWorkers(upTo: tools.crew?.wanted ?? workers, after: 0, in: &group)
      var working = started
      if let watch = work.store.watchDownloads {
        group.addTask { .watch(failed: await fails(watch)) }
      }
      var watchFailed = false
      for await child in group {
        switch child {
        case .worker(let stops):
          working -= 1
          if stops || working == 0 { group.cancelAll() }
        case .watch(let failed):
          watchFailed = failed
          if failed { group.cancelAll() }
        case .crew(let wanted?):
          let before = started
          started = startWorkers(upTo: wanted, after: started, in: &group)
          working += started - before
        case .crew(nil): break
        }
      }
      return watchFailed
    }
    return result(watchFailed)
  }

  /// Starts workers until there are so many, and waits for more to be of use; answers how many
  /// there are.
  private func startWorkers(
    upTo wanted: Int, after started: Int, in group: inout TaskGroup<Child>
  ) -> Int {
    let count = max(started, min(wanted, workers))
    for worker in started..<count {
      // Optimised, a preference for none would take the group's own away.
      if let executor = tools.downloadExecutor {
        group.addTask(executorPreference: executor) {
          .worker(stops: await downloadAll(as: worker))
        }
      } else {
        group.addTask { .worker(stops: await downloadAll(as: worker)) }
      }
    }
    if let crew = tools.crew, count < workers {
      group.addTask { .crew(wanted: await crew.more(than: count)) }
    }
    return count
  }

  private func result(_ watchFailed: Bool) -> Result {
    let last = board.withLock { state in
      if tools.signal.isRaised { state.window.cancel() }
      return state
    }
    let failures = last.failures.map { failure in
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

extension DownloadStage {
  /// Downloads one item after the other; answers whether the rest is to be stopped.
  private func downloadAll(as worker: Int) async -> Bool {
    var turn = turn(at: board.withLock { take(&$0) })
    while true {
      switch turn {
      case .plain(let place): turn = await work.download(items, transfer, place, next(worker))
      case .attended(let place):
        do {
          try await insist(place, worker)
          turn = self.turn(at: succeed(place, worker))
        } catch {
          turn = .failed(place, error)
        }
      case .failed(let place, let error): turn = self.turn(at: await fail(place, worker, error))
      case .over: return board.withLock { $0.window.phase } != .open
      }
    }
  }

  private func turn(at place: Int?) -> DownloadTurn {
    guard let place else { return .over }
    return isPlain && !tools.hub.isObserved ? .plain(place) : .attended(place)
  }

  /// What comes after an item that was downloaded plainly.
  private func next(_ worker: Int) -> PassWork<Item>.Next {
    board.next(unless: tools.signal, tools.hub.observers) { turn(at: succeed($0, worker)) }
  }

  /// Tries as often and each time for as long as the options say.
  private func insist(_ place: Int, _ worker: Int) async throws {
    var number = 1
    while true {
      let progress = teller.progress(of: place, by: worker, attempt: number)
      do {
        return try await tools.limiting(
          stage, of: items[place].id, to: options.timeLimits.download
        ) {
          try await attempt(place, progress)
        }
      } catch {
        guard number < options.retries.attempts, await isWorthAnotherAttempt(error) else {
          throw error
        }
        number += 1
        try await tools.timeline.sleep(until: tools.timeline.now + options.retries.pause(number))
      }
    }
  }

  private func attempt(_ place: Int, _ progress: DownloadProgress?) async throws {
    let progress = progress ?? DownloadProgress()
    switch transfer {
    case .preview: try await tools.processor.downloadPreview(of: items[place], progress: progress)
    case .content: try await tools.processor.downloadContent(of: items[place], progress: progress)
    }
  }

  private func isWorthAnotherAttempt(_ error: any Error) async -> Bool {
    if error is CancellationError || Task.isCancelled { return false }
    if await tools.processor.endsPass(error) { return false }
    return options.retries.isWorthwhile(error)
  }
}

extension DownloadStage {
  /// Settles a success and takes the next, in one step.
  private func succeed(_ place: Int, _ worker: Int) -> Int? {
    let (isAwaited, next) = board.withLock { state in
      let isAwaited = state.succeed(place, isLast: isLastTransfer)
      teller.finished(place, worker, &state)
      return (isAwaited, take(&state))
    }
    if isAwaited { tools.desk.itemArrived(place) }
    return next
  }

  private func take(_ state: inout DownloadState) -> Int? {
    guard let place = state.take(unless: tools.signal) else { return nil }
    if tools.hub.isObserved { teller.began(place, &state) }
    return place
  }

  private func fail(_ place: Int, _ worker: Int, _ error: any Error) async -> Int? {
    // Before the pass stops, nobody has cut anything: then it is an error like any other.
    let isStopping = tools.signal.isRaised || board.withLock { $0.window.phase != .open }
    let isCut = isStopping ? await tools.isCancellation(error) : false
    let isAsked = !isCut && !(error is CancellationError)
    let ends = isAsked ? await tools.processor.endsPass(error) : false
    let (isFailure, next) = board.withLock { state in
      let isFailure = record(place, worker, error, isCut: isCut, ends: ends, in: &state)
      return (isFailure, take(&state))
    }
    if isFailure {
      tools.desk.itemFailed(
        place, with: SyncFailure(stage: stage, key: items[place].id, cause: error))
    }
    return next
  }

  /// Answers whether it is a failure of the item.
  private func record(
    _ place: Int, _ worker: Int, _ error: any Error, isCut: Bool, ends: Bool,
    in state: inout DownloadState
  ) -> Bool {
    if tools.signal.isRaised { state.window.cancel() }
    if isCut || ends && state.passIsEnding {
      state.cutShort(place)
      teller.wasCutShort(place, worker, &state)
      return false
    }
    state.window.settle(.failed)
    if ends {
      state.window.stop()
      state.passIsEnding = true
    }
    state.fail(place, with: error)
    teller.failed(place, worker, error, &state)
    return true
  }
}
