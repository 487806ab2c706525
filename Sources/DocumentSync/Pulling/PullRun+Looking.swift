/// Single documents are asked for: what couldn't be stored, and what the server has in place of
/// what it didn't take.
extension PullRun {
  /// Asks again for what couldn't be read or stored in an earlier pull, and wasn't told since.
  func lookAgain(at before: [UnreadableDocument]) async throws {
    let left = try await store.read { try $0.failures(of: scope) }
    let told = tally.report.failures.filter { $0.collection == scope.collection }.map(\.name)
    // From anywhere on, so that none is always after too many whose look fails.
    let start = min(Int(session.seams.random() * Double(before.count)), max(0, before.count - 1))
    let due = (before[start...] + before[..<start])
      .filter { left.contains($0) && !told.contains($0.name) }
    for failed in due.prefix(Self.mostLooks) {
      if try await !look(at: DocumentID(failed.name)) {
        tally.unreadable([failed], in: scope.collection)
      }
    }
  }

  /// Asks for what the server has in place of what it didn't take, and of which the list told
  /// nothing: it may have told that before, to somebody who didn't keep it. Answers what was asked
  /// for; if there was more, the next pull goes on.
  func lookAtContested(before mark: Int64, _ told: Told) async throws -> [DocumentID] {
    let ids = try await store.sync {
      try $0.contested(in: scope, before: mark, limit: Self.mostLooks)
    }
    for id in ids {
      try await store.sync { try $0.lookBegan(id) }
      // Its id is none of the server's, which has no key for it yet.
      if rules.keys.areServers, try await isLostCreation(id) { continue }
      _ = try await look(at: id, after: told)
    }
    return ids
  }

  /// Asks for one document. Answers whether the server said what it has.
  ///
  /// That it has none of this id doesn't always say that there is none, see `staysOpen(_:after:)`.
  private func look(at id: DocumentID, after told: Told = .everything) async throws -> Bool {
    let looked = try await session.ask(about: scope.collection, notes: \LookReply.notes) {
      try LookReply(await endpoint.push(.look(at: id, in: scope.collection)))
    }
    guard let state = looked.state else { return false }
    if state == .forgotten, try await staysOpen(id, after: told) { return false }
    try await take([DocumentChange(id: id, state: state)])
    return true
  }

  /// Whether it's still open what the server has of a document that it doesn't show.
  ///
  /// After a part of a list, it may have been made under another key. And a service may say of each
  /// row that it isn't there, where it shows none alone: of an edit that wasn't sent yet, only a
  /// list of everything says more; what the edit itself is answered decides.
  private func staysOpen(_ id: DocumentID, after told: Told) async throws -> Bool {
    let entry = try await store.read { try $0.stored(id)?.entry }
    if entry?.isLostCreation ?? false { return told == .aPart }
    let isUnlisted = tellsDeletions || told == .aPart || filter != nil
    return isUnlisted && entry?.phase == .contested(nil) && entry?.change.isUpdate ?? false
  }

  private func isLostCreation(_ id: DocumentID) async throws -> Bool {
    try await store.read { try $0.reason(of: id) } == .mayBeMade
  }
}
