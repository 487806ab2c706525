internal import SyncLock

/// A flag that tells blocking work on a queue to end soon.
package final class StopFlag: Sendable {
  private let raised = Locked(false)

  package init() {}

  package func raise() {
    raised.withLock { $0 = true }
  }

  package var isRaised: Bool { raised.withLock { $0 } }

  package func check() throws {
    if isRaised { throw CancellationError() }
  }
}

extension DiskQueue {
  /// As ``run(_:)``, with a flag that is raised when the task is cancelled: work that looks at it
  /// now and then ends soon after.
  package func runStoppably<Value: Sendable>(
    _ work: @escaping @Sendable (StopFlag) throws -> Value
  ) async throws -> Value {
    let stop = StopFlag()
    return try await withTaskCancellationHandler {
      try await run { try work(stop) }
    } onCancel: {
      stop.raise()
    }
  }
}
