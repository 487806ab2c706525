import SyncLock

/// How one run is told from the others.
extension Synchronizer: NumberedRuns {
  package var presentRun: Int { state.withLock { $0.presentRun } }

  package func cancel(run number: Int) {
    perform { $0.cancel(run: number) }
  }
}

extension Synchronizer.State {
  private var hasBegunRun: Bool { run.isSyncing && run.hasBegun }

  var presentRun: Int { hasBegunRun ? history.run : history.run + 1 }

  mutating func cancel(run number: Int) -> [RunState.Action] {
    guard number == presentRun else { return [] }
    if hasBegunRun { return run.beginCancelling() }
    isNextRunCancelled = true
    return []
  }

  /// In one step with the decision that a run begins.
  mutating func beginNumberedRun() {
    history.runBegins()
    guard isNextRunCancelled else { return }
    isNextRunCancelled = false
    _ = run.beginCancelling()  // nothing is under way that had to be interrupted
  }
}
