import SyncLock

/// So many requests at once, and no more: those for packs and those for single files together,
/// since a download that waits for a pack makes none.
struct RequestTurns: Sendable {
  private let free: Watched<Int>

  init(_ count: Int) { free = Watched(count) }

  /// Does something once it is its turn.
  /// - Throws: `CancellationError`, or what `body` throws.
  func taking<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await free.wait { (free: inout Int) -> Void? in
      guard free > 0 else { return nil }
      free -= 1
      return ()
    }
    defer { free.change { $0 += 1 } }
    return try await body()
  }
}
