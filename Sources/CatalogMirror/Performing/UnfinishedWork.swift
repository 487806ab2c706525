import SyncFolder
import SyncFiles

/// What a crash left half done: found by its marks in the index, and finished or taken back before
/// anything else is.
struct UnfinishedWork: Sendable {
  let session: MirrorSession
  let isDurable: Bool

  /// Files that a crash caught between their rename and their record: what stands in its place in
  /// the very state in which it was staged is ours.
  func settlePlacements() async throws {
    let marks = try await session.index.read { try $0.unfinishedPlacements() }
    guard !marks.isEmpty else { return }
    let (folder, isDurable) = (session.folder, isDurable)
    let placed = try await session.fileQueue.run {
      let placed = try marks.filter { mark in
        let found = try folder.look(at: folder.path(ofRecorded: mark.key))
        return found.map(mark.content.stamp.matches) ?? false
      }
      // The renames may not have reached the disk.
      if isDurable, !placed.isEmpty { try folder.flushEverything() }
      return placed
    }
    try await session.index.write { writer in
      for mark in placed { try writer.recordPlaced(mark) }
      try writer.forgetPlacing(of: marks.map(\.key))
      // Whether the catalog still has them, only a listing can tell.
      if !placed.isEmpty { try writer.clearValidators() }
    }
  }

  /// A removal that a crash cut short is finished if the file is gone, and off if it is there.
  ///
  /// - Returns: the items that are gone.
  func settleRemovals() async throws -> [IndexedItem] {
    let unfinished = try await session.index.read { try $0.unfinishedRemovals() }
    guard !unfinished.isEmpty else { return [] }
    let (folder, isDurable) = (session.folder, isDurable)
    let isThere = try await session.fileQueue.run {
      let isThere = try unfinished.map { item in
        guard let content = item.content else { return false }
        let found = try folder.look(at: folder.path(ofRecorded: item.key))
        return found.map(content.stamp.matches) ?? false
      }
      // The moves may not have reached the disk.
      if isDurable, isThere.contains(false) { try folder.flushEverything() }
      return isThere
    }
    let found = zip(unfinished, isThere)
    let gone = found.filter { !$0.1 }.map(\.0)
    try await session.index.write { writer in
      try writer.undoRemoval(of: found.filter(\.1).map(\.0.key))
      try writer.finishRemoval(of: gone.map(\.key), quarantined: [])
      // Whether the catalog still has them, only a listing can tell.
      if !gone.isEmpty { try writer.clearValidators() }
    }
    return gone
  }
}
