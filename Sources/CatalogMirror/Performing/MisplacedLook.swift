import SyncFiles
import SyncFolder
import SyncText

/// Finds items that can't be placed: they would lie in the folder of another mirror, which stands
/// in this one, or where an item has to be that stays. They aren't even fetched.
struct MisplacedLook: Sendable {
  let ground: PassGround

  /// Looks at the way to each of these items.
  func look(
    amid items: [MirrorItem], of pass: MirrorPass
  ) async throws -> [MirrorItem.ID: Misplacement] {
    let wanted = pass.folder.wasEmpty ? [] : Self.wanted(of: items, by: pass)
    guard !wanted.isEmpty else { return [:] }
    let leaving = (pass.vanished ?? []).union(pass.findings?.damaged ?? [])
    return try await inTheWay(of: wanted, besides: leaving).merging(amongOthers(wanted)) { $1 }
  }

  private struct Wanted: Sendable {
    var id: MirrorItem.ID
    var path: RelativePath
    /// Whether its place is its own already.
    var isHeld: Bool
  }

  private static func wanted(of items: [MirrorItem], by pass: MirrorPass) -> [Wanted] {
    items.compactMap { item in
      guard pass.need(of: item).content != nil, let entry = item.entry else { return nil }
      return Wanted(
        id: item.id, path: entry.path, isHeld: pass.held(item.id)?.content != nil)
    }
  }

  private func amongOthers(_ wanted: [Wanted]) async throws -> [MirrorItem.ID: Misplacement] {
    guard let folder = ground.place else { return [:] }
    let found = try await ground.fileQueue.run {
      folder.pathsOfOtherMirrors(among: wanted.map(\.path))
    }
    return Dictionary(found.map { (wanted[$0.key].id, .folder($0.value)) }) { $1 }
  }

  private func inTheWay(
    of wanted: [Wanted], besides leaving: Set<CatalogKey>
  ) async throws -> [MirrorItem.ID: Misplacement] {
    guard let index = ground.index else { return [:] }
    return try await index.read { index in
      var staying = StayingItems(besides: leaving)
      var found: [MirrorItem.ID: Misplacement] = [:]
      for item in wanted where !item.isHeld {
        found[item.id] = try staying.inTheWay(of: item.path.key, index).map { .inTheWay($0) }
      }
      return found
    }
  }
}
