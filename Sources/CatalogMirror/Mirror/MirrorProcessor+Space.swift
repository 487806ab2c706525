import OneWaySynchronizer
import SyncLock
import SyncFolder
import SyncFiles
import SyncText

/// Whether what is to be fetched fits on the disk.
extension MirrorProcessor {
  /// - Throws: ``MirrorError/noRoom(needed:free:folder:)``.
  func checkRoom(for items: [MirrorItem]) async throws {
    guard options.checksSpace else { return }
    let folder = session.folder
    let rough = spaceNeed(of: items, besides: [])
    let free = try await session.fileQueue.run { try folder.freeSpace() }
    guard rough.bytes > free else { return }
    // Looked at only now, since it takes a look at every file: what lies there already may be
    // adopted, and what an earlier run left in the staging area is gone on with or swept.
    let (capacity, staged) = try await session.fileQueue.run { [staging = session.staging] in
      (try folder.capacity(), try staging.bytes())
    }
    // An item that no emptying makes room for fails by itself, and the others go on.
    state.withLock { $0.capacity = capacity }
    let needed = spaceNeed(of: items, besides: try await adoptable(among: items)).bytes
    guard needed > free.addingSaturated(staged) else { return }
    throw MirrorError.noRoom(needed: needed, free: free, folder: folder.path)
  }

  private func spaceNeed(of items: [MirrorItem], besides others: Set<CatalogKey>) -> SpaceNeed {
    let (view, needs, capacity) = state.withLock { ($0.view, $0.needs, $0.capacity) }
    var space = SpaceNeed(capacity: capacity)
    let wanted = items.compactMap { item -> (CatalogEntry, ItemNeed, IndexedItem?)? in
      guard let entry = item.entry else { return nil }
      return (entry, needs[item.id] ?? view.need(of: item), view.held(item.id))
    }
    for (entry, need, held) in wanted where need.preview != nil {
      space.add(entry.preview?.size, replacing: held?.preview?.size)
    }
    // One that is only asked about is rarely fetched.
    for (entry, need, held) in wanted
    where need.content != nil && need.content != .unsettled && !others.contains(entry.key) {
      space.add(entry.size, replacing: held?.content?.size)
    }
    return space
  }

  /// - Throws: ``ItemError/largerThanDisk``, for a size that the disk doesn't have.
  func checkFits(_ size: Int64?) throws {
    guard size ?? 0 <= state.withLock({ $0.capacity }) else { throw ItemError.largerThanDisk }
  }

  /// Items that aren't held, at whose places a file of their size lies.
  private func adoptable(among items: [MirrorItem]) async throws -> Set<CatalogKey> {
    let view = state.withLock { $0.view }
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
