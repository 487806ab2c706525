/// Decides whether a transfer has stalled: it counts bytes in one span after the other.
///
/// libcurl's own low-speed limit isn't used: it counts on from before a pause as soon as the pause
/// ends, and so cuts a transfer that was only held back by us.
struct StallWatch: Equatable {
  private let limit: StallLimit
  private var count: Int64 = 0
  private var end: Duration?

  /// A watch that isn't running yet.
  init(_ limit: StallLimit) {
    self.limit = limit
  }

  /// Whether it counts.
  var isRunning: Bool { end != nil }

  /// The request goes out, or a pause ended: a new span begins.
  mutating func start(at now: Duration) {
    count = 0
    end = now + limit.span
  }

  /// The receiver paused.
  mutating func stop() {
    end = nil
  }

  /// Bytes came.
  mutating func received(_ bytes: Int) {
    count += Int64(bytes)
  }

  /// Whether the span that ended by now had too few bytes; begins the next one.
  mutating func hasStalled(at now: Duration) -> Bool {
    guard let end, now >= end else { return false }
    let (seconds, attoseconds) = limit.span.components
    let span = Double(seconds) + Double(attoseconds) / 1e18
    guard Double(count) >= Double(limit.bytesPerSecond) * span else { return true }
    start(at: now)
    return false
  }
}
