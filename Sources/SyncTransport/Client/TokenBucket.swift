/// Decides how long to wait so that, on average, no more than a rate goes through. One second's
/// worth may go at once.
struct TokenBucket: Equatable {
  private let bytesPerSecond: Double
  private var level: Double
  private var last: Duration?

  /// A full bucket; a rate below 1 counts as 1.
  init(bytesPerSecond: Int64) {
    self.bytesPerSecond = Double(max(1, bytesPerSecond))
    level = self.bytesPerSecond
  }

  /// Bytes went through: how long nothing may follow.
  mutating func spend(_ bytes: Int, at now: Duration) -> Duration {
    if let last, now > last {
      level = min(bytesPerSecond, level + (now - last).inSeconds * bytesPerSecond)
    }
    last = now
    level -= Double(bytes)
    return level >= 0 ? .zero : .seconds(-level / bytesPerSecond)
  }
}
