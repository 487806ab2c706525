/// A command of the user's, run by `/bin/sh -c` when something has happened.
public struct Hook: Equatable, Sendable {
  public var command: String
  /// How long it may take.
  public var limit: Duration
  /// How long it has to end in good order when its time is over.
  public var grace: Duration

  /// A command with its limits.
  public init(_ command: String, limit: Duration, grace: Duration = .seconds(5)) {
    self.command = command
    self.limit = limit
    self.grace = grace
  }

  /// How long it has to end once it is told to, and why. A program that a signal ends has two
  /// seconds for everything.
  func grace(for reason: HookEnd) -> Duration {
    reason == .cancelled ? min(grace, .milliseconds(1_500)) : grace
  }
}

/// How a hook ended.
public enum HookEnd: Equatable, Sendable {
  case succeeded
  case exited(Int32)
  case killed(by: Int32)
  /// It was ended, since it took longer than this.
  case overdue(Duration)
  /// It was ended together with what it belongs to.
  case cancelled
  /// It has ended, and nobody can tell how: this process ignores the ends of its children.
  case lost
  /// It couldn't be started, for this reason of the system's.
  case notStarted(String)

  /// What went wrong, as the rest of a sentence that begins with the hook's name; `nil` when
  /// nothing did.
  public var trouble: String? {
    switch self {
    case .succeeded: nil
    case .exited(127): "ended with status 127: the shell didn't find the command; check its name"
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .overdue(let limit): "took longer than \(limit.components.seconds) s and was ended"
    case .cancelled: "was ended, as the run was cancelled"
    case .lost:
      """
      ended, and nobody can tell how; see to it that SIGCHLD isn't ignored where this program is \
      started
      """
    case .notStarted(let reason): "couldn't be started: \(reason)"
    }
  }

  /// What the status of a process that was waited for says; `nil` where nobody got it.
  init(status: Int32?) {
    guard let status else {
      self = .lost
      return
    }
    switch status & 0x7F {
    case 0: self = status >> 8 & 0xFF == 0 ? .succeeded : .exited(status >> 8 & 0xFF)
    case let signal: self = .killed(by: signal)
    }
  }
}
