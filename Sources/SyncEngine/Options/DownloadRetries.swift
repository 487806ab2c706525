import SyncLock

/// How often a failed download is tried again, and after which pause.
///
/// An item that waits for its next attempt gives up its place among the
/// ``SyncOptions/concurrency`` downloads at once: others start meanwhile, and when it is due, it
/// comes before what is new. While more items wait than may be downloaded at once, nothing new
/// starts. Who asks for a waiting item with ``Synchronizer/ensure(_:)`` has it tried at once,
/// unless the whole stage waits.
public struct DownloadRetries: Sendable {
  /// How often a download is tried in all; at least 1. Default 1: never again.
  public var attempts: Int
  /// What waits before an attempt, and how long; the second attempt has the number 2. It is given
  /// the error of the one before: of a server that says when to come back, wait so long, with the
  /// whole stage. Default: ``doublingPause(random:)``.
  public var pause: @Sendable (_ attempt: Int, _ error: any Error) -> RetryPause
  /// Which errors are worth another attempt. Default: all. Never asked about `CancellationError`
  /// and errors that end the pass.
  public var isWorthwhile: @Sendable (any Error) -> Bool

  /// Rules; the defaults are those of the properties. Fewer attempts than 1 are taken as 1.
  public init(
    attempts: Int = 1,
    pause: @escaping @Sendable (_ attempt: Int, _ error: any Error) -> RetryPause =
      Self.doublingPause(),
    isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) {
    self.attempts = max(attempts, 1)
    self.pause = pause
    self.isWorthwhile = isWorthwhile
  }

  /// Rules with pauses of single items, whatever the error is.
  public init(
    attempts: Int, pause: @escaping @Sendable (_ attempt: Int) -> Duration,
    isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) {
    self.init(
      attempts: attempts, pause: { attempt, _ in .item(pause(attempt)) },
      isWorthwhile: isWorthwhile)
  }

  /// At most 1 s before the second attempt, twice as long before each further one, at most 60 s.
  ///
  /// Each pause lies between half and all of that, so that not all that failed together come back
  /// together.
  ///
  /// - Parameter random: Asked once for each pause, from 0 (half) up to 1 (all). Default: the
  ///   system's random numbers.
  public static func doublingPause(
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) -> @Sendable (_ attempt: Int, _ error: any Error) -> RetryPause {
    let backoff = Backoff(first: .seconds(1), longest: .seconds(60))
    return { attempt, _ in .item(backoff.wait(after: attempt - 1, random: random())) }
  }
}

/// What waits after an attempt that failed, and how long.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum RetryPause: Sendable, Equatable {
  /// The item alone. What isn't positive is no wait.
  case item(Duration)
  /// Everything that the stage would start: a server said when to come back (`Retry-After`). What
  /// is under way goes on.
  case stage(Duration)
}
