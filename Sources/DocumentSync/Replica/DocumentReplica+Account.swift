/// What becomes of the store when somebody else signs in, or nobody is signed in any more.
extension DocumentReplica: AccountAttendant {
  package func syncIsWanted() { scheduler.trigger(.signIn) }

  @concurrent package func mayBecome(_ name: String, _ unsent: UnsentEdits) async throws {
    guard unsent == .refuse else { return }
    let count = try await store.read { [server = options.server] in
      try $0.unsent(ofOthersThan: name, at: server)
    }
    guard count == 0 else { throw DocumentError.unsentEdits(count) }
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
    let done: Void? = try await scheduler.betweenSyncs { [self] in
      let before = syncer.processor.place.account
      do {
        try await handover(from: before, to: name, unsent).make(in: store) { [self] _ in
          try turn(to: name, from: before, enter)
        }
      } catch {
        // The transaction's very end may have failed.
        syncer.processor.place.account = before
        throw error
      }
    }
    return done != nil
  }

  @concurrent package func isKnown(
    as name: String, then enter: @escaping @Sendable () -> Void
  ) async throws -> Bool {
    let done: Void? = try await scheduler.betweenSyncs { [self] in
      let before = syncer.processor.place.account
      do {
        try await handover(from: before, to: name, .refuse).adopt(in: store) { [self] _ in
          try turn(to: name, from: before, enter)
        }
      } catch DocumentError.isSyncedElsewhere, DocumentError.unusableFile {
        // What is on its way in another process stays as it is until a sync of ours has its turn.
        syncer.processor.place.adopts = true
        try turn(to: name, from: before, enter)
      } catch {
        syncer.processor.place.account = before
        throw error
      }
    }
    return done != nil
  }

  private func handover(
    from before: String, to name: String, _ unsent: UnsentEdits
  ) -> AccountHandover {
    AccountHandover(
      from: before, to: name, of: options.server, unsent: unsent, storeAt: path,
      routed: syncer.processor.place.routed)
  }

  /// Within the transaction: what is edited next is theirs, and so is the next sync. Where it comes
  /// to nothing, what is edited next, which may wait for the end of the transaction, isn't.
  private func turn(to name: String, from before: String, _ enter: () throws -> Void) throws {
    syncer.processor.place.account = name
    do {
      try enter()
    } catch {
      syncer.processor.place.account = before
      throw error
    }
  }

  @concurrent package func willLeave(_ name: String) async throws {
    await endSyncs()
    try await store.ofAllAccounts.edit { [server = options.server] in
      try $0.leaves(account: name, of: server)
    }
  }

  package func hasLeft() {
    syncer.processor.place.account = options.account
    // What people see is nobody's from now on.
    store.hub.tell(StoreChange(origin: .user, documents: [], isComplete: false))
  }
}
