public import Foundation
public import SyncEngine

extension Syncing {
  /// The downloads of a run as a `Progress`; an item's preview and its content are two units. A new
  /// one for each call; for one run each: the one under way, or else the next one.
  ///
  /// Cancelling it cancels that run and no other. Cancelled before its run begins, it cancels the
  /// run as that begins: none of it is done, and who waits for it gets
  /// ``SyncError/Code/cancelled``. Cancelled after its run has ended, it does nothing. Foundation
  /// passes the cancellation on from a queue of its own, a moment after `cancel()` has returned.
  ///
  /// It shows what ``SyncStatus/fraction`` says: it is indeterminate until a pass knows what it
  /// downloads, never goes back within a pass, and begins anew with a further pass of the run. With
  /// all items there and not yet committed it is full, though the run goes on. When the run has
  /// ended it is finished.
  public func progress() -> Progress {
    let progress = Progress(totalUnitCount: -1)
    let runs = self as? any NumberedRuns
    let number = runs?.presentRun
    progress.cancellationHandler = { [weak self, weak runs] in
      if let number { runs?.cancel(run: number) } else { self?.cancel() }
    }
    let status = status
    // Unstructured: a `Progress` is handed to views, and nobody awaits it.
    let following = Task { [weak progress] in
      var run = number
      for await status in status {
        guard let progress, !Task.isCancelled else { return }
        let followed = run ?? (status.isSyncing ? status.run : status.run + 1)
        run = followed
        if progress.take(status, of: followed) { return }
      }
    }
    progress.setUserInfoObject(Following(following), forKey: .following)
    return progress
  }
}

extension ProgressUserInfoKey {
  fileprivate static let following = ProgressUserInfoKey("OneWaySynchronizer.following")
}

/// Ends a task when its owner is gone.
private final class Following: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}

extension Progress {
  /// Takes up how the run with this number stands; answers whether it is over.
  func take(_ status: SyncStatus, of run: Int) -> Bool {
    guard status.run >= run else { return false }
    // A short run may have ended, and others begun, before it was seen.
    guard status.isSyncing, status.run == run else {
      cancellationHandler = nil
      totalUnitCount = max(totalUnitCount, 1)
      completedUnitCount = totalUnitCount
      return true
    }
    switch status.toDo {
    case nil: (totalUnitCount, completedUnitCount) = (-1, 0)
    case 0: (totalUnitCount, completedUnitCount) = (1, 1)
    case let total?: (totalUnitCount, completedUnitCount) = (Int64(total), Int64(status.done))
    }
    return false
  }
}
