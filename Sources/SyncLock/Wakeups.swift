/// Those who wait and are to go on: taken out under a lock, and told when it is free.
package struct Wakeups: Sendable {
  private var calls: [@Sendable () -> Void] = []

  package init() {}

  /// One, told by this call.
  init(_ call: @escaping @Sendable () -> Void) { calls = [call] }

  /// Whether nobody is to be told.
  package var isEmpty: Bool { calls.isEmpty }

  /// One more, told by this call after the others.
  package mutating func add(_ call: @escaping @Sendable () -> Void) { calls.append(call) }

  /// Those of another step, told after the others.
  package mutating func add(_ others: Wakeups) { calls += others.calls }

  /// Takes them out.
  package mutating func take() -> Wakeups {
    defer { calls = [] }
    return self
  }

  /// Tells them. No lock is held.
  package func tell() {
    HeldLocks.assertNone()
    for call in calls { call() }
  }
}
