/// A wait in wall clock time, with its beginning: a clock that is put back doesn't make it longer.
///
/// Times are milliseconds since 1970.
struct PauseWait: Sendable, Equatable {
  let from: Int64
  let until: Int64

  /// The wait between two times.
  init(from: Int64, until: Int64) {
    self.from = from
    self.until = max(from, until)
  }

  init(_ length: Duration, from now: Int64) {
    let (end, isOver) = now.addingReportingOverflow(length.wholeMilliseconds)
    self.init(from: now, until: isOver ? .max : end)
  }

  /// How much of it is left.
  func remaining(at now: Int64) -> Duration {
    if now >= until { return .zero }
    let (left, isOver) = until.subtractingReportingOverflow(max(now, from))
    return .milliseconds(isOver ? .max : left)
  }

  /// The same wait by a clock that may have been put back since: then what was left begins now.
  func reckoned(at now: Int64) -> PauseWait {
    now < from ? PauseWait(remaining(at: now), from: now) : self
  }

  static func longer(_ one: PauseWait?, _ other: PauseWait?) -> PauseWait? {
    guard let one, let other else { return one ?? other }
    return other.until > one.until ? other : one
  }
}

extension Duration {
  /// Its milliseconds, a fraction counted as a whole one; the most there are, if it has more.
  fileprivate var wholeMilliseconds: Int64 {
    let (seconds, rest) = components
    let (milliseconds, isOver) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !isOver else { return seconds < 0 ? .min : .max }
    let (part, extra) = rest.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    let (sum, isOverAgain) = milliseconds.addingReportingOverflow(part + (extra > 0 ? 1 : 0))
    return isOverAgain ? .max : sum
  }
}
