/// What is to be sent to a server that lost its data.
package enum Republishing: Sendable, Hashable {
  /// What was there and isn't any more.
  case lacking
  /// That, and what the server has in an older version.
  case newer
}

/// Finds what a server had of a collection and has no more, and has it sent again: before anything
/// is sent, and without anything of the server's being taken.
///
/// Its list says what is there. Each document that it doesn't name is asked for by itself: one of
/// which the server knows a deletion isn't made again.
struct RepublishRun: Sendable {
  let store: DocumentStore
  let endpoint: any DocumentEndpoint
  let session: ServerSession
  let tally: SyncTally
  let scope: DocumentScope
  let wish: Republishing

  /// - Throws: a ``DocumentSyncError``, or `CancellationError`.
  func run() async throws {
    let named = try await list()
    let lacking = try await store.sync { try $0.lacking(named, in: scope) }
    for id in lacking {
      try Task.checkCancellation()
      guard try await isLacking(id) else { continue }
      try await store.sync { _ = try $0.republish(id, in: scope) }
    }
  }

  /// Answers what the server has.
  private func list() async throws -> Set<DocumentID> {
    var (progress, named) = (ListProgress(after: nil), Set<DocumentID>())
    while true {
      let place = progress.place
      let reply = try await session.ask(
        about: scope.collection, notes: \EndpointReply<ChangesAnswer>.notes
      ) {
        try await endpoint.changes(in: scope.collection, from: place)
      }
      switch progress.answered(reply.end) {
      case .end: return named
      case .giveUp(let why): throw DocumentSyncError.unreadable(why)
      case .forget: named = []
      case .apply(let page, let isEnd):
        for change in page.documents where change.state.copy != nil { named.insert(change.id) }
        named.formUnion(page.unreadable.compactMap(\.id))
        try await compare(page)
        if isEnd { return named }
      }
    }
  }

  private func compare(_ page: ChangePage) async throws {
    let older = try await store.sync { [wish] editor in
      let older = try editor.older(page, in: scope)
      if wish == .newer {
        for (id, copy) in older { try editor.republish(id, over: copy, in: scope) }
      }
      return older
    }
    guard wish == .lacking else { return }
    tally.note { report in
      report.older += older.map { id, copy in
        DocumentReport.Older(id: id, collection: scope.collection, version: copy.version)
      }
    }
  }

  /// Whether the server says that it has none, and knows of no deletion.
  private func isLacking(_ id: DocumentID) async throws -> Bool {
    let reply = try await session.ask(about: scope.collection, notes: \LookReply.notes) {
      try LookReply(await endpoint.push(.look(at: id, in: scope.collection)))
    }
    return reply.state == .forgotten
  }
}
