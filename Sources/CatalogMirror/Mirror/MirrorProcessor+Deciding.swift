import SyncLedger
import OneWaySynchronizer
import SyncLock
import SyncFiles
import SyncFolder
import SyncText

/// What is to be fetched, and in which order.
extension MirrorProcessor {
  func itemsToUpdate(among items: [MirrorItem]) async throws -> [MirrorItem] {
    observer.enter(.decide)
    guard repairs == nil else { return items }
    let view = state.withLock { $0.view }
    var needs: [MirrorItem.ID: ItemNeed] = [:]
    var changes: [IndexChange] = []
    var dropped: [String] = []
    var chosen: [MirrorItem] = []
    for item in items {
      let need = view.need(of: item)
      if !need.isNothing {
        needs[item.id] = need
        chosen.append(item)
      } else if let entry = item.entry, view.held(item.id)?.entry != entry {
        // The bytes are the same, but where they come from or what they are called isn't.
        changes.append(.entry(entry))
      }
      if let entry = item.entry, let name = view.droppedPreview(of: item) {
        changes.append(.previewLost(entry.key))
        dropped.append(name)
      }
    }
    state.withLock { [needs, changes, dropped] state in
      state.needs = needs
      state.droppedPreviews = dropped
      state.changes += changes
    }
    return chosen
  }

  /// Items that failed in the last run come first.
  func prepareDownload(of items: [MirrorItem]) async throws -> [MirrorItem] {
    let failed = try await session.index.read { Set(try $0.failures().map(\.key)) }
    let hasFailed = { (item: MirrorItem) in item.id.key.map(failed.contains) ?? false }
    let ordered =
      failed.isEmpty ? items : items.filter(hasFailed) + items.filter { !hasFailed($0) }
    plan(ordered)
    try await checkRoom(for: ordered)
    try await keepCatalog()
    try await lookForFilesOfOthers()
    return ordered
  }

  /// Only before a first copy: later the folder isn't empty anyway.
  private func lookForFilesOfOthers() async throws {
    guard state.withLock({ $0.view.count == 0 }) else { return }
    let folder = session.folder
    let isEmpty = try await session.fileQueue.run { try folder.isEmpty() }
    state.withLock { $0.wasEmpty = isEmpty }
  }

  private func plan(_ items: [MirrorItem]) {
    var (transfers, bytes) = (0, Int64(0))
    for item in items {
      let need = need(of: item)
      if need.content != nil {
        transfers += 1
        bytes = bytes.addingSaturated(item.entry.flatMap { $0.size ?? $0.estimatedSize } ?? 0)
      }
      if need.preview != nil {
        transfers += 1
        bytes = bytes.addingSaturated(item.entry?.preview?.size ?? 0)
      }
    }
    observer.update { [transfers, bytes] progress in
      progress.itemsTotal = transfers
      progress.bytesTotal = bytes
    }
    observer.publish(.planned(items: transfers, bytes: bytes))
  }

  /// What the decision was; for new items, which nobody was asked about, it is made here.
  func need(of item: MirrorItem) -> ItemNeed {
    state.withLock { $0.needs[item.id] ?? $0.view.need(of: item) }
  }

  func held(_ id: MirrorItem.ID) -> IndexedItem? {
    state.withLock { $0.view.held(id) }
  }
}
