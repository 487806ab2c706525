import Foundation

/// Threads that serve connections, each one after the other: as many as there were connections at
/// once. A thread for each would cost more than what is served, where thousands come and go.
final class ConnectionCrew: @unchecked Sendable {  // everything is guarded by `condition`
  private let condition = NSCondition()
  private let serve: @Sendable (RawConnection) -> Void
  private var waiting: [RawConnection] = []
  private var idle = 0
  private var isDismissed = false

  init(_ serve: @escaping @Sendable (RawConnection) -> Void) {
    self.serve = serve
  }

  /// Has a connection served, by a thread that has nothing to do or by a new one.
  func take(_ connection: RawConnection) {
    condition.lock()
    defer { condition.unlock() }
    waiting.append(connection)
    guard idle < waiting.count else { return condition.signal() }
    Thread.detachNewThread { [self] in work() }
  }

  /// Lets the threads go when what has come is served.
  func dismiss() {
    condition.lock()
    defer { condition.unlock() }
    isDismissed = true
    condition.broadcast()
  }

  private func work() {
    while let connection = next() { serve(connection) }
  }

  private func next() -> RawConnection? {
    condition.lock()
    defer { condition.unlock() }
    idle += 1
    defer { idle -= 1 }
    while waiting.isEmpty {
      if isDismissed { return nil }
      condition.wait()
    }
    return waiting.removeFirst()
  }
}
