/// A server that lost its data.
extension DocumentReplica {
  /// Sends what the server had and has no more, as new documents. Each is looked for just before,
  /// so that none is sent of which the server knows a deletion; that none is sent over one that is
  /// there by then, a server that holds conditions sees to. Nothing is taken from the server, and
  /// what wasn't at the server before is sent as by a sync that only sends.
  ///
  /// For a server that was flushed, or restored from a backup, before a sync has taken over what it
  /// forgot: as long as too much would be removed at once, a sync removes nothing, and names this
  /// call (``DocumentReport/refusedRemovals``).
  ///
  /// - Parameters:
  ///   - newer: whether what the server has in an older version than it had is sent, too, in the
  ///     place of that, which is told as lost. By default it's only told
  ///     (``DocumentReport/older``), and the next sync takes it.
  ///   - wishes: what else is wanted, but for the ways that documents travel.
  /// - Throws: as ``sync(_:)``; ``DocumentError/makesKeys(_:)``, before anything is changed, where
  ///   the server makes the ids of a collection itself.
  @discardableResult
  public func republish(
    newer: Bool = false, _ wishes: SyncWishes = SyncWishes()
  ) async throws -> DocumentReport {
    var wishes = wishes
    wishes.ways = .push
    wishes.republishing = newer ? .newer : .lacking
    return try await sync(wishes)
  }
}
