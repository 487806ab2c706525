import SyncLock

/// An error from work in the background, for the one task that waits for it.
///
/// The batches of a pass are placed on a queue of the disk while items are fetched: nobody awaits
/// the one that meets a full disk.
final class FirstFailure: Sendable {
  fileprivate struct State {
    var error: (any Error)?
    var waiter: CheckedContinuation<Void, Never>?
    var isCancelled = false
  }

  private let state = Locked(State())

  /// What went wrong first, if anything has.
  var error: (any Error)? { state.withLock { $0.error } }

  /// Something went wrong; the first one counts.
  func note(_ error: any Error) {
    let waiter = state.withLock { state in
      state.error = state.error ?? error
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// Waits for the first error, and throws it. One task at a time.
  /// - Throws: it; `CancellationError`, when the task was cancelled first.
  func wait() async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.error != nil || state.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.isCancelled = true
        return state.takeWaiter()
      }
      waiter?.resume()
    }
    let error = state.withLock { state in
      state.isCancelled = false
      return state.error
    }
    throw error ?? CancellationError()
  }
}

extension FirstFailure.State {
  fileprivate mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
    defer { waiter = nil }
    return waiter
  }
}
