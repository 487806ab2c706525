import SyncLock

/// How many workers a download stage has, where nobody knows beforehand how many are of use: it
/// starts with a few, and takes on more when whoever hands out what they work with (a server's
/// requests) has enough for more.
///
/// Many more workers than that only wait, each with its half-done item, and pass what they need on
/// from one to the next: none of them finds it in the processor's cache when its turn comes.
package final class Crew: Sendable {
  private let state: Locked<State>

  private struct State: Sendable {
    var wanted: Int
    var lastTicket = 0
    var waiting: [Int: Waiter] = [:]
  }

  /// A stage that has `count` workers.
  private struct Waiter: Sendable {
    let count: Int
    let continuation: CheckedContinuation<Int?, Never>
  }

  /// A crew that starts with so many workers.
  package init(startingWith count: Int) {
    state = Locked(State(wanted: max(1, count)))
  }

  /// How many workers are of use, as far as is known.
  package var wanted: Int { state.withLock { $0.wanted } }

  /// Whether somebody waits until more workers than `count` are of use.
  package func isAwaited(above count: Int) -> Bool {
    state.withLock { $0.waiting.values.contains { $0.count == count } }
  }

  /// Says that so many workers are of use; fewer than were said before changes nothing.
  package func raise(to count: Int) {
    let waiting = state.withLock { state in
      state.wanted = max(state.wanted, count)
      let waiting = state.waiting.filter { $0.value.count < state.wanted }
      for ticket in waiting.keys { state.waiting[ticket] = nil }
      return waiting.values.map { ($0, state.wanted) }
    }
    for (waiter, wanted) in waiting { waiter.continuation.resume(returning: wanted) }
  }

  /// Waits until more workers than `count` are of use, and says how many; `nil` when the task is
  /// cancelled before.
  package func more(than count: Int) async -> Int? {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Int?? = state.withLock { state in
          // Under the lock: a cancellation before this is seen here, one after it finds the waiter.
          if Task.isCancelled { return .some(nil) }
          if state.wanted > count { return state.wanted }
          state.waiting[ticket] = Waiter(count: count, continuation: continuation)
          return .none
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.continuation.resume(returning: nil)
    }
  }
}
