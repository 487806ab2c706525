import SyncFolder
import SyncText
import SyncFiles

/// Whether what is to be fetched fits on the disk.
struct RoomCheck: Sendable {
  let session: MirrorSession

  /// - Returns: all bytes of the disk, where they matter.
  /// - Throws: ``MirrorError/noRoom(needed:free:folder:)``.
  func check(for items: [MirrorItem], of pass: MirrorPass) async throws -> Int64? {
    let folder = session.folder
    let free = try await session.fileQueue.run { try folder.freeSpace() }
    guard pass.spaceNeed(of: items, on: SpaceNeed()).bytes > free else { return nil }
    // Looked at only now, since it takes a look at every file: what lies there already may be
    // adopted, and what an earlier run left in the staging area is gone on with or swept.
    let (capacity, staged) = try await session.fileQueue.run { [staging = session.staging] in
      (try folder.capacity(), try staging.bytes())
    }
    let others = try await adoptable(among: items, of: pass.view)
    let needed = pass.spaceNeed(
      of: items, besides: others, on: SpaceNeed(capacity: capacity)
    ).bytes
    guard needed > free.addingSaturated(staged) else { return capacity }
    throw MirrorError.noRoom(needed: needed, free: free, folder: folder.path)
  }

  /// Items that aren't held, at whose places a file of their size lies.
  private func adoptable(
    among items: [MirrorItem], of view: LocalView
  ) async throws -> Set<CatalogKey> {
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
