import CatalogMirror
import Console

enum StatusLines {
  static func lines(of status: MirrorStatus) -> [String] {
    var lines = ["catalog     \(status.catalog ?? "unknown")"]
    if !status.verifyKeys.isEmpty {
      let end = status.expires.map { "; may be taken until \(Moments.text(Double($0)))" } ?? ""
      let unsigned = " before; the last run took it without (--unsigned)"
      let keys = status.verifyKeys.joined(separator: ", ")
      lines.append("checked by  \(keys)\(status.wasTakenUnsigned ? unsigned : end)")
    }
    if let running = status.running {
      lines.append("in use      \(line(for: running))")
    } else {
      lines += holdings(of: status)
    }
    if let cutShort = status.cutShort {
      lines.append("cut short   the last run, \(line(for: cutShort)); the next one goes on")
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
    lines += named(status.closed, as: "closed      ")
    lines += unreadable(status.unreadable)
    lines += named(status.failures, as: "failed      ")
    lines += named(status.flaws, as: "not had     ")
    // What couldn't be had is known of the newest run.
    let but = Summary.but(forUnreadable: status.unreadable.count, flaws: status.flaws)
    for (place, run) in status.runs.enumerated() {
      lines.append("run         \(line(for: run, place == 0 ? but : ""))")
    }
    return lines
  }

  /// Directories of the listing, below the reason why they can't be read.
  private static func unreadable(_ directories: [MirrorReport.Failure]) -> [String] {
    let named = directories.prefix(FailureLines.mostNamed)
    var (lines, reason) = ([String](), "")
    for directory in named.sorted(by: { $0.told < $1.told }) {
      if directory.told != reason { lines.append("unreadable  \(directory.told):") }
      reason = directory.told
      lines.append("            \(directory.key ?? "")")
    }
    let more = directories.count - named.count
    return lines + (more > 0 ? ["            and \(more) more"] : [])
  }

  /// The first of them, and how many more there are. Failures with the same sentence share a line.
  private static func named(_ failures: [MirrorReport.Failure], as word: String) -> [String] {
    let named = FailureLines.groups(of: failures, by: \.told).prefix(FailureLines.mostNamed)
    let more = failures.count - named.reduce(0) { $0 + $1.keys.count }
    return named.map { "\(word)\($0.named): \($0.sentence)" }
      + (more > 0 ? ["\(word)\(more) more"] : [])
  }

  private static func holdings(of status: MirrorStatus) -> [String] {
    var lines = ["contents    \(files(status.contents, status.contentBytes))"]
    if status.previews > 0 {
      lines.append("previews    \(files(status.previews, status.previewBytes))")
    }
    if let rules = status.rules {
      lines.append("removal     \(rules.maximumRemoval.words)")
      lines += rules.filters.map { "filter      \($0)" }
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
    let copied =
      progress.bytesCopied > 0 ? ", \(Amounts.bytes(progress.bytesCopied)) copied" : ""
    return """
      \(who): \(progress.stage.rawValue), \
      \(progress.itemsDone) of \(Amounts.count(progress.itemsTotal, "item")), \
      \(Amounts.bytes(progress.bytesDone)) of \(Amounts.bytes(progress.bytesTotal))\
      \(copied)\(failed)
      """
  }

  private static func line(for run: MirrorStatus.Run, _ but: String = "") -> String {
    let when = Moments.text(run.startedAt)
    let error = run.told.map { "; \($0)" } ?? ""
    let counts = [
      (run.fetched, "added or updated"), (run.adopted, "adopted"), (run.removed, "removed"),
      (run.failed, "failed"), (run.equal, "fetched again with the same bytes"),
    ].filter { $0.0 > 0 }.map { "\($0) \($1)" }
    let copied = Summary.words(forCopied: run.copied, run.copiedBytes).map { [$0] } ?? []
    let packed = Summary.words(forPacked: run.packed, run.packRequests).map { [$0] } ?? []
    let bytes = (run.bytes > 0 ? [Amounts.bytes(run.bytes)] : []) + packed + copied
    // Then it was news of directories, and no item.
    let isOfDirectories = run.outcome == "some failed" && run.failed == 0
    let isDone = run.outcome == "done" || isOfDirectories
    let done = counts.isEmpty && isDone ? ["unchanged"] : counts
    let parts = done + bytes + [Amounts.time(run.duration)]
    let unread = isOfDirectories && but.isEmpty ? ", but for directories that aren't read" : but
    let word = isDone ? "done" + unread : run.outcome
    return "\(when) \(word): \(parts.joined(separator: ", "))\(error)"
  }
}

extension MirrorOptions.MaximumRemoval {
  fileprivate var words: String {
    switch self {
    case .guarded:
      "refused where more than 3 and at least half of the items would go, or all of several"
    case .count(let most): "refused where more than \(most) would go"
    case .share(let most):
      "refused where more than \(Int((most * 100).rounded())) % of the items would go"
    case .all: "of any number of items"
    case .never: "none: what the source lacks stays"
    }
  }
}
