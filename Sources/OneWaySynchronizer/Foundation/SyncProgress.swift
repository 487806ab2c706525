public import Foundation
public import SyncEngine

extension Syncing {
  /// The downloads of a run as a `Progress`; an item's preview and its content are two units.
  /// Cancelling it cancels the run. A new one for each call; for one run each.
  ///
  /// It is indeterminate until a pass knows what it downloads, and stays where it is in stages that
  /// download nothing: with all items there and not yet committed it is full, though the run goes
  /// on. Its completed units never become fewer; its fraction falls only when a further pass of
  /// the run has more to download. When the run has ended it is finished.
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
  func take(_ status: SyncStatus) -> Bool {
    guard status.run >= status.firstRunOfReader else { return false }
    // A short run may have ended, and others begun, before it was seen.
    guard status.isSyncing, status.run == status.firstRunOfReader else {
      totalUnitCount = max(totalUnitCount, 1)
      completedUnitCount = totalUnitCount
      return true
    }
    guard let total = status.tally.total else { return false }
    totalUnitCount = Int64(total)
    completedUnitCount = Int64(status.tally.done)
    return false
  }
}
