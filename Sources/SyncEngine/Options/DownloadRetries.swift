/// How often a failed download is tried again, and after which pause.
///
/// A download that waits for its next attempt keeps its place among the
/// ``SyncOptions/concurrency`` downloads at once.
public struct DownloadRetries: Sendable {
  /// How often a download is tried in all; at least 1. Default 1: never again.
  public var attempts: Int
  /// How long to wait before an attempt; the second has the number 2. Default: doubling from 1 s,
  /// at most 60 s. For a pause that differs from device to device, give a random one.
  public var pause: @Sendable (_ attempt: Int) -> Duration
  /// Which errors are worth another attempt. Default: all. Never asked about `CancellationError`
  /// and errors that end the pass.
  public var isWorthwhile: @Sendable (any Error) -> Bool

  /// Rules; the defaults are those of the properties. Fewer attempts than 1 are taken as 1.
  public init(
    attempts: Int = 1,
    pause: @escaping @Sendable (_ attempt: Int) -> Duration = Self.doublingPause,
    isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) {
    self.attempts = max(attempts, 1)
    self.pause = pause
    self.isWorthwhile = isWorthwhile
  }

  /// 1 s before the second attempt, twice as long before each further one, at most 60 s.
  public static func doublingPause(_ attempt: Int) -> Duration {
    .seconds(attempt < 8 ? min(60, 1 << max(attempt - 2, 0)) : 60)
  }
}
