/// A clock whose instants are durations since it was taken up, so that decisions can be plain
/// values whatever clock is injected. The one type of this package for that.
package struct Timeline: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let rest: @Sendable (Duration, Duration?) async throws -> Void

  /// The clock, taken up now.
  package init(_ clock: some Clock<Duration>) {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    rest = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: $1) }
  }

  /// The time that has passed since.
  package var now: Duration { elapsed() }

  /// Returns when `now` has reached `deadline`, at most `tolerance` later if the system likes;
  /// throws when the task is cancelled.
  package func sleep(until deadline: Duration, tolerance: Duration? = nil) async throws {
    try await rest(deadline, tolerance)
  }

  /// Returns after so long; throws when the task is cancelled.
  package func sleep(for duration: Duration) async throws {
    try await sleep(until: now + duration)
  }
}
