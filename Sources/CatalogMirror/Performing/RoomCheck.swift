import SyncFolder
import SyncLock
import SyncText
import SyncFiles

/// Whether what is to be fetched fits on the disk.
struct RoomCheck: Sendable {
  let session: MirrorSession
  let pass: Locked<MirrorPass>

  /// - Throws: ``MirrorError/noRoom(needed:free:folder:)``.
  func check(for items: [MirrorItem]) async throws {
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
      guard let entry = item.entry, let size = entry.size, view.held(item.id)?.content == nil
      else { return nil }
      return (entry.key, size, entry.path)
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
