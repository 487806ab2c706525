import CatalogMirror
import Foundation

/// `mirror status FOLDER`
struct StatusCommand {
  private let mirror: FolderMirror
  private let style: Invocation.Style
  private let folder: String

  init(_ invocation: Invocation) {
    mirror = FolderMirror(invocation.mirror)
    style = invocation.style
    folder = invocation.mirror.folder
  }

  func run() async throws -> Program.ExitStatus {
    let status = try await mirror.status()
    guard status.isMirror else {
      Console.error("mirror: '\(folder)' is no mirror yet; 'mirror sync' makes it one.")
      return .failed
    }
    switch style {
    case .people: show(status)
    case .json: write(status)
    case .quiet: break
    }
    return .done
  }

  private func show(_ status: MirrorStatus) {
    Console.out("catalog     \(status.catalog ?? "unknown")")
    Console.out(
      "contents    \(Amounts.count(status.contents, "file")), \(Amounts.bytes(status.contentBytes))"
    )
    if status.previews > 0 {
      Console.out(
        "previews    \(Amounts.count(status.previews, "file")), \(Amounts.bytes(status.previewBytes))"
      )
    }
    if status.quarantined > 0 {
      Console.out(
        "quarantine  \(Amounts.count(status.quarantined, "file")), \(Amounts.bytes(status.quarantinedBytes))"
      )
    }
    if status.foreign > 0 {
      Console.out("not ours    \(Amounts.count(status.foreign, "file")), left alone")
    }
    for failure in status.failures.prefix(FailureLines.mostNamed) {
      Console.out("failed      \(failure.key ?? ""): \(failure.told)")
    }
    if status.failures.count > FailureLines.mostNamed {
      Console.out("failed      \(status.failures.count - FailureLines.mostNamed) more")
    }
    for run in status.runs { Console.out("run         \(line(for: run))") }
  }

  private func line(for run: MirrorStatus.Run) -> String {
    let when = Date(timeIntervalSince1970: run.startedAt).ISO8601Format()
    let error = run.told.map { "; \($0)" } ?? ""
    return """
      \(when) \(run.outcome): \(run.downloaded) fetched, \(run.removed) removed, \
      \(run.failed) failed, \(Amounts.bytes(run.bytes)), \(Amounts.time(run.duration))\(error)
      """
  }

  private func write(_ status: MirrorStatus) {
    JSONReporter.write([
      "event": "status", "catalog": status.catalog ?? "", "contents": status.contents,
      "contentBytes": status.contentBytes, "previews": status.previews,
      "previewBytes": status.previewBytes, "quarantined": status.quarantined,
      "quarantinedBytes": status.quarantinedBytes, "foreign": status.foreign,
      "failures": status.failures.prefix(FailureLines.mostListed).map {
        ["key": $0.key ?? "", "error": $0.told]
      },
      "runs": status.runs.map { run in
        [
          "startedAt": run.startedAt, "seconds": run.duration / .seconds(1),
          "outcome": run.outcome, "downloaded": run.downloaded, "removed": run.removed,
          "failed": run.failed, "bytes": run.bytes, "error": run.told ?? "",
        ] as [String: Any]
      },
    ])
  }
}
