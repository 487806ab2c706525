import CatalogMirror
import Console

/// For people: one live line on a terminal, plain lines elsewhere, a summary at the end.
struct PeopleReporter: Reporter {
  let isTerminal: Bool

  var interval: Duration? { isTerminal ? .milliseconds(100) : .seconds(1) }

  func show(_ event: MirrorEvent) {
    switch event {
    case .waiting(let holder): line(Summary.line(forWaitingFor: holder))
    case .listed(_, let partial):
      for reason in FailureLines.first(of: partial) { line("not removing anything: \(reason)") }
    case .retrying(let url, let retry, let wait, let reason, let advice):
      let told = Advice.adding(advice, to: reason)
      line("trying \(url) again (\(retry)) in \(Amounts.time(wait)): \(told)")
    case .displaced(let key, let place):
      line("\(key) wasn't ours, or had been edited; it is now .mirror/displaced/\(place)")
    case .rebuildingIndex(let aside):
      line(
        """
        the index was damaged, or another folder's, and is now .mirror/\(aside); it is made anew \
        from the files that the catalog confirms
        """)
    case .stage, .page, .planned, .fetched, .adopted, .confirmed, .failed, .removed: break
    }
  }

  func show(_ progress: MirrorProgress, elapsed: Duration) {
    let text = ProgressLine.text(for: progress, elapsed: elapsed)
    if isTerminal {
      Streams.live(String(text.prefix(Streams.width - 1)))
    } else {
      Streams.out(text, .fleeting)
    }
  }

  func show(leftOut count: Int) {
    Streams.out("\(Amounts.count(count, "line")) left out, as standard output wasn't read in time")
  }

  func show(_ report: MirrorReport) {
    if isTerminal { Streams.endLive() }
    for line in FailureLines.lines(of: report) { Streams.error(line) }
    if let line = Summary.line(forUnreadable: report.unreadable) {
      if report.hasNewUnreadable { Streams.error("mirror: \(line)") } else { Streams.out(line) }
    }
    if let line = ScopeLines.line(isNew: report.hasNewScope, outside: report.outside) {
      Streams.out(line)
    }
    if let text = Summary.text(for: report) { Streams.out(text) }
    if let advice = Summary.advice(for: report) { Streams.error("mirror: \(advice)") }
  }

  private func line(_ text: String) {
    if isTerminal { Streams.endLive() }
    Streams.out(text, .counted)
  }
}

/// The line that shows how far a run is.
enum ProgressLine {
  static func text(for progress: MirrorProgress, elapsed: Duration) -> String {
    switch progress.stage {
    case .wait: "waiting for another mirror of the folder to end"
    case .look: "looking at the files"
    case .list: "fetching the catalog: \(Amounts.count(progress.pages, "page"))"
    case .decide: "deciding what to fetch"
    case .previews, .contents: transfers(progress, elapsed)
    case .commit: "making everything durable"
    case .remove: "moving what vanished to quarantine"
    case .done: "done"
    }
  }

  private static func transfers(_ progress: MirrorProgress, _ elapsed: Duration) -> String {
    let seconds = max(elapsed / .seconds(1), 0.001)
    let rate = Double(progress.bytesDone) / seconds
    var parts = [
      "\(progress.stage.rawValue): \(progress.itemsDone) of \(progress.itemsTotal)",
      progress.bytesTotal > 0
        ? "\(Amounts.bytes(progress.bytesDone)) of \(Amounts.bytes(progress.bytesTotal))"
        : Amounts.bytes(progress.bytesDone),
      "\(Amounts.bytes(Int64(min(rate, 1e18))))/s",
    ]
    let left = Double(progress.bytesTotal - progress.bytesDone)
    if left > 0, rate > 0, left / rate < 1e9 {
      parts.append("\(Amounts.time(.seconds(left / rate))) left")
    }
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    return parts.joined(separator: ", ")
  }
}
