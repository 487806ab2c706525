import CatalogMirror
import Console

/// Shows a run in one of the styles.
protocol Reporter: Sendable {
  var interval: Duration? { get }
  /// Whether events are shown at all: to hand over several for each file costs something. Default:
  /// yes.
  var showsEvents: Bool { get }
  func show(_ event: MirrorEvent)
  /// How far the run is, and how long it has taken so far.
  func show(_ progress: MirrorProgress, elapsed: Duration)
  /// So many events weren't shown, since nobody read in time.
  func show(leftOut count: Int)
  func show(_ report: MirrorReport)
  /// Whether a run that couldn't begin is told of. Default: yes.
  var tellsFailures: Bool { get }
}

extension Reporter {
  var showsEvents: Bool { true }
  var tellsFailures: Bool { true }
}

extension Invocation {
  /// Shows a run: on the screen in the style that was asked for, and in the log.
  var reporter: any Reporter { reporter(at: pace) }

  /// Shows the run of one mirror among others: without a live line, which each would draw over the
  /// others'.
  var reporterOfMany: any Reporter { reporter(at: showsProgress ? .minutely : .never) }

  /// Shows a run of `watch`, which says itself what each came to: only the log has the rest.
  var reporterOfWatch: any Reporter {
    logFile == nil ? SilentReporter() : LoggingReporter(SilentReporter(), logsReports: false)
  }

  private func reporter(at pace: ProgressDisplay.Pace) -> any Reporter {
    let screen: any Reporter =
      switch style {
      case .people: PeopleReporter(ProgressDisplay(pace), isVerbose: isVerbose)
      case .json: JSONReporter()
      case .quiet: QuietReporter()
      }
    return logFile == nil ? screen : LoggingReporter(screen)
  }
}

/// Says nothing but what failed, what to do about it, and that somebody's files were put aside.
struct QuietReporter: Reporter {
  var interval: Duration? { nil }
  var showsEvents: Bool { false }
  func show(_ event: MirrorEvent) {}
  func show(_ progress: MirrorProgress, elapsed: Duration) {}
  func show(leftOut count: Int) {}

  func show(_ report: MirrorReport) {
    for line in FailureLines.lines(of: report) { Streams.error(line) }
    if let line = Summary.line(forDisplaced: report.displaced) { Streams.error("mirror: \(line)") }
    if report.hasNewUnreadable {
      for line in Summary.lines(forUnreadable: report.unreadable) {
        Streams.error("mirror: \(line)")
      }
    }
    if let advice = Summary.advice(for: report) { Streams.error("mirror: \(advice)") }
  }
}

/// Writes all that happened to the log, whatever another one shows of it.
struct LoggingReporter: Reporter {
  private let screen: any Reporter
  private let logsReports: Bool

  /// - Parameter logsReports: whether the log says what a run came to, or somebody else has it do
  ///   so.
  init(_ screen: any Reporter, logsReports: Bool = true) {
    self.screen = screen
    self.logsReports = logsReports
  }

  var interval: Duration? { screen.interval }
  var tellsFailures: Bool { screen.tellsFailures }

  func show(_ progress: MirrorProgress, elapsed: Duration) {
    screen.show(progress, elapsed: elapsed)
  }

  func show(leftOut count: Int) { screen.show(leftOut: count) }

  func show(_ event: MirrorEvent) {
    screen.show(event)
    let lines = [event.deed, event.retry, event.failure].compactMap { $0 } + event.notices
    for line in lines { Streams.log(line, .counted) }
  }

  func show(_ report: MirrorReport) {
    screen.show(report)
    guard logsReports else { return }
    for failure in report.failures where failure.key == nil {
      Streams.log(Sentence.ending(failure.told))
    }
    for line in Summary.lines(forUnreadable: report.unreadable) { Streams.log(line) }
    for remark in report.remarks { Streams.log("\(remark)") }
    if let text = Summary.text(for: report) { Streams.log(text) }
    if let advice = Summary.advice(for: report) { Streams.log(advice) }
  }
}
