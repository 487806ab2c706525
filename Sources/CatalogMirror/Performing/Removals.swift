import SyncFiles
import SyncFolder
import SyncText

struct RemovalOutcome: Sendable {
  /// Items of which nothing is held any more.
  var gone: [IndexedItem]
  /// Edited files weren't removed but moved out of the way.
  var displaced: [MovedAway]
  var error: FolderError?
}

extension RunContext {
  /// Moves what vanished from the source out of the tree: marked in the index, moved to quarantine,
  /// then forgotten. Whatever a crash leaves can be told at the next start.
  func remove(
    _ keys: Set<MirrorItem.ID>, of pass: MirrorPass
  ) async throws -> RemovalOutcome {
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
    return RemovalOutcome(
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

/// What a crash left half done: found by its marks in the index, and finished or taken back before
/// anything else is.
extension RunContext {
  /// Files that a crash caught between their rename and their record: what stands in its place in
  /// the very state in which it was staged is ours.
  func settlePlacements() async throws {
    let marks = try await session.index.read { try $0.unfinishedPlacements() }
    guard !marks.isEmpty else { return }
    let isThere = try await areThere(marks.map { ($0.key, $0.content.stamp) }, flushingFor: true)
    let placed = zip(marks, isThere).filter(\.1).map(\.0)
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
    let isThere = try await areThere(
      unfinished.map { ($0.key, $0.content?.stamp) }, flushingFor: false)
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

  /// Whether each file stands in its place in the state that a mark tells of. If any does, or any
  /// doesn't, as `moved` says, its rename may not have reached the disk: then all is flushed.
  private func areThere(
    _ marked: [(key: CatalogKey, stamp: FileStamp?)], flushingFor moved: Bool
  ) async throws -> [Bool] {
    let (folder, isDurable) = (session.folder, isDurable)
    return try await session.fileQueue.run {
      let areThere = try marked.map { key, stamp in
        guard let stamp else { return false }
        let found = try folder.look(at: folder.path(ofRecorded: key))
        return found.map(stamp.matches) ?? false
      }
      if isDurable, areThere.contains(moved) { try folder.flushEverything() }
      return areThere
    }
  }

  /// Has the folder follow the empty directories of the source: makes what is missing, and, if
  /// `removes`, removes what an earlier run made, the source has no longer, and nobody has put
  /// anything in. What is outside the scope isn't listed, and stays.
  ///
  /// In each run, since somebody may have removed one. What can't be made now is tried again by the
  /// next.
  func followEmptyDirectories(removes: Bool) async throws {
    let (listed, made) = try await session.index.read { reader in
      (
        try PathList(.listedDirectories, in: reader),
        try PathList(.madeDirectories, in: reader)
      )
    }
    let (folder, scope) = (session.folder, scope)
    let missing = PathList(
      try await session.fileQueue.run { folder.missingDirectories(of: listed.paths) })
    let gone = made.subtracting(listed)
    let vanished = PathList(
      gone.paths.filter { removes && scope.lets(directory: $0.bytes) })
    guard !missing.paths.isEmpty || !vanished.paths.isEmpty else { return }
    // Before they are made: one that a crash leaves is known to be ours.
    try await keep(made.union(missing))
    try await session.diskQueue.run {
      try folder.changeDirectories(making: missing.paths, removing: vanished.paths)
    }
    try await keep(made.union(missing).subtracting(vanished))
  }

  private func keep(_ made: PathList) async throws {
    try await session.index.write { try $0.setValue(made.text, for: .madeDirectories) }
  }
}
