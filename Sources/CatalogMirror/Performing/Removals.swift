import SyncFiles
import SyncFolder
import SyncLock
import SyncText

/// Moves what vanished from the source out of the tree.
struct Removals: Sendable {
  let session: MirrorSession
  /// When the run began, in seconds since 1970: it names the batch in the quarantine.
  let startedAt: Double
  let observer: MirrorObserver
  let pass: Locked<MirrorPass>

  /// Marked in the index, moved to quarantine, then forgotten: whatever a crash leaves can be told
  /// at the next start.
  func remove(_ keys: Set<MirrorItem.ID>) async throws {
    let items = pass.withLock { $0.rows(of: keys) }
    let batch = UTCStamp.text(startedAt)
    try await session.index.write { writer in
      try writer.markRemoving(
        items.map { RemovalMark(key: $0.key, quarantineName: "\(batch)/\($0.key)") })
    }
    let outcomes = try await move(items)
    let stays = Set(outcomes.filter(\.outcome.isStill).map(\.item.key))
    // Moved, and perhaps not for good: they stay marked, and the next run looks where they are.
    let unsettled = Set(outcomes.filter(\.outcome.isUnsettled).map(\.item.key))
    let gone = items.filter { !stays.contains($0.key) && !unsettled.contains($0.key) }
    let quarantined = outcomes.compactMap { item, outcome -> QuarantinedFile? in
      guard case .moved(let moved) = outcome, moved.area == .quarantine else { return nil }
      return moved.quarantined(at: startedAt, of: item)
    }
    try await session.index.write { writer in
      try writer.finishRemoval(of: gone.map(\.key), quarantined: quarantined)
      try writer.undoRemoval(of: stays)
    }
    tellRemoval(of: gone, outcomes.compactMap(\.outcome.moved))
    if let error = outcomes.lazy.compactMap(\.outcome.error).first { throw error }
  }

  private func move(
    _ items: [IndexedItem]
  ) async throws -> [(item: IndexedItem, outcome: Quarantine.Outcome)] {
    let leaving = pass.withLock { $0.leaving(items, folding: session.folding) }
    let removals = try leaving.map { item, stamp in
      Quarantine.Removal(path: try session.folder.path(ofRecorded: item.key), stamp: stamp)
    }
    let quarantine = Quarantine(session.folder, startedAt: startedAt)
    let outcomes = try await session.diskQueue.run { try quarantine.remove(removals) }
    return zip(leaving, outcomes).map { ($0.item, $1) }
  }

  private func tellRemoval(of gone: [IndexedItem], _ movedAway: [MovedAway]) {
    // Edited files weren't removed but moved out of the way.
    let displaced = movedAway.filter { $0.area == .displaced }
    let removed = pass.withLock { $0.removed(gone, displaced: displaced.count) }
    for item in removed { observer.publish(.removed(key: item.key.description)) }
    for moved in displaced { observer.publish(.displaced(moved)) }
  }
}

extension Quarantine.Outcome {
  fileprivate var moved: MovedAway? {
    switch self {
    case .moved(let moved), .unsettled(let moved, _): moved
    case .notThere, .failed: nil
    }
  }

  fileprivate var error: FolderError? {
    switch self {
    case .unsettled(_, let error), .failed(let error): error
    case .moved, .notThere: nil
    }
  }

  fileprivate var isStill: Bool { if case .failed = self { true } else { false } }

  fileprivate var isUnsettled: Bool { if case .unsettled = self { true } else { false } }
}
