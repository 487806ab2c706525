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

  @concurrent package func willBecome(_ name: String, _ unsent: UnsentEdits) async throws {
    await endSyncs()
    let before = syncer.processor.place.account
    do {
      try await store.edit { [self] door in
        let decision = try door.becomes(account: name, of: options.server, unsent: unsent)
        if case .refused(let count) = decision { throw AccountProblem.unsentEdits(count) }
        // Within the transaction: what is edited next is theirs.
        syncer.processor.place.account = name
      }
    } catch {
      syncer.processor.place.account = before
      throw error
    }
  }

  @concurrent package func willLeave(_ name: String) async throws {
    await endSyncs()
    try await store.edit { [server = options.server] in
      try $0.leaves(account: name, of: server)
    }
  }

  /// Cancelled, not only waited for: its requests may wait for whoever signs in.
  private func endSyncs() async {
    cancel()
    await scheduler.ended()
  }
}
