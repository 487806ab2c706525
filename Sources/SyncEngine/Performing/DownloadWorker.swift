import SyncLock

/// One worker of a download stage: downloads one item after the other.
struct DownloadWorker<Processor: SyncProcessor>: Sendable {
  let stage: DownloadStage<Processor>
  let number: Int
  /// Its place within the budget that the stage shares with others, if there is one.
  let place: DownloadPlace?

  /// Works until there is nothing to do any more; answers whether the other workers are to end,
  /// too.
  func downloadAll() async -> Bool {
    guard let place, let mark = StageMark.current else { return await work() }
    defer { place.giveBack() }
    return await mark.of(place).mark { await work() }
  }

  private func work() async -> Bool {
    var turn = DownloadTurn.over
    while true {
      switch turn {
      case .plain(let item):
        turn = await stage.work.download(stage.items, stage.transfer, item, next)
      case .attended(let item):
        do {
          try await attempt(item)
          turn = self.turn(at: succeed(item))
        } catch {
          turn = .failed(item, error)
        }
      case .failed(let item, let error): turn = self.turn(at: await fail(item, error))
      case .over:
        guard let item = await nextItem() else { return stage.board.withLock { $0.window.isOver } }
        turn = self.turn(at: item)
      }
    }
  }

  private func turn(at item: Int?) -> DownloadTurn {
    guard let item else { return .over }
    return stage.isPlain && !stage.tools.hub.isObserved ? .plain(item) : .attended(item)
  }

  /// What comes after an item that was downloaded plainly.
  private var next: PassWork<Processor.Item>.Next {
    stage.board.next(unless: stage.tools.signal, stage.tools.hub.observers, place) {
      turn(at: succeed($0))
    }
  }

  /// Waits for the next item, and for the place to download it in; `nil` when there never is one.
  private func nextItem() async -> Int? {
    while true {
      if place != nil, stage.board.withLock({ $0.window.outlook == .over }) { return nil }
      await place?.take()
      let now = now
      if let item = stage.board.withLock({ take(&$0, at: now) }) { return item }
      place?.giveBack()
      let (changes, bell) = AsyncStream<Never>.makeStream()
      guard case .later(let time) = stage.board.withLock({ $0.idle(number, bell: bell) }) else {
        return nil
      }
      await stage.tools.timeline.sleep(until: time, orUntilEndOf: changes)
    }
  }

  private func take(_ state: inout DownloadState, at now: Duration) -> Int? {
    guard let item = state.take(unless: stage.tools.signal, at: now) else { return nil }
    if stage.tools.hub.isObserved { stage.teller.began(item, &state) }
    return item
  }

  /// Settles an item and takes the next in one step, unless the place is to be given to others.
  private func settle(_ body: (inout DownloadState, _ now: Duration) -> Void) -> Int? {
    let (now, keepsPlace) = (now, place?.mayKeep ?? true)
    return stage.board.withLock { state in
      body(&state, now)
      return keepsPlace ? take(&state, at: now) : nil
    }
  }

  /// The time, where anything goes by it.
  private var now: Duration { stage.hasPauses ? stage.tools.timeline.now : .zero }
}

extension DownloadWorker {
  /// Tries for as long as the options say.
  private func attempt(_ item: Int) async throws {
    let progress = stage.teller.progress(of: item, by: number) ?? DownloadProgress()
    guard let limit = stage.options.timeLimits.download else {
      return try await download(item, progress)
    }
    try await stage.tools.limiting(stage.stage, of: stage.items[item].id, to: limit) {
      try await download(item, progress)
    }
  }

  private func download(_ item: Int, _ progress: DownloadProgress) async throws {
    let processor = stage.tools.processor
    switch stage.transfer {
    case .preview:
      try await processor.downloadPreview(of: stage.items[item], progress: progress)
    case .content:
      try await processor.downloadContent(of: stage.items[item], progress: progress)
    }
  }

  private func succeed(_ item: Int) -> Int? {
    var isAwaited = false
    let next = settle { state, _ in
      isAwaited = state.succeed(item, isLast: stage.isLastTransfer)
      stage.teller.finished(item, number, &state)
    }
    if isAwaited { stage.tools.desk.itemArrived(item) }
    return next
  }

  private func fail(_ item: Int, _ error: any Error) async -> Int? {
    let (phase, attempt) = stage.board.withLock { ($0.window.phase, $0.window.attempt(of: item)) }
    // Before the pass stops, nobody has cut anything: then it is an error like any other.
    let isStopping = stage.tools.signal.isRaised || phase != .open
    let isCut = isStopping ? await stage.tools.isCancellation(error) : false
    let isAsked = !isCut && !(error is CancellationError)
    let ends = isAsked ? await stage.tools.processor.endsPass(error) : false
    if isAsked, !isStopping, !ends, let pause = pause(after: attempt, error) {
      return settle { rest(item, pause, &$0, at: $1) }
    }
    return settle { state, _ in record(item, error, isCut: isCut, ends: ends, in: &state) }
  }

  /// The pause before another attempt; `nil` if there is none.
  private func pause(after attempt: Int, _ error: any Error) -> RetryPause? {
    let retries = stage.options.retries
    guard attempt < retries.attempts, retries.isWorthwhile(error) else { return nil }
    return retries.pause(attempt + 1, error)
  }

  private func rest(
    _ item: Int, _ pause: RetryPause, _ state: inout DownloadState, at now: Duration
  ) {
    switch pause {
    case .item(let length): state.rest(item, number, until: now + length, holdsAll: false)
    case .stage(let length): state.rest(item, number, until: now + length, holdsAll: true)
    }
  }

  private func record(
    _ item: Int, _ error: any Error, isCut: Bool, ends: Bool, in state: inout DownloadState
  ) {
    if stage.tools.signal.isRaised { state.window.cancel() }
    if isCut || ends && state.passIsEnding {
      state.cutShort(item)
      return stage.teller.wasCutShort(item, number, &state)
    }
    state.window.settle(.failed)
    if ends {
      state.window.stop()
      state.passIsEnding = true
    }
    state.fail(item, with: error)
    let failure = SyncFailure(stage: stage.stage, key: stage.items[item].id, cause: error)
    // Before observers can know: who hears of it and asks for the item waits for another try.
    state.wakeups.add(stage.tools.desk.itemFailed(item, with: failure))
    stage.teller.failed(item, number, error, &state)
  }
}
