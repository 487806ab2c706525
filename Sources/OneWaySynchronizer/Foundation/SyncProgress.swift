public import Foundation

extension Syncing {
  /// The download stage under way as a `Progress`: indeterminate in other stages, finished when
  /// the run is. Cancelling it cancels the run. A new one for each call; for one run each.
  ///
  /// It follows the run under way, or else the next one.
  public func progress() -> Progress {
    let progress = Progress(totalUnitCount: -1)
    progress.cancellationHandler = { [weak self] in self?.cancel() }
    let status = status
    // Unstructured: a `Progress` is handed to views, and nobody awaits it.
    Task { [weak progress] in
      for await status in status {
        guard let progress else { return }
        if progress.take(status) { return }
      }
    }
    return progress
  }
}

extension Progress {
  /// Takes a status up; answers whether the run is over.
  fileprivate func take(_ status: SyncStatus) -> Bool {
    guard status.run >= status.firstRunOfReader else { return false }
    // A short run may have ended, and others begun, before it was seen.
    guard status.isSyncing, status.run == status.firstRunOfReader else {
      totalUnitCount = max(totalUnitCount, 1)
      completedUnitCount = totalUnitCount
      return true
    }
    totalUnitCount = status.totals.map { Int64($0.total) } ?? -1
    completedUnitCount = Int64(status.totals?.finished ?? 0)
    return false
  }
}
