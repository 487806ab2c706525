/// What a program answers its caller; the same numbers in all of our programs.
public enum ExitStatus: Int32, CaseIterable, Sendable {
  /// All is as it was asked for.
  case done = 0
  /// The whole failed.
  case failed = 1
  /// Some items failed; the others are done.
  case someFailed = 2
  /// What was asked for would remove or replace too much, and nothing was changed.
  case refused = 3
  /// The command line can't be understood.
  case usage = 64
  /// Another run holds what is to be worked on.
  case locked = 75
  /// A person or a signal ended it.
  case cancelled = 130

  /// The status of several runs together: the one of those that a person has to know of first.
  public static func ofAll(_ statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let order: [ExitStatus] = [.cancelled, .usage, .failed, .refused, .locked, .someFailed]
    let met = Set(statuses)
    return order.first(where: met.contains) ?? .done
  }
}
