import SyncLock

/// Has asynchronous work done one piece after the other.
final class Turns: Sendable {
  private let isTaken = Watched(false)

  /// Runs `body` when no other runs. Throws `CancellationError` if the task is cancelled before it
  /// began.
  func alone<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await isTaken.wait { isTaken -> Void? in
      if isTaken { return nil }
      isTaken = true
      return ()
    }
    defer { isTaken.change { $0 = false } }
    return try await body()
  }
}
