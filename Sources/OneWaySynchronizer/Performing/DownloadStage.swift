import SyncLock

/// What changes while a download stage runs, behind its lock.
///
/// It knows nothing of the items: the workers come to the lock twice an item, and a generic value
/// behind it would cost more than all they do there.
private struct DownloadState {
  var window: DownloadWindow
  var ledger: ItemLedger
  var failures: [(place: Int, error: any Error)] = []

  /// The next item, unless the stage is to end.
  mutating func take(unless signal: StopSignal) -> Int? {
    if signal.isRaised { window.cancel() }
    return window.take()
  }

  mutating func succeed(_ place: Int, isLast: Bool) {
    window.settle(.succeeded)
    if isLast { ledger.finish(place) }
  }
}

/// Performs one download stage: workers that each take the next item from the window.
struct DownloadStage<Processor: SyncProcessor>: Sendable {
  typealias Item = Processor.Item

  /// What each item is given to.
  enum Transfer: Equatable {
    case preview
    case content
  }

  let processor: Processor
  let transfer: Transfer
  let items: [Item]
  /// Whether a success here is the item's last transfer.
  let isLastTransfer: Bool
  let signal: StopSignal
  let hub: EventHub<Item.ID>
  /// What the workers prefer to run on; `nil`: what the caller runs on.
  let executor: (any TaskExecutor)?

  private var stage: SyncStage {
    transfer == .preview ? .downloadPreviews : .downloadContents
  }

  /// Runs at most `concurrency` transfers at once until none is left, one failed and
  /// `stopsOnFailure`, or the signal was raised. What is in flight has ended when it returns.
  func run(
    concurrency: Int, stopsOnFailure: Bool, ledger: ItemLedger
  ) async -> (end: SyncPass.DownloadsEnd, ledger: ItemLedger, failures: [SyncFailure<Item.ID>]) {
    let window = DownloadWindow(count: items.count, stopsOnFailure: stopsOnFailure)
    let state = Locked(DownloadState(window: window, ledger: ledger))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<min(concurrency, items.count) {
        group.addTask(executorPreference: executor) { await work(state) }
      }
      for await wasStopped in group where wasStopped { group.cancelAll() }
    }
    let last = state.withLock { state in
      if signal.isRaised { state.window.cancel() }
      return state
    }
    let failures = last.failures.map {
      SyncFailure(stage: stage, key: items[$0.place].id, cause: $0.error)
    }
    return (last.window.end, last.ledger, failures)
  }

  /// Downloads one item after the other; answers whether the rest is to be stopped.
  private func work(_ state: Locked<DownloadState>) async -> Bool {
    var place = begin(state)
    while let taken = place {
      do {
        switch transfer {
        case .preview: try await processor.downloadPreview(of: items[taken])
        case .content: try await processor.downloadContent(of: items[taken])
        }
        place = settle(taken, error: nil, in: state)
      } catch {
        place = settle(taken, error: error, in: state)
      }
    }
    return state.withLock { $0.window.phase } != .open
  }

  /// Takes the first item of a worker.
  private func begin(_ state: Locked<DownloadState>) -> Int? {
    state.withLock { take(&$0) }
  }

  /// Settles an item and takes the next, in one step.
  private func settle(_ place: Int, error: (any Error)?, in state: Locked<DownloadState>) -> Int? {
    if error == nil, case .some(let next) = settleUnobserved(place, in: state) { return next }
    return state.withLock { state in
      record(place, error: error, in: &state)
      return take(&state)
    }
  }

  /// The same for a success that nobody is told of; `nil` when somebody is. Nothing generic is
  /// captured: to look up its type would take longer than the rest.
  private func settleUnobserved(
    _ place: Int, in state: Locked<DownloadState>
  ) -> Int?? {
    state.withLock { [isLastTransfer, signal, observers = hub.observers] state in
      guard !observers.isAny else { return nil }
      state.succeed(place, isLast: isLastTransfer)
      return .some(state.take(unless: signal))
    }
  }

  // Events are published under the lock: only so do the running totals come in order. Publishing
  // keeps an event or readies a waiting reader, and waits for nobody.
  private func take(_ state: inout DownloadState) -> Int? {
    guard let place = state.take(unless: signal) else { return nil }
    if hub.isObserved { tellStart(of: place, state.window.totals) }
    return place
  }

  private func record(_ place: Int, error: (any Error)?, in state: inout DownloadState) {
    guard let error else {
      state.succeed(place, isLast: isLastTransfer)
      if hub.isObserved { tellEnd(of: place, state.window.totals) }
      return
    }
    recordFailure(place, error, in: &state)
  }

  // These are kept apart, since what is generic in them costs something even where it isn't
  // reached.
  @inline(never)
  private func tellStart(of place: Int, _ totals: ItemTotals) {
    hub.publish(.itemStarted(stage, items[place].id, totals))
  }

  @inline(never)
  private func tellEnd(of place: Int, _ totals: ItemTotals) {
    hub.publish(.itemFinished(stage, items[place].id, totals))
  }

  @inline(never)
  private func recordFailure(_ place: Int, _ error: any Error, in state: inout DownloadState) {
    if signal.isRaised { state.window.cancel() }
    if error is CancellationError, state.window.phase != .open {
      state.window.settle(.cutShort)
      return
    }
    state.window.settle(.failed)
    state.ledger.fail(place)
    state.failures.append((place, error))
    hub.publish(.itemFailed(stage, items[place].id, state.window.totals, error))
  }
}
