import SyncLock

/// A gate that tasks wait at until a test opens it.
///
/// ```swift
/// let gate = Gate()
/// async let fetched = slowThing(until: { try await gate.wait() })
/// try await gate.arrivals(atLeast: 1)  // it got there
/// gate.open()
/// ```
public final class Gate: Sendable {
  private let watched: Watched<State>

  fileprivate struct State {
    var isOpen: Bool
    var lastTicket = 0
    var arrivals = 0
    var waiting: Set<Int> = []
  }

  /// A gate that is closed, unless told otherwise.
  public init(open: Bool = false) {
    watched = Watched(State(isOpen: open))
  }

  /// Whether a task that comes now walks through.
  public var isOpen: Bool { watched.change { $0.isOpen } }

  /// How many tasks wait at the gate right now.
  public var waiterCount: Int { watched.change { $0.waiting.count } }

  /// How many tasks have come to the gate, whether they wait there, walked through, or left.
  public var arrivalCount: Int { watched.change { $0.arrivals } }

  /// Lets everyone who waits through, and everyone who comes until ``close()``.
  public func open() {
    watched.change { state in
      state.isOpen = true
      state.waiting = []
    }
  }

  /// Makes those wait who come from now on. Who was let through before stays so.
  public func close() {
    watched.change { $0.isOpen = false }
  }

  /// Waits until the gate is open.
  /// - Throws: `CancellationError`, at once, when the task is cancelled; also at an open gate when
  ///   it was cancelled before it came.
  public func wait() async throws {
    try Task.checkCancellation()
    guard let ticket = watched.change({ $0.arrive() }) else { return }
    do {
      try await watched.wait { $0.waiting.contains(ticket) ? nil : () }
    } catch {
      _ = watched.change { $0.waiting.remove(ticket) }
      throw error
    }
  }

  /// Waits until at least `count` tasks have come to the gate, wherever they are by now.
  ///
  /// Where several tasks wait for the same arrival, one of them may open the gate before the others
  /// have looked: an arrival is remembered, a waiter isn't.
  ///
  /// There is no time limit: if they never come, this waits until its task is cancelled.
  /// - Throws: `CancellationError`, when the task is cancelled.
  public func arrivals(atLeast count: Int) async throws {
    try await watched.wait { $0.arrivals >= count ? () : nil }
  }

  /// Waits until at least `count` tasks wait at the gate.
  ///
  /// There is no time limit: if they never come, this waits until its task is cancelled.
  /// - Throws: `CancellationError`, when the task is cancelled.
  public func waiters(atLeast count: Int) async throws {
    try await watched.wait { $0.waiting.count >= count ? () : nil }
  }
}

extension Gate.State {
  /// A place in the line; `nil` when the gate is open.
  fileprivate mutating func arrive() -> Int? {
    arrivals += 1
    guard !isOpen else { return nil }
    lastTicket += 1
    waiting.insert(lastTicket)
    return lastTicket
  }
}
