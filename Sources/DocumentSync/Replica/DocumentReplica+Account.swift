/// What becomes of the store when somebody else signs in, or nobody is signed in any more.
extension DocumentReplica: AccountAttendant {
  package func syncIsWanted() { scheduler.trigger(.signIn) }

  @concurrent package func mayBecome(_ name: String, _ unsent: UnsentEdits) async throws {
    guard unsent == .refuse else { return }
    let count = try await store.read { [server = options.server] in
      try $0.unsent(ofOthersThan: name, at: server)
    }
    guard count == 0 else { throw AccountProblem.unsentEdits(count) }
  }

  @concurrent package func endSyncs() async {
    // Who is a part of a sync doesn't end it: they would be ended with it.
    guard !SyncMark.isWithin(scheduler) else { return }
    // Cancelled, not only waited for: its requests may wait for whoever signs in.
    cancel()
    await scheduler.ended()
  }

  @concurrent package func becomes(
    _ name: String, _ unsent: UnsentEdits, then enter: @escaping @Sendable () throws -> Void
  ) async throws -> Bool {
    try await unlessSyncing { [self] before, isSyncing in
      let handover = AccountHandover(
        from: before, to: name, of: options.server, unsent: unsent, storeAt: path)
      try await handover.make(in: store) { [self] _ in
        try turn(to: name, from: before, isSyncing, enter)
      }
    }
  }

  @concurrent package func isKnown(
    as name: String, then enter: @escaping @Sendable () -> Void
  ) async throws -> Bool {
    try await unlessSyncing { [self] before, isSyncing in
      try await store.edit { [self] door in
        try door.adopts(account: name, of: options.server)
        try turn(to: name, from: before, isSyncing, enter)
      }
    }
  }

  /// Within the transaction: what is edited next is theirs, and so is the next sync. Where it comes
  /// to nothing, what is edited next, which may wait for the end of the transaction, isn't.
  private func turn(
    to name: String, from before: String, _ isSyncing: () -> Bool, _ enter: () throws -> Void
  ) throws {
    syncer.processor.place.account = name
    do {
      if isSyncing() { throw SyncTurn.Problem.taken }
      try enter()
    } catch {
      syncer.processor.place.account = before
      throw error
    }
  }

  /// Does what no sync of this replica may be under way for: answers whether it was done. That
  /// another process syncs is an error.
  private func unlessSyncing(
    _ body: (_ before: String, _ isSyncing: @escaping @Sendable () -> Bool) async throws -> Void
  ) async throws -> Bool {
    // Asked here: what runs in the store isn't known to be a part of a sync.
    let isPart = SyncMark.isWithin(scheduler)
    let (before, last) = (syncer.processor.place.account, scheduler.lastNumber)
    let isSyncing: @Sendable () -> Bool = { [scheduler] in !isPart && scheduler.isSyncing }
    if isSyncing() { return false }
    do {
      try await body(before, isSyncing)
      return true
    } catch {
      // The transaction's very end may have failed.
      syncer.processor.place.account = before
      // One that has ended meanwhile was in the way, too.
      let isOurs = isSyncing() || scheduler.lastNumber != last
      guard case SyncTurn.Problem.taken = error, isOurs else { throw error }
      return false
    }
  }

  @concurrent package func willLeave(_ name: String) async throws {
    await endSyncs()
    try await store.edit { [server = options.server] in
      try $0.leaves(account: name, of: server)
    }
  }
}

extension SyncScheduler {
  /// Whether a sync is under way.
  fileprivate var isSyncing: Bool { state.state.occasion != nil }

  /// The number of the sync that began last; 0 before the first.
  fileprivate var lastNumber: Int { state.state.lastNumber }
}
