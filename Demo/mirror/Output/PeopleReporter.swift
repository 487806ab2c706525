import CatalogMirror
import Console

/// For people: a live line on a terminal, and lines of what they have to know; elsewhere only what
/// went wrong, and the result.
struct PeopleReporter: Reporter {
  private let display: ProgressDisplay
  private let events: Locked<EventLines>
  private let isVerbose: Bool

  init(_ display: ProgressDisplay, isVerbose: Bool) {
    self.display = display
    events = Locked(EventLines(isVerbose: isVerbose, isWatched: display.pace == .live))
    self.isVerbose = isVerbose
  }

  var interval: Duration? { display.interval }

  func show(_ event: MirrorEvent) {
    for line in events.withLock({ $0.lines(for: event) }) { Streams.out(line, .counted) }
  }

  func show(_ progress: MirrorProgress, elapsed: Duration) {
    display.show(progress.work, elapsed: elapsed)
  }

  func show(leftOut count: Int) {
    Streams.out("\(Amounts.count(count, "line")) left out, as standard output wasn't read in time")
  }

  func show(_ report: MirrorReport) {
    Streams.endLive()
    for line in FailureLines.lines(of: report) { Streams.error(line) }
    if isVerbose { for flaw in report.flaws { Streams.out(flaw.line) } }
    for line in Summary.lines(forUnreadable: report.unreadable) {
      if report.hasNewUnreadable {
        Streams.error("mirror: \(line)")
      } else if isVerbose {
        Streams.out(line)
      }
    }
    if let line = ScopeLines.line(isNew: report.hasNewScope, outside: report.outside) {
      Streams.out(line)
    }
    for remark in report.remarks { Streams.out("\(remark)") }
    if let text = Summary.text(for: report) { Streams.out(text) }
    if let advice = Summary.advice(for: report) { Streams.error("mirror: \(advice)") }
  }
}
