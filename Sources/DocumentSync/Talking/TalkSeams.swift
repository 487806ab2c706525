import SyncLock

/// What a sync takes from the world: the time, waits, and chance.
struct TalkSeams: Sendable {
  /// What time it is, in milliseconds since 1970.
  var now: @Sendable () -> Int64 = WallClock.milliseconds
  /// Returns after so long; throws when the task is cancelled.
  var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// A number from 0 up to 1.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
}
