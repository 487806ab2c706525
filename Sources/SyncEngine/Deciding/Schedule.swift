/// Decides when the runs of a schedule begin: on every interval, and ever less often while they
/// fail.
struct Schedule: Equatable {
  private let interval: Duration
  private let longest: Duration
  private let first: Duration
  /// When the last run began.
  private var last: Duration?
  /// How long after it the next one begins.
  private var wait: Duration

  /// - Parameters:
  ///   - longest: The longest wait after runs that failed; no shorter than the interval.
  ///   - first: When the first run begins.
  init(every interval: Duration, backingOffTo longest: Duration, from first: Duration) {
    self.interval = interval
    self.longest = max(interval, longest)
    self.first = first
    wait = interval
  }

  /// When the next run begins: of the times that are past, only the last one still counts.
  mutating func next(after now: Duration) -> Duration {
    let due = last.map { $0 + wait } ?? first
    let missed = due < now ? Int64((now - due) / interval) : 0
    let next = due + interval * missed
    last = next
    return next
  }

  /// The run that began last has ended.
  mutating func runEnded(well: Bool) { wait = well ? interval : min(wait * 2, longest) }
}
