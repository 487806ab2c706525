/// How often something is run.
public struct WatchTiming: Equatable, Sendable {
  /// From the beginning of one run to that of the next.
  public var interval: Duration
  /// The longest that it may become while runs fail; no less than ``interval``.
  public var longest: Duration

  /// A timing of these.
  public init(interval: Duration, longest: Duration) {
    self.interval = interval
    self.longest = max(longest, interval)
  }

  /// The interval after so many runs in a row that failed: doubled with each of them, up to the
  /// longest.
  public func interval(afterFailures failures: Int) -> Duration {
    var (wait, left) = (interval, failures)
    while left > 0, wait > .zero, wait < longest {
      wait = min(longest, wait * 2)
      left -= 1
    }
    return wait
  }

  /// When the next run is due: about an interval after the last one began, a tenth of it earlier or
  /// later, so that many who began together don't go on together; but after the last one ended
  /// there is a rest of a tenth.
  /// - Parameter random: from 0 up to 1.
  public func due(
    began: Duration, ended: Duration, failures: Int, random: Double
  ) -> Duration {
    let wait = interval(afterFailures: failures)
    let thousandths = 900 + Int(200 * min(max(0, random), 1))
    return max(began + wait * thousandths / 1_000, ended + wait / 10)
  }
}

/// Something that is run again and again.
public struct WatchJob<Settings: Equatable & Sendable>: Equatable, Sendable {
  /// Told from others by it.
  public var name: String
  public var timing: WatchTiming
  /// How it is run.
  public var settings: Settings

  /// A job of that name.
  public init(_ name: String, _ timing: WatchTiming, _ settings: Settings) {
    self.name = name
    self.timing = timing
    self.settings = settings
  }
}

/// What is to be watched.
public struct WatchOrder<Settings: Equatable & Sendable>: Equatable, Sendable {
  public var jobs: [WatchJob<Settings>]
  /// The most runs at once.
  public var atOnce: Int

  /// An order of these jobs, each of another name.
  public init(_ jobs: [WatchJob<Settings>], atOnce: Int) {
    self.jobs = jobs
    self.atOnce = max(1, atOnce)
  }
}
