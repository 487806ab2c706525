import SyncLock

/// Hears the time of a server with its answers, and has the store know when it differs from ours.
///
/// Nothing is written as long as nothing changes.
final class ServerTimeKeeper: Sendable {
  private let store: DocumentStore
  private let server: String
  private let known = Locked<ServerTime?>(nil)
  private let turns = SerialWork()

  init(_ store: DocumentStore, server: String) {
    self.store = store
    self.server = server
  }

  /// An answer came. What can't be written now is heard again with the next one.
  func heard(_ answer: ServerTime.Heard) async {
    try? await turns.alone { [self] in
      let before = try await time()
      var time = before
      time.heard(answer)
      guard time != before else { return }
      let changed = time
      try await store.sync { [server] in try $0.setTime(changed, of: server) }
      known.withLock { $0 = changed }
    }
  }

  private func time() async throws -> ServerTime {
    if let known = known.withLock({ $0 }) { return known }
    let time = try await store.read { [server] in try $0.time(of: server) }
    known.withLock { $0 = time }
    return time
  }
}
