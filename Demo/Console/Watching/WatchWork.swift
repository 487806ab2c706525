/// What is done again and again, and who is told of it.
public protocol WatchWork: Sendable {
  associatedtype Settings: Equatable & Sendable
  associatedtype Outcome: Sendable

  /// Runs a job. Called for several at once, but never for one whose last run hasn't ended. When
  /// the calling task is cancelled, it ends soon.
  func run(_ job: WatchJob<Settings>) async -> Outcome
  /// Whether the next runs are to come more seldom.
  func isFailure(_ outcome: Outcome) -> Bool
  /// Something happened. Runs that end at once may tell it at once.
  func tell(_ event: WatchEvent<Settings, Outcome>)
  /// The order anew, when that was asked for; `nil` where there is none to be read. An error leaves
  /// the old one in force, and is told.
  func reload() async throws -> WatchOrder<Settings>?
}

/// Something that happened in a watch.
public enum WatchEvent<Settings: Equatable & Sendable, Outcome: Sendable>: Sendable {
  /// It begins.
  case began(WatchCounts)
  /// A run ended; `next` is `nil` where there is no next one.
  case ended(WatchJob<Settings>, Outcome, next: WatchNext?)
  /// Another order holds.
  case reloaded(WatchChange)
  /// There is nothing to reload.
  case nothingToReload
  /// The new order can't be read; the old one holds.
  case notReloaded(any Error)
}

/// When a job is run again.
public struct WatchNext: Equatable, Sendable {
  /// From now on.
  public var wait: Duration
  /// How many runs in a row have failed; the more, the longer the wait.
  public var failures: Int
}

/// What another order changed, by the names of the jobs.
public struct WatchChange: Equatable, Sendable {
  public var added: [String] = []
  public var changed: [String] = []
  public var removed: [String] = []
}

/// How a watch stands.
public struct WatchCounts: Equatable, Sendable {
  public var jobs: Int
  /// Runs under way.
  public var running: Int
  /// Jobs whose last run failed.
  public var failing: Int

  /// In a few words.
  public var text: String { "\(jobs) watched, \(running) running, \(failing) failing" }
}
