/// A value behind a lock, on which tasks wait until it is as they need it.
///
/// A condition is looked at once when a wait begins and again after every change, so nothing polls
/// and nothing sleeps. Those that wait are woken in the order in which they came.
package final class Watched<State: Sendable>: Sendable {
  private let inside: Locked<Inside>

  /// Watches a first value.
  package init(_ state: State) {
    inside = Locked(Inside(state: state))
  }

  /// The value as it is now.
  package var state: State { inside.withLock { $0.state } }

  package var waiterCount: Int { inside.withLock { $0.waiters.count } }

  /// Changes the value, then wakes whoever waited for it to be as it is now.
  @discardableResult
  package func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, wakeups) = inside.withLock { inside in
      let result = body(&inside.state)
      return (result, inside.settle())
    }
    if !wakeups.isEmpty { wakeups.tell() }
    return result
  }

  /// Waits until `condition` gives a value, and returns that value.
  ///
  /// The condition may change the state when it gives a value, and only then: that is how one of
  /// many waiting tasks takes an element from a queue.
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  package func wait<Result: Sendable>(
    until condition: @escaping @Sendable (inout State) -> Result?
  ) async throws -> Result {
    let id = newWaiterID()
    return try await withTaskCancellationHandler {
      try await suspend(id, until: condition) { Task.isCancelled }
    } onCancel: {
      let waiter = inside.withLock { $0.remove(id) }
      waiter?.giveUp()
    }
  }

  /// Waits until `condition` gives a value, however often the task is cancelled meanwhile.
  package func waitUncancelled<Result: Sendable>(
    until condition: @escaping @Sendable (inout State) -> Result?
  ) async throws -> Result {
    try await suspend(newWaiterID(), until: condition) { false }
  }

  private func newWaiterID() -> Int {
    inside.withLock { inside in
      inside.lastID += 1
      return inside.lastID
    }
  }

  /// `givenUp` is asked under the lock: a cancellation that came before found no waiter to remove.
  private func suspend<Result: Sendable>(
    _ id: Int, until condition: @escaping @Sendable (inout State) -> Result?,
    givenUp: () -> Bool
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let waiter = Waiter(id: id) { state in
        guard let value = condition(&state) else { return nil }
        return { continuation.resume(returning: value) }
      } giveUp: {
        continuation.resume(throwing: CancellationError())
      }
      let wakeups = inside.withLock { inside in
        if givenUp() { return Wakeups(waiter.giveUp) }
        inside.waiters.append(waiter)
        return inside.settle()
      }
      if !wakeups.isEmpty { wakeups.tell() }
    }
  }
}

extension Watched {
  private struct Waiter: Sendable {
    let id: Int
    let attempt: @Sendable (inout State) -> (@Sendable () -> Void)?
    let giveUp: @Sendable () -> Void
  }

  private struct Inside {
    var state: State
    var waiters: [Waiter] = []
    var lastID = 0

    /// Takes out the waiters whose conditions hold. Starts over after each one, as what it took
    /// may be what another waited for.
    mutating func settle() -> Wakeups {
      var wakeups = Wakeups()
      var index = waiters.startIndex
      while index < waiters.endIndex {
        if let wake = waiters[index].attempt(&state) {
          wakeups.add(wake)
          waiters.remove(at: index)
          index = waiters.startIndex
        } else {
          index += 1
        }
      }
      return wakeups
    }

    mutating func remove(_ id: Int) -> Waiter? {
      waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0) }
    }
  }
}
