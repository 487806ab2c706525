import SyncLock

/// Tells observers what becomes of the items of a download stage.
///
/// Events are laid before the subscribers under the stage's lock: only so do the running totals
/// come in order. Who waits for one is told when the board has let go of its lock. Readers of the
/// status look the totals up.
final class DownloadTeller<Item: SyncItem>: DownloadListener {
  private let stage: SyncStage
  private let items: [Item]
  private let hub: EventHub<Item.ID>
  private let board: DownloadBoard

  init(_ stage: SyncStage, items: [Item], hub: EventHub<Item.ID>, board: DownloadBoard) {
    self.stage = stage
    self.items = items
    self.hub = hub
    self.board = board
  }

  var isObserved: Bool { hub.isObserved }

  /// What an attempt may report with; `nil` when nobody would be told.
  func progress(of place: Int, by worker: Int) -> DownloadProgress? {
    guard isObserved else { return nil }
    let attempt = board.withLock { state in
      let attempt = state.window.attempt(of: place)
      state.hands[worker] = DownloadState.Hand(place: place, attempt: attempt)
      return attempt
    }
    return DownloadProgress(self, worker: worker, place: place, attempt: attempt)
  }

  func itemProgressed(_ progress: DownloadProgress, _ bytes: ItemBytes) {
    guard isObserved else { return }
    board.withLock { state in
      let hand = state.hands[progress.worker]
      guard hand.place == progress.place, hand.attempt == progress.attempt else { return }
      state.hands[progress.worker].bytes = bytes
      tell(&state) { .itemProgressed(event(progress.place, $0, bytes)) }
    }
  }

  // These are kept apart from their callers, since what is generic in them costs something even
  // where it isn't reached.
  @inline(never)
  func began(_ place: Int, _ state: inout DownloadState) {
    guard state.window.attempt(of: place) == 1 else { return }  // it was told at the first
    tell(&state) { .itemStarted(event(place, $0)) }
  }

  @inline(never)
  func finished(_ place: Int, _ worker: Int, _ state: inout DownloadState) {
    let bytes = empty(worker, &state)
    if isObserved { tell(&state) { .itemFinished(event(place, $0, bytes)) } }
  }

  @inline(never)
  func failed(_ place: Int, _ worker: Int, _ error: any Error, _ state: inout DownloadState) {
    let bytes = empty(worker, &state)
    if isObserved { tell(&state) { .itemFailed(event(place, $0, bytes, error)) } }
  }

  @inline(never)
  func wasCutShort(_ place: Int, _ worker: Int?, _ state: inout DownloadState) {
    let bytes = worker.flatMap { empty($0, &state) }
    if isObserved { tell(&state) { .itemCutShort(event(place, $0, bytes)) } }
  }

  /// Made for those alone who take it: most events of many items are only counted.
  private func tell(
    _ state: inout DownloadState, _ event: (ItemTotals) -> SyncEvent<Item.ID>
  ) {
    let wakeups = hub.put { event(state.totals) }
    if !wakeups.isEmpty { state.wakeups.add(wakeups) }
  }

  /// Empties a worker's hand of an item that has ended: its bytes aren't under way any more.
  private func empty(_ worker: Int, _ state: inout DownloadState) -> ItemBytes? {
    defer { state.hands[worker] = DownloadState.Hand() }
    return state.hands[worker].bytes
  }

  private func event(
    _ place: Int, _ totals: ItemTotals, _ bytes: ItemBytes? = nil, _ error: (any Error)? = nil
  ) -> ItemEvent<Item.ID> {
    ItemEvent(stage: stage, key: items[place].id, totals: totals, bytes: bytes, error: error)
  }
}
