import CatalogMirror
import Console
import SyncText

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

  func run() async throws -> ExitStatus {
    let status = try await mirror.status()
    guard status.isMirror else {
      Streams.complain("'\(folder)' is no mirror yet; 'mirror sync' makes it one")
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
    Streams.out("catalog     \(status.catalog ?? "unknown")")
    Streams.out(
      "contents    \(Amounts.count(status.contents, "file")), \(Amounts.bytes(status.contentBytes))"
    )
    if status.previews > 0 {
      Streams.out(
        "previews    \(Amounts.count(status.previews, "file")), \(Amounts.bytes(status.previewBytes))"
      )
    }
    if status.quarantined > 0 {
      Streams.out(
        "quarantine  \(Amounts.count(status.quarantined, "file")), \(Amounts.bytes(status.quarantinedBytes))"
      )
    }
    if status.foreign > 0 {
      Streams.out("not ours    \(Amounts.count(status.foreign, "file")), left alone")
    }
    for failure in status.failures.prefix(FailureLines.mostNamed) {
      Streams.out("failed      \(failure.key ?? ""): \(failure.told)")
    }
    if status.failures.count > FailureLines.mostNamed {
      Streams.out("failed      \(status.failures.count - FailureLines.mostNamed) more")
    }
    for run in status.runs { Streams.out("run         \(line(for: run))") }
  }

  private func line(for run: MirrorStatus.Run) -> String {
    let when = Moments.text(run.startedAt)
    let error = run.told.map { "; \($0)" } ?? ""
    return """
      \(when) \(run.outcome): \(run.downloaded) fetched, \(run.removed) removed, \
      \(run.failed) failed, \(Amounts.bytes(run.bytes)), \(Amounts.time(run.duration))\(error)
      """
  }

  private func write(_ status: MirrorStatus) {
    JSONLine.write("status") { line in
      line.add("catalog", status.catalog ?? "")
      line.add("contents", status.contents)
      line.add("contentBytes", status.contentBytes)
      line.add("previews", status.previews)
      line.add("previewBytes", status.previewBytes)
      line.add("quarantined", status.quarantined)
      line.add("quarantinedBytes", status.quarantinedBytes)
      line.add("foreign", status.foreign)
      line.addFailures("failures", status.failures.map { ($0.key ?? "", $0.told) })
      line.array("runs") { list in
        for run in status.runs { list.object { write(run, to: &$0) } }
      }
    }
  }

  private func write(_ run: MirrorStatus.Run, to line: inout JSONWriter.Members) {
    line.addDate("startedAt", run.startedAt)
    line.addSeconds("seconds", run.duration)
    line.add("outcome", run.outcome)
    line.add("downloaded", run.downloaded)
    line.add("removed", run.removed)
    line.add("failed", run.failed)
    line.add("bytes", run.bytes)
    line.add("error", run.told ?? "")
  }
}
