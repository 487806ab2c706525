/// Decides whether a transfer is too slow: in one span after the other, and on the whole.
///
/// libcurl's own low-speed limit isn't used: it counts on from before a pause as soon as the pause
/// ends, and so cuts a transfer that was only held back by us.
struct TransferWatch: Equatable {
  private let stallLimit: StallLimit
  private let paceLimit: PaceLimit?
  private var count: Int64 = 0
  /// When the present span ends; `nil` while nobody waits for bytes.
  private var end: Duration?
  /// How long bytes were waited for, before the present stretch, and since when that lasts.
  private var waited = Duration.zero
  private var since = Duration.zero

  enum Verdict: Equatable {
    /// Too few bytes in a span.
    case stalled
    /// Too few bytes for the time that it took so far.
    case tooSlow
  }

  init(_ stallLimit: StallLimit, _ paceLimit: PaceLimit?) {
    self.stallLimit = stallLimit
    self.paceLimit = paceLimit
  }

  /// The request goes out, or a pause ended: a new span begins.
  mutating func start(at now: Duration) {
    if end != nil { waited += now - since }
    since = now
    count = 0
    end = now + stallLimit.span
  }

  mutating func stop(at now: Duration) {
    if end != nil { waited += now - since }
    end = nil
  }

  /// Between these moments nobody could have taken any bytes: the time doesn't count.
  mutating func forgive(from begin: Duration, to now: Duration) {
    guard end != nil else { return }
    waited += max(.zero, begin - since)
    end = nil
    start(at: now)
  }

  mutating func moved(_ bytes: Int) {
    count += Int64(bytes)
  }

  /// What is wrong by now; begins the next span when the present one is over.
  ///
  /// - Parameter delivered: The bytes of bodies that came and went, in all.
  mutating func verdict(at now: Duration, delivered: Int64) -> Verdict? {
    guard let end else { return nil }
    if let limit = paceLimit, waited + (now - since) > limit.time(for: delivered) {
      return .tooSlow
    }
    guard now >= end else { return nil }
    guard Double(count) >= Double(stallLimit.bytesPerSecond) * stallLimit.span.inSeconds else {
      return .stalled
    }
    start(at: now)
    return nil
  }
}
