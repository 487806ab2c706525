import CatalogMirror
import Foundation

/// A mirror as a library: makes a folder equal to a catalog, tells what happens, and shows what the
/// folder holds. The guide "Use the mirror in a program" goes through it.
@main
struct Follow {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let catalog = arguments.first, let folder = arguments.last, arguments.count == 2 else {
      print("usage: follow CATALOG FOLDER")
      exit(64)
    }
    var options = MirrorOptions(catalog: catalog, folder: folder)
    options.keepRemoved = .seconds(14 * 86_400)
    let mirror = FolderMirror(options)
    do {
      let report = try await sync(mirror)
      print(summary(of: report))
      print(try await holdings(of: mirror))
      exit(report.outcome == .done ? 0 : 1)
    } catch {
      print("it couldn't begin: \(error.localizedDescription)")
      exit(1)
    }
  }

  /// Syncs once, and tells what happens meanwhile.
  static func sync(_ mirror: FolderMirror) async throws -> MirrorReport {
    let events = mirror.events
    async let told: Void = tell(events)
    let report = try await mirror.sync()
    mirror.endEvents()
    await told
    return report
  }

  static func tell(_ events: AsyncStream<MirrorEvent>) async {
    for await event in events {
      switch event {
      case .listed(let entries, _, _): print("the catalog lists \(entries) items")
      case .fetched(let key, _, let bytes, let reason),
        .copied(let key, _, _, let bytes, let reason):
        print("\(key): \(reason), \(bytes) B")
      case .displaced(let key, let place): print("\(key): what stood there is now \(place)")
      case .removed(let key): print("\(key): removed")
      case .failed(let key, let sentence, _): print("\(key): \(sentence)")
      default: break
      }
    }
  }

  static func summary(of report: MirrorReport) -> String {
    switch report.outcome {
    case .done where report.wasUnchanged: "nothing new"
    case .done: "\(report.added) added, \(report.updated) updated, \(report.removed) removed"
    case .someFailed: "\(report.failed) failed, and are tried first next time"
    case .removalRefused(let count, let all): "\(count) of \(all) would go: look at the source"
    case .cancelled: "cancelled; what was finished is kept"
    case .failed: report.failures.first?.sentence ?? "failed"
    }
  }

  static func holdings(of mirror: FolderMirror) async throws -> String {
    let status = try await mirror.status(runs: 1)
    guard status.isMirror else { return "the folder is no mirror yet" }
    return """
      held: \(status.contents) items, \(status.contentBytes) B; \
      \(status.quarantined) in quarantine, \(status.displaced) displaced
      """
  }
}
