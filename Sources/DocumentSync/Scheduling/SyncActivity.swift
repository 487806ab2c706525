import SyncLock

/// Whether anything is under way: its beginning and its end are told once each, also with several
/// calls under way.
public final class SyncActivity: Sendable {
  private let count = Locked(ActivityCount())
  private let newest = Newest(false, tellsEach: true)

  init() {}

  /// Whether anything is under way, first now and then each change, as a stream of its own for each
  /// reader.
  public var states: AsyncStream<Bool> { newest.values }

  func began() {
    // Laid down under the lock, so that nobody hears of the end first; told after it.
    count.withLock { $0.began() ? newest.put(true) : Wakeups() }.tell()
  }

  func ended() {
    count.withLock { $0.ended() ? newest.put(false) : Wakeups() }.tell()
  }

  /// Counts as a call for as long as `body` runs.
  package func during<Result: Sendable>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    began()
    defer { ended() }
    return try await body()
  }
}
