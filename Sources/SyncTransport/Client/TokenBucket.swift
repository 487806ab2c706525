/// Decides how long to wait so that, on average, no more than a rate goes through. One second's
/// worth may go at once.
///
/// A body that has come can't be held back any more: of many small ones, each is waited for before
/// it is asked for. Its size isn't known by then, so what bodies had of late is set aside.
struct TokenBucket: Equatable {
  /// Whether a body may be asked for.
  enum Admission: Equatable {
    /// It may, and so many bytes are set aside for it.
    case now(deposit: Int)
    /// After this time it can be asked again.
    case later(Duration)
  }

  private let bytesPerSecond: Double
  private var level: Double
  private var last: Duration?
  /// What a body had of late.
  private var usual: Double

  /// What a body is taken for before any has come: 16 KiB.
  private static let firstGuess = 16_384.0
  /// How much the last body counts in what is usual.
  private static let weight = 0.2

  /// A full bucket; a rate below 1 counts as 1.
  init(bytesPerSecond: Int64) {
    self.bytesPerSecond = Double(max(1, bytesPerSecond))
    level = self.bytesPerSecond
    usual = min(Self.firstGuess, self.bytesPerSecond)
  }

  /// A body is about to be asked for. Tell the bucket of its end, if it is.
  mutating func admit(at now: Duration) -> Admission {
    fill(at: now)
    // Less than a byte is what rounding makes of nothing.
    guard level > -1 else { return .later(.seconds(-level / bytesPerSecond)) }
    let deposit = Int(usual)
    level -= Double(deposit)
    return .now(deposit: deposit)
  }

  /// Bytes went through, beyond what was set aside: how long nothing may follow.
  mutating func spend(_ bytes: Int, at now: Duration) -> Duration {
    fill(at: now)
    level -= Double(bytes)
    return level >= 0 ? .zero : .seconds(-level / bytesPerSecond)
  }

  /// A body has ended: so many bytes came of it, and so many that were set aside weren't used.
  mutating func end(received: Int64, unused deposit: Int) {
    level += Double(deposit)
    guard received > 0 else { return }
    usual += (min(Double(received), bytesPerSecond) - usual) * Self.weight
  }

  private mutating func fill(at now: Duration) {
    if let last, now > last {
      level = min(bytesPerSecond, level + (now - last).inSeconds * bytesPerSecond)
    }
    last = now
  }
}
