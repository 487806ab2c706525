import CatalogMirror
import Console

/// `mirror sync CATALOG FOLDER`
struct SyncCommand {
  private let mirror: FolderMirror
  private let reporter: any Reporter

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    reporter = invocation.reporter
  }

  func run() async throws -> ExitStatus {
    let report = try await mirror.watched(by: reporter) { try await $0.sync() }
    let leftOut = Streams.takeLeftOut() + mirror.droppedEvents
    return await Streams.telling { [reporter] in
      if leftOut > 0 { reporter.show(leftOut: leftOut) }
      reporter.show(report)
      return report.outcome.status
    }
  }
}
