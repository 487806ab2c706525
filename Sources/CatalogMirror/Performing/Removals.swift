import SyncFiles
import SyncFolder
import SyncText

/// Moves what vanished from the source out of the tree.
struct Removals: Sendable {
  let session: MirrorSession
  /// When the run began, in seconds since 1970: it names the batch in the quarantine.
  let startedAt: Double

  struct Outcome: Sendable {
    /// Items of which nothing is held any more.
    var gone: [IndexedItem]
    /// Edited files weren't removed but moved out of the way.
    var displaced: [MovedAway]
    /// Why some stay, if any do.
    var error: FolderError?
  }

  /// Marked in the index, moved to quarantine, then forgotten: whatever a crash leaves can be told
  /// at the next start.
  func remove(_ keys: Set<MirrorItem.ID>, of pass: MirrorPass) async throws -> Outcome {
    let items = pass.rows(of: keys)
    let batch = UTCStamp.text(startedAt)
    try await session.index.write { writer in
      try writer.markRemoving(
        items.map { RemovalMark(key: $0.key, quarantineName: "\(batch)/\($0.key)") })
    }
    let outcomes = try await move(pass.leaving(items, folding: session.folding))
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
    return Outcome(
      gone: gone,
      displaced: outcomes.compactMap(\.outcome.moved).filter { $0.area == .displaced },
      error: outcomes.lazy.compactMap(\.outcome.error).first)
  }

  private func move(
    _ leaving: [(item: IndexedItem, stamp: FileStamp)]
  ) async throws -> [(item: IndexedItem, outcome: Quarantine.Outcome)] {
    let removals = try leaving.map { item, stamp in
      Quarantine.Removal(path: try session.folder.path(ofRecorded: item.key), stamp: stamp)
    }
    let quarantine = Quarantine(session.folder, startedAt: startedAt)
    let outcomes = try await session.diskQueue.run { try quarantine.remove(removals) }
    return zip(leaving, outcomes).map { ($0.item, $1) }
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
