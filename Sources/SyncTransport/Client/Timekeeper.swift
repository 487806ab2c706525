/// A clock of any kind, in durations since it was taken up.
struct Timekeeper: Sendable {
  /// Time passed since.
  let now: @Sendable () -> Duration
  /// Waits; cancellable.
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }
}
