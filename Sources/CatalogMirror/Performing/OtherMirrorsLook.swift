import SyncFiles
import SyncFolder
import SyncLock

/// Finds items that would lie in the folder of another mirror, which stands in this one: they
/// aren't even fetched.
struct OtherMirrorsLook: Sendable {
  let ground: PassGround
  let pass: Locked<MirrorPass>

  /// Looks at the way to each of these items, and tells the pass.
  func look(amid items: [MirrorItem]) async throws {
    guard let folder = ground.place else { return }
    let wanted = pass.withLock { pass in pass.wasEmpty ? [] : Self.wanted(of: items, by: pass) }
    guard !wanted.isEmpty else { return }
    let found = try await ground.fileQueue.run {
      folder.pathsOfOtherMirrors(among: wanted.map(\.path))
    }
    guard !found.isEmpty else { return }
    let misplaced = Dictionary(found.map { (wanted[$0.key].id, $0.value) }) { first, _ in first }
    pass.withLock { $0.foundMisplaced(misplaced) }
  }

  private static func wanted(
    of items: [MirrorItem], by pass: MirrorPass
  ) -> [(id: MirrorItem.ID, path: RelativePath)] {
    items.compactMap { item in
      guard pass.need(of: item).content != nil, let entry = item.entry,
        let path = try? RelativePath(entry.key)
      else { return nil }
      return (item.id, path)
    }
  }
}
