import SyncLock

/// Performs one download stage: workers that each take the next item from the window.
struct DownloadStage<Processor: SyncProcessor>: Sendable {
  typealias Item = Processor.Item

  /// What changes while the stage runs, behind the lock.
  struct State {
    var window: DownloadWindow
    var ledger: ItemLedger
    var failures: [SyncFailure<Item.ID>] = []
  }

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

  private var stage: SyncStage {
    transfer == .preview ? .downloadPreviews : .downloadContents
  }

  /// Runs at most `concurrency` transfers at once until none is left, one failed and
  /// `stopsOnFailure`, or the signal was raised. What is in flight has ended when it returns.
  func run(
    concurrency: Int, stopsOnFailure: Bool, ledger: ItemLedger
  ) async -> (end: SyncPass.DownloadsEnd, ledger: ItemLedger, failures: [SyncFailure<Item.ID>]) {
    let window = DownloadWindow(count: items.count, stopsOnFailure: stopsOnFailure)
    let state = Locked(State(window: window, ledger: ledger))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<min(concurrency, items.count) { group.addTask { await work(state) } }
      for await wasStopped in group where wasStopped { group.cancelAll() }
    }
    return state.withLock { state in
      if signal.isRaised { state.window.cancel() }
      return (state.window.end, state.ledger, state.failures)
    }
  }

  /// Downloads one item after the other; answers whether the rest is to be stopped.
  private func work(_ state: Locked<State>) async -> Bool {
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
  private func begin(_ state: Locked<State>) -> Int? {
    state.withLock { take(&$0) }
  }

  /// Settles an item and takes the next, in one step.
  private func settle(_ place: Int, error: (any Error)?, in state: Locked<State>) -> Int? {
    state.withLock { state in
      record(place, error: error, in: &state)
      return take(&state)
    }
  }

  // Events are published under the lock: only so do the running totals come in order. Publishing
  // keeps an event or readies a waiting reader, and waits for nobody.
  private func take(_ state: inout State) -> Int? {
    if signal.isRaised { state.window.cancel() }
    guard let place = state.window.take() else { return nil }
    hub.publish(.itemStarted(stage, items[place].id, state.window.totals))
    return place
  }

  private func record(_ place: Int, error: (any Error)?, in state: inout State) {
    guard let error else {
      state.window.settle(.succeeded)
      if isLastTransfer { state.ledger.finish(place) }
      hub.publish(.itemFinished(stage, items[place].id, state.window.totals))
      return
    }
    if signal.isRaised { state.window.cancel() }
    if error is CancellationError, state.window.phase != .open {
      state.window.settle(.cutShort)
      return
    }
    state.window.settle(.failed)
    state.ledger.fail(place)
    state.failures.append(SyncFailure(stage: stage, key: items[place].id, cause: error))
    hub.publish(.itemFailed(stage, items[place].id, state.window.totals, error))
  }
}
