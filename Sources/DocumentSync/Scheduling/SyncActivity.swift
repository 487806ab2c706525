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

/// Counts calls that are under way, so that the beginning and the end of activity are told once
/// each, however many there are.
struct ActivityCount: Sendable, Equatable {
  private(set) var underWay = 0

  /// A call began: answers whether activity did.
  mutating func began() -> Bool {
    underWay += 1
    return underWay == 1
  }

  /// A call ended: answers whether activity did.
  mutating func ended() -> Bool {
    guard underWay > 0 else { return false }
    underWay -= 1
    return underWay == 0
  }
}
