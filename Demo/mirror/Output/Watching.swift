import CatalogMirror
import Console

extension FolderMirror {
  /// Has `reporter` show events and progress while `body` runs.
  func watched<Value: Sendable>(
    by reporter: any Reporter, _ body: @escaping @Sendable (FolderMirror) async throws -> Value
  ) async throws -> Value {
    let events = reporter.showsEvents ? events : nil
    return try await showing(by: reporter, { [self] in progress }) { [self] in
      async let result = {
        defer { endEvents() }
        return try await body(self)
      }()
      // The stream ends with the run; what was told until then is shown.
      if let events { for await event in events { reporter.show(event) } }
      return try await result
    }
  }
}

/// Has `reporter` show again and again how far something is while `body` runs, by the time of
/// `clock`.
func showing<Value: Sendable, C: Clock<Duration>>(
  by reporter: any Reporter, on clock: C = ContinuousClock(),
  _ progress: @escaping @Sendable () -> MirrorProgress,
  _ body: () async throws -> Value
) async throws -> Value {
  let began = clock.now
  return try await withThrowingTaskGroup(of: Void.self) { group in
    if let interval = reporter.interval {
      group.addTask {
        while true {
          try await clock.sleep(for: interval)
          reporter.show(progress(), elapsed: began.duration(to: clock.now))
        }
      }
    }
    defer { group.cancelAll() }
    return try await body()
  }
}
