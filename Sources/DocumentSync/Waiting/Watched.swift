import SyncLock

/// A value behind a lock, on which tasks wait until it is as they need it.
///
/// A condition is looked at when a wait begins and again after every change: nothing polls.
final class Watched<State: Sendable>: Sendable {
  private struct Inside {
    var state: State
    /// Those that wait, by the order in which they came.
    var waiters: [(ticket: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var lastTicket = 0

    /// A look only: what a condition would take, the wait takes itself.
    func isAsNeeded<Result>(_ condition: (inout State) -> Result?) -> Bool {
      var copy = state
      return condition(&copy) != nil
    }
  }

  private let inside: Locked<Inside>

  /// Watches a first value.
  init(_ state: State) {
    inside = Locked(Inside(state: state))
  }

  /// The value as it is now.
  var state: State { inside.withLock { $0.state } }

  var waiterCount: Int { inside.withLock { $0.waiters.count } }

  /// Changes the value, then has all that wait look at it.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, waiters) = inside.withLock { inside in
      let result = body(&inside.state)
      let waiters = inside.waiters
      inside.waiters = []
      return (result, waiters)
    }
    if !waiters.isEmpty { HeldLocks.assertNone() }
    for waiter in waiters { waiter.continuation.resume() }
    return result
  }

  /// Waits until `condition` gives something, and gives that on. It may change the value where it
  /// does, and only there: so of many that wait for a place, one takes it.
  ///
  /// Throws `CancellationError` if the task is cancelled before that.
  func wait<Result: Sendable>(
    until condition: @Sendable (inout State) -> Result?
  ) async throws -> Result {
    while true {
      try Task.checkCancellation()
      let ticket = inside.withLock { inside in
        inside.lastTicket += 1
        return inside.lastTicket
      }
      if let result = inside.withLock({ condition(&$0.state) }) { return result }
      await suspend(ticket, until: condition)
    }
  }

  /// Suspends until the next change, or until the task is cancelled; not at all if the value became
  /// what is waited for meanwhile.
  private func suspend<Result: Sendable>(
    _ ticket: Int, until condition: @Sendable (inout State) -> Result?
  ) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = inside.withLock { inside in
          if Task.isCancelled || inside.isAsNeeded(condition) { return true }
          inside.waiters.append((ticket, continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let waiter = inside.withLock { inside in
        let place = inside.waiters.firstIndex { $0.ticket == ticket }
        return place.map { inside.waiters.remove(at: $0).continuation }
      }
      waiter?.resume()
    }
  }
}
