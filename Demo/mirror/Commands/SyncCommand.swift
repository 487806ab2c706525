import CatalogMirror
import Console

/// The sync of one mirror, shown.
struct SyncCommand {
  private let mirror: FolderMirror
  private let reporter: any Reporter

  init(_ invocation: Invocation, _ reporter: any Reporter, sharing client: MirrorClient) {
    mirror = FolderMirror(invocation.mirror, sharing: client)
    self.reporter = reporter
  }

  /// Syncs and shows how that went; throws where it couldn't begin.
  func report() async throws -> MirrorReport {
    let report = try await watching { [mirror] in
      defer { mirror.endEvents() }
      return try await mirror.sync()
    }
    let leftOut = Streams.takeLeftOut() + mirror.droppedEvents
    return await Streams.telling { [reporter] in
      if leftOut > 0 { reporter.show(leftOut: leftOut) }
      reporter.show(report)
      return report
    }
  }

  /// Shows events and progress while `body` runs.
  private func watching<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let events = mirror.events
    let began = ContinuousClock.now
    return try await withThrowingTaskGroup(of: Void.self) { group in
      if let interval = reporter.interval {
        group.addTask { [reporter, mirror] in
          while true {
            try await Task.sleep(for: interval)
            reporter.show(mirror.progress, elapsed: ContinuousClock.now - began)
          }
        }
      }
      defer { group.cancelAll() }
      async let result = body()
      // The stream ends with the run; what was told until then is shown.
      for await event in events { reporter.show(event) }
      return try await result
    }
  }
}
