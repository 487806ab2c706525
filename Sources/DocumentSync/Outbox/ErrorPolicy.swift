/// What becomes of a change that a server refused, so that it was set aside.
public enum ErrorPolicy: Sendable, Hashable {
  /// It stays as it is, until it's edited, or somebody has it tried again.
  case leave
  /// It's given up: the server's last value is here again, or nothing where the server has none.
  /// What was given up is told as lost.
  case resign
  /// Later syncs try it again, at most so many times, with a pause before each that grows from a
  /// minute to a day. Then it stays as it is.
  case retry(atMost: Int)
  /// Somebody is asked, see ``RefusalDecider``; if nobody is there to answer, it stays as it
  /// is.
  case ask
}

/// When what was set aside is tried again.
struct RetryRule: Sendable, Equatable {
  /// How many times, for one content.
  let limit: Int

  /// Before the first of them; each further pause is twice as long, and none longer than a day.
  private static let first: Int64 = 60_000
  private static let longest: Int64 = 86_400_000

  /// Whether it's to be tried now.
  ///
  /// - Parameters:
  ///   - refusals: how many times the server has refused this content.
  ///   - last: when it did so last, in milliseconds since 1970.
  func isDue(refusals: Int, last: Int64, at now: Int64) -> Bool {
    guard refusals > 0, refusals <= limit else { return false }
    let pause = min(Self.first << Int64(min(refusals - 1, 20)), Self.longest)
    // By a clock that was put back since, nothing can be said of the pause.
    return now >= last + pause || now < last
  }
}
