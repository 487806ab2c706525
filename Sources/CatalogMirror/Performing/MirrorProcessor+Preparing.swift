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
    try await checkRoom(for: ordered)
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

/// Whether what is to be fetched fits on the disk.
extension MirrorProcessor {
  /// - Throws: ``MirrorError/noRoom(needed:free:folder:)``.
  private func checkRoom(for items: [MirrorItem]) async throws {
    guard options.checksSpace else { return }
    let folder = session.folder
    let rough = pass.withLock { $0.spaceNeed(of: items, besides: []) }
    let free = try await session.fileQueue.run { try folder.freeSpace() }
    guard rough.bytes > free else { return }
    // Looked at only now, since it takes a look at every file: what lies there already may be
    // adopted, and what an earlier run left in the staging area is gone on with or swept.
    let (capacity, staged) = try await session.fileQueue.run { [staging = session.staging] in
      (try folder.capacity(), try staging.bytes())
    }
    pass.withLock { $0.diskIsKnown(capacity: capacity) }
    let others = try await adoptable(among: items)
    let needed = pass.withLock { $0.spaceNeed(of: items, besides: others) }.bytes
    guard needed > free.addingSaturated(staged) else { return }
    throw MirrorError.noRoom(needed: needed, free: free, folder: folder.path)
  }

  /// Items that aren't held, at whose places a file of their size lies.
  private func adoptable(among items: [MirrorItem]) async throws -> Set<CatalogKey> {
    let view = pass.withLock { $0.view }
    let places = items.compactMap { item -> (CatalogKey, Int64, RelativePath)? in
      guard let entry = item.entry, let size = entry.size, view.held(item.id)?.content == nil,
        let path = try? RelativePath(entry.key)
      else { return nil }
      return (entry.key, size, path)
    }
    let folder = session.folder
    let looks = try await session.fileQueue.run { folder.look(at: places.map(\.2)) }
    let found = zip(places, looks).filter { place, look in
      guard case .success(let status?) = look else { return false }
      return status.kind == .file && status.size == place.1
    }
    return Set(found.map(\.0.0))
  }
}
