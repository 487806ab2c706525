import SyncFiles
import SyncFolder

extension FolderMirror {
  /// Shows what the folder holds, and how its last runs went; while a run works on it, how far that
  /// is.
  ///
  /// - Parameter runs: The most runs to tell of.
  /// - Throws: ``MirrorError``, when the folder can't be looked at.
  public func status(runs: Int = 10) async throws -> MirrorStatus {
    do {
      return try await FolderInspection.look(at: options, in: environment, observer: observer) {
        try await status(of: $0, runs: runs)
      }
    } catch let error as FolderError {
      guard case .locked(let holder) = error.code else { throw MirrorError(opening: error) }
      return try await status(beside: holder)
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }

  /// As far back as is looked for a run that tried its items.
  private static let fewestRuns = 100

  /// Whether the folder is a mirror now. `false` also where that can't be told, as the folder can't
  /// be looked at.
  public func folderIsMirror() async -> Bool {
    let found = try? await environment.makeDiskQueue().run { [options, environment] in
      try MirrorFolder.inspect(path: options.folder, in: environment.fileSystem)
    }
    return found.flatMap { $0 }?.id != nil
  }

  private func status(of inspection: FolderInspection, runs: Int) async throws -> MirrorStatus {
    var status = MirrorStatus()
    guard let index = try inspection.requireIndex(), let folder = inspection.folder else {
      return status
    }
    status.isMirror = true
    let keys = try await index.read { reader in
      var keys = SortedKeys()
      try reader.forEachItem { if $0.content != nil { keys.append($0.key) } }
      return keys
    }
    (status.foreign, status.closed) = try await inspection.fileQueue.run {
      var closed: [MirrorReport.Failure] = []
      let foreign = try folder.countForeign {
        keys.contains($0)
      } unreadable: {
        closed.append(MirrorReport.Failure(key: $0.path, $0))
      }
      return (foreign, closed)
    }
    status.take(displaced: try await displaced(in: folder, on: inspection.fileQueue))
    let told = try await index.read { reader in
      (
        catalog: try reader.value(.catalog), counts: try reader.counts(),
        failures: try reader.failures(), flaws: try KnownFlaws(in: reader),
        runs: try reader.recentRuns(limit: max(runs, Self.fewestRuns)),
        rules: try MirrorRules(in: reader), unreadable: try reader.value(.unreadableList),
        expires: try reader.value(.catalogExpires)
      )
    }
    status.rules = told.rules
    status.unreadable = UnreadableSet.named(in: told.unreadable)
    // A first run that was cut short has left its catalog's address in the marker only.
    let kept = try await inspection.fileQueue.run { try folder.keptCatalog() }
    status.catalog = told.catalog ?? kept
    status.verifyKeys = try await CatalogBinding(
      folder: folder, index: index, queue: inspection.fileQueue
    ).keptKeys()
    if !status.verifyKeys.isEmpty {
      status.wasTakenUnsigned = told.expires == HighestRevision.unsigned
      let end = told.expires.flatMap(HighestRevision.init(text:))?.number
      status.expires = end.flatMap { $0 < .max ? $0 : nil }
    }
    let left = try? await inspection.fileQueue.run { try folder.readStatus() }
    status.cutShort = left.flatMap { $0 }.flatMap(RunningMirror.init(written:))
    status.contents = told.counts.contents
    status.contentBytes = told.counts.contentBytes
    status.previews = told.counts.previews
    status.previewBytes = told.counts.previewBytes
    status.quarantined = told.counts.quarantined
    status.quarantinedBytes = told.counts.quarantinedBytes
    status.take(told.failures, flaws: told.flaws, after: told.runs.first { $0.triedItems })
    status.runs = told.runs.prefix(runs).map(MirrorStatus.Run.init)
    return status
  }

  private func displaced(
    in folder: MirrorFolder, on queue: any DiskQueue
  ) async throws -> [MirrorRestorable] {
    try await queue.run { try folder.awayFiles(in: .displaced) }.map(MirrorRestorable.init)
  }

  /// What a run says of itself that works on the folder. What an earlier one left, which was
  /// killed, says nothing of the one that holds the lock.
  private func status(beside holder: LockHolder?) async throws -> MirrorStatus {
    let queue = environment.makeDiskQueue()
    var status = MirrorStatus()
    var running = RunningMirror(holder: holder)
    let found = try await queue.run { [options, environment] in
      try MirrorFolder.inspect(path: options.folder, in: environment.fileSystem)
    }
    guard let folder = found else { return status }
    let written = try? await queue.run { try folder.readStatus() } ?? []
    if let told = written.flatMap(RunningMirror.init(written:)), told.holder == holder {
      running = told
    } else {
      running.catalog = try? await queue.run { try folder.keptCatalog() }
    }
    status.isMirror = true
    status.catalog = running.catalog
    status.running = running
    status.take(displaced: try await displaced(in: folder, on: queue))
    return status
  }
}
