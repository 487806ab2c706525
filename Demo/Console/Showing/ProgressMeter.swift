import SyncSystem

/// Makes of what a program tells, time after time, what a person wants to see: a per cent that
/// never goes back, and a rate that is calm.
public struct ProgressMeter: Equatable, Sendable {
  /// What is to be seen at a moment.
  public struct Reading: Equatable, Sendable {
    public var progress: WorkProgress
    /// Whole per cent of the work, rounded down; `nil` where nobody knows how much there is.
    public var percent: Int?
    /// Bytes a second, over the last while; `nil` before there is one to speak of.
    public var rate: Double?
    /// `nil` where it can't be guessed.
    public var timeLeft: Duration?
  }

  /// What was done longer ago than this counts little.
  private static let memory = 5.0
  /// Before this, nothing is guessed from a rate.
  private static let patience = 1.5

  private var percent = 0
  private var last: WorkProgress.Amount?
  private var lastAt = 0.0
  /// Bytes, items and seconds, each the less, the longer ago it was.
  private var bytes = 0.0
  private var items = 0.0
  private var seconds = 0.0
  /// How long this work has been measured.
  private var measured = 0.0

  public init() {}

  /// Takes how far the work is at a moment after its beginning.
  public mutating func read(_ progress: WorkProgress, at moment: Duration) -> Reading {
    guard let amount = progress.amount else { return Reading(progress: progress) }
    measure(amount, at: moment / .seconds(1))
    let share = amount.share
    percent = max(percent, Int((share ?? 0) * 100))
    let isKnown = measured >= Self.patience && seconds > 0
    let rate = isKnown ? bytes / seconds : nil
    return Reading(
      progress: progress, percent: share == nil ? nil : percent, rate: rate,
      timeLeft: isKnown ? timeLeft(of: amount) : nil)
  }

  private mutating func measure(_ amount: WorkProgress.Amount, at now: Double) {
    defer { (last, lastAt) = (amount, now) }
    guard let last, now > lastAt else { return }
    let passed = now - lastAt
    let fading = exp(-passed / Self.memory)
    // A body that starts over takes bytes back; they weren't done in no time.
    bytes = bytes * fading + Double(max(0, amount.bytesDone - last.bytesDone))
    items = items * fading + Double(max(0, amount.itemsDone - last.itemsDone))
    seconds = seconds * fading + passed
    measured += passed
  }

  private func timeLeft(of amount: WorkProgress.Amount) -> Duration? {
    let left: Double
    let rate: Double
    if let total = amount.bytesTotal, total > amount.bytesDone {
      (left, rate) = (Double(total - amount.bytesDone), bytes / seconds)
    } else if let total = amount.itemsTotal, total > amount.itemsDone {
      (left, rate) = (Double(total - amount.itemsDone), items / seconds)
    } else {
      return nil
    }
    guard rate > 0, left / rate < 1e9 else { return nil }
    return .seconds(left / rate)
  }
}
