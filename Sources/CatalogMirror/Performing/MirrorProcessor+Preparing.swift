import OneWaySynchronizer
import SyncFolder
import SyncLock
import SyncText
import SyncFiles
import SyncLedger

/// What comes between the decision and the first download.
extension MirrorProcessor {
  /// Items that failed in the last run come first.
  func prepareDownload(of items: [MirrorItem]) async throws -> [MirrorItem] {
    let failed = try await ground.index?.read { Set(try $0.failures().map(\.key)) } ?? []
    let hasFailed = { (item: MirrorItem) in item.id.key.map(failed.contains) ?? false }
    let ordered =
      failed.isEmpty ? items : items.filter(hasFailed) + items.filter { !hasFailed($0) }
    guard !isPlan else {
      pass.withLock { $0.planned(ordered) }
      return ordered
    }
    tellPlan(of: ordered)
    if options.checksSpace {
      try await RoomCheck(session: session, pass: pass).check(for: ordered)
    }
    if pass.withLock({ $0.rules.repairs == nil }) { try await keepCatalog() }
    try await lookForFilesOfOthers()
    pass.withLock { $0.prepared() }
    return ordered
  }

  private func tellPlan(of items: [MirrorItem]) {
    let (transfers, bytes) = pass.withLock { $0.extent(of: items) }
    observer.update { progress in
      progress.itemsTotal = transfers
      progress.bytesTotal = bytes
    }
    observer.publish(.planned(items: transfers, bytes: bytes))
  }

  /// Remembers which catalog the folder mirrors: from the moment on when something of it may come
  /// into the folder, and nothing refuses its listing any more.
  func keepCatalog() async throws {
    let binding = CatalogBinding(
      folder: session.folder, index: session.index, queue: session.fileQueue)
    try await binding.keep(CatalogIdentity(catalog.root))
  }

  /// Only before a first copy: later the folder isn't empty anyway.
  private func lookForFilesOfOthers() async throws {
    guard pass.withLock({ $0.view.count == 0 }) else { return }
    let folder = session.folder
    let isEmpty = try await session.fileQueue.run { try folder.isEmpty() }
    pass.withLock { $0.folderIsKnown(empty: isEmpty) }
  }
}
