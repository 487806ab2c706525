import SyncLock

/// Tells observers what becomes of the items of a download stage.
///
/// Everything is told under the stage's lock: only so do the running totals come in order. Telling
/// keeps an event or readies a waiting reader, and waits for nobody.
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
  func progress(of place: Int, by worker: Int, attempt: Int) -> DownloadProgress? {
    guard isObserved else { return nil }
    board.withLock { state in
      state.hands[worker] = DownloadState.Hand(place: place, attempt: attempt)
    }
    return DownloadProgress(self, worker: worker, place: place, attempt: attempt)
  }

  func itemProgressed(_ progress: DownloadProgress, _ bytes: ItemBytes) {
    guard isObserved else { return }
    board.withLock { state in
      let hand = state.hands[progress.worker]
      guard hand.place == progress.place, hand.attempt == progress.attempt else { return }
      state.hands[progress.worker].bytes = bytes
      hub.publish(.itemProgressed(event(progress.place, state, bytes)))
    }
  }

  // These are kept apart from their callers, since what is generic in them costs something even
  // where it isn't reached.
  @inline(never)
  func began(_ place: Int, _ state: inout DownloadState) {
    hub.publish(.itemStarted(event(place, state)))
  }

  @inline(never)
  func finished(_ place: Int, _ worker: Int, _ state: inout DownloadState) {
    let bytes = empty(worker, &state)
    hub.publish(.itemFinished(event(place, state, bytes)))
  }

  @inline(never)
  func failed(_ place: Int, _ worker: Int, _ error: any Error, _ state: inout DownloadState) {
    let bytes = empty(worker, &state)
    hub.publish(.itemFailed(event(place, state, bytes, error)))
  }

  @inline(never)
  func wasCutShort(_ place: Int, _ worker: Int, _ state: inout DownloadState) {
    let bytes = empty(worker, &state)
    hub.publish(.itemCutShort(event(place, state, bytes)))
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
