extension SyncScheduler {
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
