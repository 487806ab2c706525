/// A collection of which the store holds what a filter lets through.
extension PullRun {
  /// Asks for a page of the list.
  ///
  /// - Parameter ofIDs: whether it's enough to name the documents.
  func list(
    from place: ChangesPlace, ofIDs: Bool
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await session.ask(
      about: scope.collection, notes: \EndpointReply<ChangesAnswer>.notes
    ) {
      guard let filter else { return try await endpoint.changes(in: scope.collection, from: place) }
      if ofIDs {
        return try await endpoint.ids(in: scope.collection, from: place, matching: filter)
      }
      return try await endpoint.changes(in: scope.collection, from: place, matching: filter)
    }
  }

  /// What a list that begins may show to have left the filter; `nil` without one. It's asked for
  /// before the list is: what is sent meanwhile, and comes too late for it, stays.
  func candidates() async throws -> Set<DocumentID>? {
    guard filter != nil else { return nil }
    return try await store.sync { try $0.candidates(in: scope) }
  }

  /// A whole list of what the filter lets through came, unless something of it is unknown.
  func wholeListEnded(_ comparison: ListComparison?, _ wasAskedFor: Bool) async throws {
    guard filter != nil, !(comparison?.isUncertain ?? false) else { return }
    try await store.sync { [now = session.seams.now()] editor in
      // Where each list is a whole one, most syncs write nothing.
      guard try wasAskedFor || editor.isListDue(of: scope, at: now) else { return }
      try editor.listed(scope, at: now)
    }
  }

  /// Whether all that the filter lets through is to be listed after a list of this extent.
  func isListToFollow(_ extent: ChangePage.Extent?) async throws -> Bool {
    guard filter != nil, extent != .everything else { return false }
    if listsAnyhow { return true }
    return try await store.sync { [now = session.seams.now()] in
      try $0.isListDue(of: scope, at: now)
    }
  }
}
