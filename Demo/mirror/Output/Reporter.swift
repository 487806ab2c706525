import CatalogMirror
import Console

/// Shows a run in one of the styles. Called from one task.
protocol Reporter: Sendable {
  /// How often progress is shown; `nil` for never.
  var interval: Duration? { get }
  /// Something happened.
  func show(_ event: MirrorEvent)
  /// How far the run is, and how fast it has been so far.
  func show(_ progress: MirrorProgress, elapsed: Duration)
  /// So many events weren't shown, since nobody read in time.
  func show(leftOut count: Int)
  /// The run ended.
  func show(_ report: MirrorReport)
  /// Whether a run that couldn't begin is told of. Default: yes.
  var tellsFailures: Bool { get }
}

extension Reporter {
  var tellsFailures: Bool { true }
}

extension Invocation.Style {
  /// The reporter of this style.
  var reporter: any Reporter {
    switch self {
    case .people: PeopleReporter(isTerminal: Streams.isTerminal)
    case .json: JSONReporter()
    case .quiet: QuietReporter()
    }
  }
}

/// Says nothing but what failed, and what to do about it.
struct QuietReporter: Reporter {
  var interval: Duration? { nil }
  func show(_ event: MirrorEvent) {}
  func show(_ progress: MirrorProgress, elapsed: Duration) {}
  func show(leftOut count: Int) {}

  func show(_ report: MirrorReport) {
    for line in FailureLines.lines(of: report) { Streams.error(line) }
    if report.hasNewUnreadable, let line = Summary.line(forUnreadable: report.unreadable) {
      Streams.error("mirror: \(line)")
    }
    if let advice = Summary.advice(for: report) { Streams.error("mirror: \(advice)") }
  }
}
