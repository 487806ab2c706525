import CatalogMirror
import Console

/// What a folder holds, for people.
enum StatusLines {
  static func lines(of status: MirrorStatus) -> [String] {
    var lines = ["catalog     \(status.catalog ?? "unknown")"]
    if let running = status.running {
      lines.append("in use      \(line(for: running))")
    } else {
      lines += holdings(of: status)
    }
    if status.displaced > 0 {
      lines.append("displaced   \(files(status.displaced, status.displacedBytes)), kept for ever")
      for file in status.newestDisplaced {
        lines.append("            \(file.key) (\(Amounts.bytes(file.size)), \(file.batch))")
      }
      if status.displaced > status.newestDisplaced.count {
        lines.append("            and older ones; 'mirror restore FOLDER' lists all")
      }
    }
    lines += named(status.unreadable, as: "unreadable  ")
    lines += named(status.failures, as: "failed      ")
    return lines + status.runs.map { "run         \(line(for: $0))" }
  }

  /// The first of them, and how many more there are.
  private static func named(_ failures: [MirrorReport.Failure], as word: String) -> [String] {
    let more = failures.count - FailureLines.mostNamed
    return failures.prefix(FailureLines.mostNamed).map { "\(word)\($0.key ?? ""): \($0.told)" }
      + (more > 0 ? ["\(word)\(more) more"] : [])
  }

  private static func holdings(of status: MirrorStatus) -> [String] {
    var lines = ["contents    \(files(status.contents, status.contentBytes))"]
    if status.previews > 0 {
      lines.append("previews    \(files(status.previews, status.previewBytes))")
    }
    if let rules = status.rules {
      lines.append("removal     \(rules.maximumRemoval.words), by the last run")
    }
    if status.quarantined > 0 {
      let kept = (status.rules?.keepRemoved).map { ", kept for \(Amounts.time($0))" } ?? ""
      lines.append("quarantine  \(files(status.quarantined, status.quarantinedBytes))\(kept)")
    }
    if status.foreign > 0 {
      lines.append("not ours    \(Amounts.count(status.foreign, "file")), left alone")
    }
    return lines
  }

  private static func files(_ count: Int, _ bytes: Int64) -> String {
    "\(Amounts.count(count, "file")), \(Amounts.bytes(bytes))"
  }

  private static func line(for running: RunningMirror) -> String {
    let who = "by \(running.holder?.told ?? "another process")"
    guard let progress = running.progress else { return who }
    guard progress.itemsTotal > 0 else { return "\(who): \(progress.stage.rawValue)" }
    let failed = progress.failed > 0 ? ", \(progress.failed) failed" : ""
    return """
      \(who): \(progress.stage.rawValue), \(progress.itemsDone) of \(progress.itemsTotal) items, \
      \(Amounts.bytes(progress.bytesDone)) of \(Amounts.bytes(progress.bytesTotal))\(failed)
      """
  }

  private static func line(for run: MirrorStatus.Run) -> String {
    let when = Moments.text(run.startedAt)
    let error = run.told.map { "; \($0)" } ?? ""
    return """
      \(when) \(run.outcome): \(run.downloaded) fetched, \(run.removed) removed, \
      \(run.failed) failed, \(Amounts.bytes(run.bytes)), \(Amounts.time(run.duration))\(error)
      """
  }
}

extension MirrorOptions.MaximumRemoval {
  /// The rule in a few words.
  fileprivate var words: String {
    switch self {
    case .guarded: "refused from half of the items and more than 3 on, or of all of several"
    case .count(let most): "at most \(most) at once"
    case .share(let most): "at most \(Int((most * 100).rounded())) % at once"
    case .all: "of any number"
    case .never: "none"
    }
  }
}
