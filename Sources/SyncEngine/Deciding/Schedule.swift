import SyncLock

/// When the runs of a schedule begin.
final class Schedule: Sendable {
  private let interval: Duration
  private let due: Locked<Duration>

  /// - Parameter first: When the first run begins.
  init(every interval: Duration, from first: Duration) {
    self.interval = interval
    due = Locked(first)
  }

  /// When the next run begins: of the times that are past, only the last one still counts.
  func next(after now: Duration) -> Duration {
    due.withLock { due in
      let missed = due < now ? Int64((now - due) / interval) : 0
      let next = due + interval * missed
      due = next + interval
      return next
    }
  }
}
