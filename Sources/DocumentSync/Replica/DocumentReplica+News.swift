import SyncLock

/// News that a server tells by itself.
extension DocumentReplica {
  /// Makes a sync as soon as the server may have news, until the task is cancelled or the replica
  /// is closed. Edits here, and the network's return, ``scheduler`` sees to beside it.
  ///
  /// Where the server can't be waited for, it's tried again after a second, and each time after
  /// twice as long, up to a minute; also where nobody is signed in, and where the news were none.
  ///
  /// - Throws: ``DocumentError/noNews`` where the endpoint is no ``NewsEndpoint``; what reading the
  ///   store throws.
  public func followNews() async throws {
    guard let server = endpoint as? any NewsEndpoint else { throw DocumentError.noNews }
    var pause = Duration.zero
    while !Task.isCancelled {
      do {
        pause =
          try await takesNews(of: server) ? .zero : min(max(pause * 2, .seconds(1)), .seconds(60))
      } catch {
        guard store.hub.isClosed else { throw error }
        return
      }
      if store.hub.isClosed { return }
      if pause > .zero { try? await scheduler.timeline.sleep(for: pause) }
    }
  }

  /// Waits for news, and makes a sync. Answers whether that brought what is known further.
  private func takesNews(of server: any NewsEndpoint) async throws -> Bool {
    if let account, !account.status.allowsTriggeredSyncs { return false }
    let known = try await checkpoints()
    do {
      if let account {
        try await AccountEndpoint(server, account: account).call(
          { try await server.waitForNews(since: known) }, date: { _ in nil })
      } else {
        try await server.waitForNews(since: known)
      }
      guard try await scheduler.syncOnce() else { return false }
    } catch {
      // How a sync ended, what runs after it is told.
      return false
    }
    return try await checkpoints() != known
  }

  private func checkpoints() async throws -> [String: String?] {
    try await store.read { [place = syncer.processor.place] reader in
      try place.scopes.reduce(into: [:]) {
        $0.updateValue(try reader.checkpoint(of: $1), forKey: $1.collection)
      }
    }
  }
}
