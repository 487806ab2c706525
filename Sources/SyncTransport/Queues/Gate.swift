private import SyncLock

/// A gate that opens once and stays open. Who comes before waits, in a way that can be cancelled.
package final class Gate: Sendable {
  private let state = Locked(State())

  private struct State: Sendable {
    var isOpen = false
    var nextTicket = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  /// A closed gate.
  package init() {}

  /// Lets everybody through, now and later.
  package func open() {
    let released = state.withLock { state in
      state.isOpen = true
      // In the order in which they came: a dictionary's own differs from run to run.
      let released = state.waiting.sorted { $0.key < $1.key }.map(\.value)
      state.waiting.removeAll()
      return released
    }
    for continuation in released { continuation.resume() }
  }

  /// Waits until the gate is open.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  package func wait() async throws {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = state.withLock { state in
          // Under the lock: a cancellation before this is seen here, one after it finds the ticket.
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.isOpen { return .success(()) }
          state.waiting[ticket] = continuation
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?
        .resume(throwing: CancellationError())
    }
  }
}
