import CatalogMirror

/// Shows a run in one of the styles. Called from one task.
protocol Reporter: Sendable {
  /// How often progress is shown; `nil` for never.
  var interval: Duration? { get }
  /// Something happened.
  func show(_ event: MirrorEvent)
  /// How far the run is, and how fast it has been so far.
  func show(_ progress: MirrorProgress, elapsed: Duration)
  /// The run ended.
  func show(_ report: MirrorReport)
}

extension Invocation.Style {
  /// The reporter of this style.
  var reporter: any Reporter {
    switch self {
    case .people: PeopleReporter(isTerminal: Console.isTerminal)
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

  func show(_ report: MirrorReport) {
    for failure in report.failures { Console.error(failure.line) }
    if report.hasNewUnreadable, let line = Summary.line(forUnreadable: report.unreadable) {
      Console.error("mirror: \(line)")
    }
    if let advice = Summary.advice(for: report) { Console.error("mirror: \(advice)") }
  }
}

extension MirrorReport.Failure {
  /// The failure as a line of its own.
  var line: String {
    let subject = key.map { $0.isEmpty ? "" : "\($0): " } ?? ""
    return Console.sentence("mirror: \(subject)\(sentence)")
  }
}
