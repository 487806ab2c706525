import SyncLock

/// Tells observers what becomes of the items of a download stage.
///
/// All but progress is told under the stage's lock: only so do the running totals come in order.
/// Telling keeps an event or readies a waiting reader, and waits for nobody.
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

  // These are kept apart from their callers, since what is generic in them costs something even
  // where it isn't reached.
  @inline(never)
  func began(_ place: Int, _ state: inout DownloadState) {
    state.underWay[place] = ItemBytes(done: 0)
    hub.publish(.itemStarted(event(place, state)))
  }

  @inline(never)
  func finished(_ place: Int, _ state: inout DownloadState) {
    let bytes = state.underWay.removeValue(forKey: place)
    hub.publish(.itemFinished(event(place, state, bytes)))
  }

  @inline(never)
  func failed(_ place: Int, _ error: any Error, _ state: inout DownloadState) {
    let bytes = state.underWay.removeValue(forKey: place)
    hub.publish(.itemFailed(event(place, state, bytes, error)))
  }

  @inline(never)
  func wasCutShort(_ place: Int, _ state: inout DownloadState) {
    let bytes = state.underWay.removeValue(forKey: place)
    hub.publish(.itemCutShort(event(place, state, bytes)))
  }

  func itemProgressed(_ place: Int, _ bytes: ItemBytes) {
    guard isObserved else { return }
    board.state.withLock { state in
      guard state.underWay[place] != nil else { return }
      state.underWay[place] = bytes
      hub.publish(.itemProgressed(event(place, state, bytes)))
    }
  }

  private func event(
    _ place: Int, _ state: DownloadState, _ bytes: ItemBytes? = nil, _ error: (any Error)? = nil
  ) -> ItemEvent<Item.ID> {
    ItemEvent(
      stage: stage, key: items[place].id, totals: state.totals,
      bytes: bytes?.done == 0 && bytes?.total == nil ? nil : bytes, error: error)
  }
}
