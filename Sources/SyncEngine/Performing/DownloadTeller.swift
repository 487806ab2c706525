import SyncLock

/// Tells observers what becomes of the items of a download stage.
///
/// Events are laid before the observers under the stage's lock: only so do the running totals come
/// in order. Those who wait for one are told when the board has let go of its lock.
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
      put(.itemProgressed(event(progress.place, state, bytes)), &state)
    }
  }

  // These are kept apart from their callers, since what is generic in them costs something even
  // where it isn't reached.
  @inline(never)
  func began(_ place: Int, _ state: inout DownloadState) {
    guard state.window.attempt(of: place) == 1 else { return }  // it was told at the first
    put(.itemStarted(event(place, state)), &state)
  }

  @inline(never)
  func finished(_ place: Int, _ worker: Int, _ state: inout DownloadState) {
    let bytes = empty(worker, &state)
    if isObserved { put(.itemFinished(event(place, state, bytes)), &state) }
  }

  @inline(never)
  func failed(_ place: Int, _ worker: Int, _ error: any Error, _ state: inout DownloadState) {
    let bytes = empty(worker, &state)
    if isObserved { put(.itemFailed(event(place, state, bytes, error)), &state) }
  }

  @inline(never)
  func wasCutShort(_ place: Int, _ worker: Int?, _ state: inout DownloadState) {
    let bytes = worker.flatMap { empty($0, &state) }
    if isObserved { put(.itemCutShort(event(place, state, bytes)), &state) }
  }

  private func put(_ event: SyncEvent<Item.ID>, _ state: inout DownloadState) {
    state.wakeups.add(hub.put(event))
  }

  /// Empties a worker's hand of an item that has ended: its bytes aren't under way any more.
  private func empty(_ worker: Int, _ state: inout DownloadState) -> ItemBytes? {
    defer { state.hands[worker] = DownloadState.Hand() }
    return state.hands[worker].bytes
  }

  private func event(
    _ place: Int, _ state: DownloadState, _ bytes: ItemBytes? = nil, _ error: (any Error)? = nil
  ) -> ItemEvent<Item.ID> {
    ItemEvent(
      stage: stage, key: items[place].id, totals: state.totals, bytes: bytes, error: error)
  }
}
