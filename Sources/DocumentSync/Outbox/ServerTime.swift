/// What time it is by the clock of a server, where ours is wrong.
///
/// Each answer tells the server's time. As long as that is near to ours, ours counts. A difference
/// beyond a limit counts once a second answer agrees with the first: so the clock of a portal that
/// spoke in between moves nothing. One that was wrongly believed is put right in the same way. What
/// doesn't seem to be the service's own answer isn't told here at all: see ``CallNotes/date``.
///
/// Times and differences are milliseconds; times since 1970.
struct ServerTime: Sendable, Equatable {
  /// The largest difference that makes no difference.
  private static let tolerance: Int64 = 120_000
  /// By how much one that counts must change before that is noted: a date in an answer has no more
  /// than seconds.
  private static let grain: Int64 = 2_000

  /// An answer's date, and when its request was made and it came, by our clock.
  struct Heard: Sendable, Equatable {
    let date: Int64
    let sentAt: Int64
    let receivedAt: Int64
  }

  /// How far the server's clock is ahead of ours; 0 where ours counts.
  private(set) var ahead: Int64 = 0
  /// A difference that one answer told of, and that no second one has agreed with.
  private(set) var doubted: Int64?

  /// Our clock counts.
  init() {}

  /// What a store kept.
  init(ahead: Int64, doubted: Int64?) {
    self.ahead = ahead
    self.doubted = doubted
  }

  /// An answer came. One that took so long that nobody knows when it was given tells nothing, nor
  /// does one during which our clock was put back.
  mutating func heard(_ answer: Heard) {
    let (trip, isOver) = answer.receivedAt.subtractingReportingOverflow(answer.sentAt)
    guard !isOver, trip >= 0, trip / 2 <= Self.tolerance else { return }
    let (told, isFar) = answer.date.subtractingReportingOverflow(answer.receivedAt - trip / 2)
    guard !isFar else { return }
    if told.isNear(ahead, within: Self.tolerance) {
      doubted = nil
      take(told)
    } else if let doubted, told.isNear(doubted, within: Self.tolerance) {
      self.doubted = nil
      take(told)
    } else {
      doubted = told
    }
  }

  /// The time to write on a change that is made now, later than the last one that was given.
  ///
  /// Where the last one is of a clock that was wrongly believed, or that was put back, those after
  /// it go up by a millisecond each, until the time has caught up: so changes here keep the order
  /// in which they were made. Until then they win over what others change at the same time, which
  /// is told as a loss; going back would let what is changed here lose to what it was changed from.
  func stamp(at now: Int64, after last: Int64?) -> Int64 {
    let (time, isOver) = now.addingReportingOverflow(ahead)
    let present = isOver ? now : time
    guard let last, last >= present, last < .max else { return present }
    return last + 1
  }

  private mutating func take(_ told: Int64) {
    let counts = told.isNear(0, within: Self.tolerance) ? 0 : told
    if counts == 0 || !counts.isNear(ahead, within: Self.grain - 1) { ahead = counts }
  }
}

extension Int64 {
  fileprivate func isNear(_ other: Int64, within tolerance: Int64) -> Bool {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return !isOver && difference.magnitude <= tolerance.magnitude
  }
}

extension Duration {
  var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
