import CatalogMirror
import Console

/// `mirror sync CATALOG FOLDER`
struct SyncCommand {
  private let mirror: FolderMirror
  private let reporter: any Reporter

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    reporter = invocation.style.reporter
  }

  func run() async throws -> ExitStatus {
    let report = try await watching { [mirror] in
      defer { mirror.endEvents() }
      return try await mirror.sync()
    }
    let leftOut = Streams.takeLeftOut() + mirror.droppedEvents
    return await Streams.telling { [reporter] in
      if leftOut > 0 { reporter.show(leftOut: leftOut) }
      reporter.show(report)
      return report.outcome.status
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
