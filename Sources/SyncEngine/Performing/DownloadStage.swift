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
    /// The last one, or the first one of a stage that stops, ends the others.
    case worker(endsAll: Bool)
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
    workers = min(options.effectiveConcurrency, items.count)
    let window = DownloadWindow(
      count: items.count, width: workers, stopsOnFailure: options.stopOnError)
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
        case .crew(let wanted?):
          started = startWorkers(upTo: wanted, after: started, in: &group)
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
          .worker(endsAll: await downloadAll(as: worker))
        }
      } else {
        group.addTask { .worker(endsAll: await downloadAll(as: worker)) }
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
      for place in state.window.takeResting() {
        state.cutShort(place)
        // One that was to be tried anew hasn't begun anew.
        if state.window.attempt(of: place) > 1 { teller.wasCutShort(place, nil, &state) }
      }
      return state
    }
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

extension DownloadStage {
  /// Downloads one item after the other; answers whether the other workers are to end, too.
  private func downloadAll(as worker: Int) async -> Bool {
    var turn = turn(at: take())
    while true {
      switch turn {
      case .plain(let place): turn = await work.download(items, transfer, place, next(worker))
      case .attended(let place):
        do {
          try await attempt(place, worker)
          turn = self.turn(at: succeed(place, worker))
        } catch {
          turn = .failed(place, error)
        }
      case .failed(let place, let error): turn = self.turn(at: await fail(place, worker, error))
      case .over:
        if await waitsForMore(worker) {
          turn = self.turn(at: take())
        } else {
          // A cancel has cancelled the others, and a drain lets them finish.
          return board.withLock { $0.window.phase != .cancelled && $0.window.isOver }
        }
      }
    }
  }

  /// Waits until there may be something to do; answers `false` if there never is.
  private func waitsForMore(_ worker: Int) async -> Bool {
    let (changes, bell) = AsyncStream<Never>.makeStream()
    guard case .later(let time) = board.withLock({ $0.idle(worker, bell: bell) }) else {
      return false
    }
    await tools.timeline.sleep(until: time, orUntilEndOf: changes)
    return true
  }

  private func turn(at place: Int?) -> DownloadTurn {
    guard let place else { return .over }
    return isPlain && !tools.hub.isObserved ? .plain(place) : .attended(place)
  }

  /// What comes after an item that was downloaded plainly.
  private func next(_ worker: Int) -> PassWork<Item>.Next {
    board.next(unless: tools.signal, tools.hub.observers) { turn(at: succeed($0, worker)) }
  }

  /// Tries for as long as the options say.
  private func attempt(_ place: Int, _ worker: Int) async throws {
    let progress = teller.progress(of: place, by: worker) ?? DownloadProgress()
    try await tools.limiting(stage, of: items[place].id, to: options.timeLimits.download) {
      switch transfer {
      case .preview: try await tools.processor.downloadPreview(of: items[place], progress: progress)
      case .content: try await tools.processor.downloadContent(of: items[place], progress: progress)
      }
    }
  }

  /// The time, where anything goes by it.
  private var now: Duration { options.retries.attempts > 1 ? tools.timeline.now : .zero }
}

extension DownloadStage {
  /// Settles a success and takes the next, in one step.
  private func succeed(_ place: Int, _ worker: Int) -> Int? {
    let now = now
    let (isAwaited, next) = board.withLock { state in
      let isAwaited = state.succeed(place, isLast: isLastTransfer)
      teller.finished(place, worker, &state)
      return (isAwaited, take(&state, at: now))
    }
    if isAwaited { tools.desk.itemArrived(place) }
    return next
  }

  private func take() -> Int? {
    let now = now
    return board.withLock { take(&$0, at: now) }
  }

  private func take(_ state: inout DownloadState, at now: Duration) -> Int? {
    guard let place = state.take(unless: tools.signal, at: now) else { return nil }
    if tools.hub.isObserved { teller.began(place, &state) }
    return place
  }

  /// Settles a failure and takes the next.
  private func fail(_ place: Int, _ worker: Int, _ error: any Error) async -> Int? {
    let (phase, attempt) = board.withLock { ($0.window.phase, $0.window.attempt(of: place)) }
    // Before the pass stops, nobody has cut anything: then it is an error like any other.
    let isStopping = tools.signal.isRaised || phase != .open
    let isCut = isStopping ? await tools.isCancellation(error) : false
    let isAsked = !isCut && !(error is CancellationError)
    let ends = isAsked ? await tools.processor.endsPass(error) : false
    if isAsked, !isStopping, !ends, let pause = pause(after: attempt, error) {
      return rest(place, worker, pause)
    }
    let now = now
    return board.withLock { state in
      record(place, worker, error, isCut: isCut, ends: ends, in: &state)
      return take(&state, at: now)
    }
  }

  /// The pause before another attempt; `nil` if there is none.
  private func pause(after attempt: Int, _ error: any Error) -> RetryPause? {
    let retries = options.retries
    guard attempt < retries.attempts, retries.isWorthwhile(error) else { return nil }
    return retries.pause(attempt + 1, error)
  }

  /// Puts the item off and takes the next.
  private func rest(_ place: Int, _ worker: Int, _ pause: RetryPause) -> Int? {
    let now = now
    let (length, holdsAll) =
      switch pause {
      case .item(let length): (length, false)
      case .stage(let length): (length, true)
      }
    return board.withLock { state in
      state.rest(place, worker, until: now + length, holdsAll: holdsAll)
      return take(&state, at: now)
    }
  }

  private func record(
    _ place: Int, _ worker: Int, _ error: any Error, isCut: Bool, ends: Bool,
    in state: inout DownloadState
  ) {
    if tools.signal.isRaised { state.window.cancel() }
    if isCut || ends && state.passIsEnding {
      state.cutShort(place)
      return teller.wasCutShort(place, worker, &state)
    }
    state.window.settle(.failed)
    if ends {
      state.window.stop()
      state.passIsEnding = true
    }
    state.fail(place, with: error)
    let failure = SyncFailure(stage: stage, key: items[place].id, cause: error)
    // Before observers can know: who hears of it and asks for the item waits for another try.
    state.wakeups.add(tools.desk.itemFailed(place, with: failure))
    teller.failed(place, worker, error, &state)
  }
}
