import CatalogMirror
import Console

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
    case .people: for line in StatusLines.lines(of: status) { Streams.out(line) }
    case .json: write(status)
    case .quiet: break
    }
    return .done
  }

  private func write(_ status: MirrorStatus) {
    JSONLine.write("status") { line in
      line.add("catalog", status.catalog ?? "")
      line.add("verifyKeys", status.verifyKeys)
      if status.wasTakenUnsigned { line.add("unsigned", true) }
      if let end = status.expires { line.addDate("expires", Double(end)) }
      line.add("contents", status.contents)
      line.add("contentBytes", status.contentBytes)
      line.add("previews", status.previews)
      line.add("previewBytes", status.previewBytes)
      line.add("quarantined", status.quarantined)
      line.add("quarantinedBytes", status.quarantinedBytes)
      line.add("displaced", status.displaced)
      line.add("displacedBytes", status.displacedBytes)
      line.add("foreign", status.foreign)
      if let rules = status.rules {
        line.add("maxDelete", rules.maximumRemoval.option)
        line.addSeconds("keepRemoved", rules.keepRemoved)
        line.add("filters", rules.filters)
      }
      if let cutShort = status.cutShort { line.object("cutShort") { write(cutShort, to: &$0) } }
      if let running = status.running { line.object("running") { write(running, to: &$0) } }
      line.addFailures("closed", status.closed.map { ($0.key, $0.told) })
      line.addFailures("unreadable", as: "url", status.unreadable.map { ($0.key, $0.told) })
      line.addFailures("failures", status.failures.map { ($0.key ?? "", $0.told) })
      line.addFailures("flaws", status.flaws.map { ($0.key ?? "", $0.told) })
      line.array("runs") { list in
        for run in status.runs { list.object { write(run, to: &$0) } }
      }
    }
  }

  private func write(_ running: RunningMirror, to line: inout JSONMembers) {
    if let holder = running.holder {
      line.add("process", Int(holder.process))
      line.addDate("since", holder.secondsSince1970 ?? 0)
    }
    running.progress?.write(to: &line)
  }

  private func write(_ run: MirrorStatus.Run, to line: inout JSONMembers) {
    line.addDate("startedAt", run.startedAt)
    line.addSeconds("seconds", run.duration)
    line.add("outcome", run.outcome)
    line.add("downloaded", run.downloaded)
    line.add("changed", run.changed)
    line.add("adopted", run.adopted)
    line.add("removed", run.removed)
    line.add("failed", run.failed)
    line.add("bytes", run.bytes)
    line.add("copied", run.copied)
    line.add("copiedBytes", run.copiedBytes)
    line.add("packed", run.packed)
    line.add("packRequests", run.packRequests)
    line.add("error", run.told ?? "")
  }
}

extension MirrorOptions.MaximumRemoval {
  /// As the options of a run say it: the value of `--max-delete`, `none` for `--no-delete`, or
  /// `guarded` where nothing is said.
  fileprivate var option: String {
    switch self {
    case .guarded: "guarded"
    case .count(let most): "\(most)"
    case .share(let most): "\(most * 100)%"
    case .all: "all"
    case .never: "none"
    }
  }
}
