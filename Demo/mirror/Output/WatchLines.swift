import CatalogMirror
import Console

/// What `watch` says: a line for each run, and one for whatever else happens.
struct WatchLines: Sendable {
  let style: Invocation.Style
  /// Whether a line says which mirror it speaks of.
  let namesMirrors: Bool

  func tell(_ event: WatchEvent<ConfiguredMirror, RunEnd>) {
    let lines = notes(for: event) + [line(for: event)]
    for (line, _) in lines { Streams.log(line) }
    if style == .json { return write(event) }
    for (line, isBad) in lines {
      if isBad {
        Streams.error("mirror: \(line)")
      } else if style != .quiet {
        Streams.out(line)
      }
    }
  }

  /// What is new since the last run besides the mirror's own files: somebody's that were put aside,
  /// directories that can't be read, and filters.
  func notes(for event: WatchEvent<ConfiguredMirror, RunEnd>) -> [(String, isBad: Bool)] {
    guard case .ended(let job, let end, _) = event, let report = end.report else { return [] }
    let unreadable = report.hasNewUnreadable ? Summary.lines(forUnreadable: report.unreadable) : []
    let scope = ScopeLines.line(isNew: report.hasNewScope, outside: report.outside)
    let displaced = Summary.line(forDisplaced: report.displaced)
    let remarks = report.remarks.map { (Optional("\($0)"), false) }
    let lines =
      [(displaced, true)] + unreadable.map { (Optional($0), true) } + [(scope, false)] + remarks
    return lines.compactMap { line, isBad in
      line.map { (named($0, job), isBad: isBad) }
    }
  }

  private func named(_ line: String, _ job: WatchJob<ConfiguredMirror>) -> String {
    namesMirrors ? "\(job.name): \(line)" : line
  }

  /// The line, and whether it tells of something that somebody has to look at.
  func line(for event: WatchEvent<ConfiguredMirror, RunEnd>) -> (String, isBad: Bool) {
    switch event {
    case .began(let counts): ("watching \(Amounts.count(counts.jobs, "mirror"))", false)
    case .ended(let job, let end, let next):
      (
        named(Self.text(of: end) + Self.text(of: next), job), end.hasFailed
      )
    case .reloaded(let change): ("configuration read anew: \(Self.text(of: change))", false)
    case .nothingToReload: ("there is no configuration to be read anew", false)
    case .notReloaded(let error):
      ("the configuration isn't read anew, and the old one holds: \(error)", true)
    }
  }

  static func text(of end: RunEnd) -> String {
    guard let report = end.report else { return "\(end.word): \(end.problem ?? "")" }
    let summary = Summary.text(for: report) ?? report.word
    guard let first = report.failures.first else {
      return summary + (Summary.advice(for: report).map { "; \($0)" } ?? "")
    }
    let key = first.key.map { "\($0): " } ?? ""
    let count = max(report.failed, report.failures.count)
    let more = count > 1 ? " (the first of \(count))" : ""
    return "\(summary); \(key)\(first.told)\(more)"
  }

  static func text(of next: WatchNext?) -> String {
    guard let next else { return "" }
    let wait = Amounts.time(next.wait)
    return next.failures > 0
      ? " [failed \(Amounts.count(next.failures, "time")) in a row, next in \(wait)]"
      : " [next in \(wait)]"
  }

  static func text(of change: WatchChange) -> String {
    let parts = [
      ("added", change.added), ("changed", change.changed), ("gone", change.removed),
    ].filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
    return parts.isEmpty ? "nothing changed" : parts.joined(separator: "; ")
  }

  private func write(_ event: WatchEvent<ConfiguredMirror, RunEnd>) {
    switch event {
    case .began(let counts): JSONLine.write("watching") { $0.add("mirrors", counts.jobs) }
    case .ended(let job, let end, let next):
      JSONLine.write("ended") { line in
        if namesMirrors { line.add("mirror", job.name) }
        end.write(to: &line)
        guard let next else { return }
        line.addSeconds("next", next.wait)
        line.add("failuresInARow", next.failures)
      }
    case .reloaded(let change):
      JSONLine.write("reloaded") { line in
        line.add("added", change.added)
        line.add("changed", change.changed)
        line.add("removed", change.removed)
      }
    case .nothingToReload: JSONLine.write("reloaded")
    case .notReloaded(let error): JSONLine.write("notReloaded") { $0.add("error", "\(error)") }
    }
  }
}
