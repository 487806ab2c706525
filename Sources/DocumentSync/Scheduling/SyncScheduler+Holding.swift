import SyncLock

/// What waits for syncs, and what syncs wait for.
extension SyncScheduler {
  /// Returns when no sync is under way; at once, if who asks is a part of the one that is.
  package func ended() async {
    if SyncMark.isWithin(self) { return }
    try? await state.wait { $0.occasion == nil ? () : nil }
  }

  /// Does what no sync may be under way for: one that wants to begin meanwhile waits for its end.
  ///
  /// Who is a part of a sync isn't kept from it by that one.
  ///
  /// - Returns: What `body` gives; `nil`, without running it, if a sync is under way.
  package func betweenSyncs<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result? {
    let isPart = SyncMark.isWithin(self)
    let isHeld = try await state.wait { state -> Bool? in
      if state.occasion != nil, !isPart { return false }
      if state.isHeld { return nil }
      state.isHeld = true
      return true
    }
    guard isHeld else { return nil }
    defer { state.change { $0.isHeld = false } }
    return try await body()
  }
}
