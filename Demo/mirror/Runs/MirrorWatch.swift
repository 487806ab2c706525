import CatalogMirror
import Console

/// What `watch` does and tells: one line a run.
struct MirrorWatch: WatchWork {
  private let source: ConfigurationSource?
  private let client = MirrorClient()
  private let metrics: MetricsFile?
  private let lines: WatchLines
  /// How many run at once, by the configuration that holds.
  private let width: Locked<Int>
  private let folders = KnownFolders()

  init(_ configuration: MirrorConfiguration, _ source: ConfigurationSource?) {
    self.source = source
    metrics = configuration.metrics
    lines = WatchLines(style: configuration.whole.style, namesMirrors: source != nil)
    width = Locked(configuration.width)
  }

  func run(_ job: WatchJob<ConfiguredMirror>) async -> RunEnd {
    let runs = width.withLock { $0 }
    var mirror = MirrorJob(
      job.name, job.settings.invocation(ofRunsAtOnce: runs), sharing: client, metrics: metrics)
    mirror.wasMirror = await folders.look(at: mirror.invocation.mirror)
    let end = await run(mirror)
    await folders.look(at: mirror.invocation.mirror)
    return end
  }

  private func run(_ mirror: MirrorJob) async -> RunEnd {
    let reporter = mirror.invocation.reporterOfWatch
    guard source != nil else { return await mirror.run(reporter) }
    return await Subject.$current.withValue(Subject(program: "mirror", "mirror", mirror.name)) {
      await mirror.run(reporter)
    }
  }

  func isFailure(_ end: RunEnd) -> Bool { end.isFailure }

  func tell(_ event: WatchEvent<ConfiguredMirror, RunEnd>) {
    lines.tell(event)
  }

  /// What holds for the whole process, as the file of metrics, stays as it is.
  func reload() async throws -> WatchOrder<ConfiguredMirror>? {
    guard let configuration = try source?.read() else { return nil }
    metrics?.keep(configuration.known)
    width.withLock { $0 = configuration.width }
    return configuration.order
  }
}

/// Shows nothing: what a run came to is told when it has ended.
struct SilentReporter: Reporter {
  var interval: Duration? { nil }
  var showsEvents: Bool { false }
  var tellsFailures: Bool { false }
  func show(_ event: MirrorEvent) {}
  func show(_ progress: MirrorProgress, elapsed: Duration) {}
  func show(leftOut count: Int) {}
  func show(_ report: MirrorReport) {}
}
