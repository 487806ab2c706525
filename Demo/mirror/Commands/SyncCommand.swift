import CatalogMirror
import Console

struct SyncCommand {
  private let mirror: FolderMirror
  private let reporter: any Reporter

  init(_ invocation: Invocation, _ reporter: any Reporter, sharing client: MirrorClient) {
    mirror = FolderMirror(invocation.mirror, sharing: client)
    self.reporter = reporter
  }

  /// Syncs and shows how that went; throws where it couldn't begin.
  func report() async throws -> MirrorReport {
    let report = try await mirror.watched(by: reporter) { try await $0.sync() }
    let leftOut = Streams.takeLeftOut() + mirror.droppedEvents
    return await Streams.telling { [reporter] in
      if leftOut > 0 { reporter.show(leftOut: leftOut) }
      reporter.show(report)
      return report
    }
  }
}
