/// Brings what changed in a collection of a server into the store, page by page.
///
/// Each page is written with its checkpoint in one transaction, so that neither is ahead of the
/// other. What the server has no more goes at the end of the list, when it's known how much that
/// is.
struct PullRun: Sendable {
  /// So many documents go in one transaction: a reader of a store in memory waits for it.
  static let mostAtOnce: Int64 = 500

  /// So many single documents are asked for in one pull.
  static let mostLooks = 50
  /// The same of a server that has no lists, where nothing else tells what has changed.
  static let mostKnownLooks = 100

  /// What a list told of all that it could.
  enum Told { case everything, aPart, nothing }

  let store: DocumentStore
  let endpoint: any DocumentEndpoint
  let session: ServerSession
  let tally: SyncTally
  let scope: DocumentScope
  let rules: MeetingRules
  let limit: RemovalRule
  /// Whether deletions are told among changes; else each list is one of everything.
  let tellsDeletions: Bool
  /// Which documents are held here; `nil` for all.
  var filter: CollectionFilter?
  /// Whether all that the filter lets through is listed even if that was done less than a day ago.
  var listsAnyhow = false

  /// Pulls until the list's end.
  ///
  /// - Returns: Whether something met the server's since it began, of which the list may have told
  ///   before that.
  /// - Throws: a ``DocumentSyncError``, or `CancellationError`.
  func run() async throws -> Bool {
    let before = try await store.read { try $0.failures(of: scope) }
    let mark = try await store.sync { $0.pullBegan() }
    try await store.sync { try $0.filters(scope, by: filter) }
    var told: Told
    do {
      told = try await pullFilteredList()
    } catch let error as DocumentSyncError {
      if case .collection(_, status: 403, _) = error { try await hide(true) }
      throw error
    }
    try await hide(false)
    try await lookAgain(at: before)
    // A row that can't be read may be what was made under another key.
    let isUnread = try await store.read { try !$0.failures(of: scope).isEmpty }
    if told == .everything, isUnread { told = .aPart }
    // What was made here may be at the server, and the filter doesn't let it through.
    if told == .everything, filter != nil { told = .nothing }
    let hasMet = try await store.read { try $0.hasContested(scope, since: mark) }
    let isRefused = try await letVanishedGo()
    // Whoever is in conflict with what wasn't removed isn't refused for a reason of its own.
    if !isRefused {
      if rules.keys.areServers, told != .aPart {
        try await store.sync { [told] in
          try $0.notFound(in: scope, before: mark, hasLists: told == .everything)
        }
      }
      let looked = try await lookAtContested(before: mark, told)
      try await store.sync { [told] in
        try $0.notShown(
          looked, in: scope, keepsLostCreations: told != .everything || rules.keys.areServers)
      }
    }
    let checkpoint = try await store.read { try $0.checkpoint(of: scope) }
    tally.note { $0.checkpoints[scope.collection] = checkpoint }
    return hasMet
  }

  // MARK: - The list

  /// Pulls what is new; and then lists what there is in all, where that is to show what has left a
  /// filter.
  private func pullFilteredList() async throws -> Told {
    let checkpoint = try await store.read { try $0.checkpoint(of: scope) }
    let news = try await pullList(ListProgress(after: tellsDeletions ? checkpoint : nil))
    guard try await isListToFollow(news.extent) else { return news.told }
    _ = try await pullList(ListProgress(after: nil), ofIDs: true)
    return news.told
  }

  private func pullList(
    _ start: ListProgress, ofIDs: Bool = false
  ) async throws -> (told: Told, extent: ChangePage.Extent?) {
    var progress = start
    var comparison: ListComparison?
    var candidates: Set<DocumentID>?
    var (unread, count) = (UnreadEntries(), ListCount())
    while true {
      let place = progress.place
      if place == .beginning { candidates = try await self.candidates() }
      let reply = try await list(from: place, ofIDs: ofIDs)
      let isFirst = progress.extent == nil
      switch progress.answered(reply.end) {
      case .end:
        if !ofIDs { try await end(unread) }
        if reply.end == .withoutLists { try await lookAtKnown() }
        return (reply.end == .withoutLists ? .nothing : .everything, progress.extent)
      case .giveUp(let why): throw DocumentSyncError.unreadable(why)
      case .forget:
        try await store.sync { try $0.serverForgot(scope) }
        tally.note { $0.compared.append(scope.collection) }
        (unread, count) = (UnreadEntries(), ListCount())
      case .apply(let page, let isEnd):
        if isFirst { comparison = try await self.comparison(for: page, candidates) }
        comparison?.note(page)
        count.note(page)
        let unreadable = unread.note(page)
        if isEnd, let list = comparison, list.mayLack, !list.isUncertain {
          comparison = try await lookAtMissing(in: list)
        }
        try await apply(
          unread.holding(page), isEnd: isEnd, comparison, unreadable: ofIDs ? [] : unreadable,
          by: reply.notes.call?.noted(at: session.seams.now()))
        guard isEnd else { continue }
        if ofIDs || page.extent == .everything { try await wholeListEnded(comparison, ofIDs) }
        if !ofIDs { try await end(unread) }
        return (count.mayLack ? .aPart : .everything, progress.extent)
      }
    }
  }

  private func end(_ unread: UnreadEntries) async throws {
    let known = try await store.read { try $0.failures(of: scope) }.filter(\.isNameless)
    guard Set(known) != unread.nameless else { return }
    try await store.sync { try $0.namelessTold(unread.nameless, of: scope) }
  }

  private func comparison(
    for page: ChangePage, _ candidates: Set<DocumentID>?
  ) async throws -> ListComparison? {
    if filter != nil {
      guard page.extent == .everything, let candidates, !candidates.isEmpty else { return nil }
      return ListComparison(reason: .leftFilter, candidates: candidates)
    }
    return try await store.sync {
      try $0.comparison(of: scope, isOfEverything: page.extent == .everything)
    }
  }

  private func apply(
    _ page: ChangePage, isEnd: Bool, _ comparison: ListComparison?,
    unreadable: [UnreadableDocument], by answer: EndpointCall?
  ) async throws {
    var pulled = PulledPage(page.documents)
    pulled.unreadable = unreadable
    // A list that is compared counts as a whole.
    if comparison == nil { pulled.checkpoint = page.checkpoint }
    let outcomes = try await store.sync { [pulled] editor in
      let outcomes = try editor.listed(pulled, of: scope, rules)
      guard isEnd, page.extent == .everything else { return outcomes }
      return try outcomes
        + editor.listEnded(comparison, of: scope, checkpoint: page.checkpoint, rules)
    }
    tally.pulled(outcomes, in: scope.collection)
    tally.unreadable(pulled.unreadable, in: scope.collection, by: answer)
  }

  /// Documents may have been missed by a list of everything: only those go that the server hasn't
  /// got when it's asked for them. Of many, others are asked for each time.
  private func lookAtMissing(in list: ListComparison) async throws -> ListComparison {
    var list = list
    let missing = try await store.sync { [list] in try $0.missing(in: list, of: scope) }
    let start = min(
      Int(session.seams.random() * Double(missing.count)), max(0, missing.count - 1))
    let turned = missing[start...] + missing[..<start]
    for (place, id) in turned.enumerated() {
      guard place < Self.mostLooks, try await isGone(id) else {
        list.note(id)
        continue
      }
    }
    return list
  }

  /// Whether the server hasn't got it when it's asked for it; what it has is taken.
  private func isGone(_ id: DocumentID) async throws -> Bool {
    let looked = try await session.ask(about: scope.collection, notes: \LookReply.notes) {
      try LookReply(await endpoint.push(.look(at: id, in: scope.collection)))
    }
    guard let state = looked.state else { return false }
    guard state.copy != nil else { return true }
    try await take([DocumentChange(id: id, state: state)])
    return false
  }

  func take(_ changes: [DocumentChange]) async throws {
    let outcomes = try await store.sync {
      try $0.pulled(PulledPage(changes), of: scope, rules)
    }
    tally.pulled(outcomes, in: scope.collection)
  }

  private func hide(_ isHidden: Bool) async throws {
    try await store.sync { editor in
      if try editor.isHidden(scope) != isHidden { try editor.hide(isHidden, scope) }
    }
  }

  /// There are no lists: what is known is asked for, that first which wasn't seen for longest.
  private func lookAtKnown() async throws {
    // Of what was sent just now, the answer was a look.
    let sent = Set(tally.report.sent.filter { $0.collection == scope.collection }.map(\.id))
    let known = try await store.sync { editor in
      for id in sent { try editor.seen(id) }
      return try editor.unseen(in: scope, limit: Self.mostKnownLooks + sent.count)
    }
    let due = known.filter { !sent.contains($0.id) }.prefix(Self.mostKnownLooks)
    for (id, version) in due {
      let looked = try await session.ask(about: scope.collection, notes: \LookReply.notes) {
        try LookReply(
          await endpoint.push(.look(at: id, in: scope.collection, knowing: version)))
      }
      guard looked.isUnchanged || looked.state != nil else { continue }
      let news = looked.state.map { [DocumentChange(id: id, state: $0)] } ?? []
      let outcomes = try await store.sync { editor in
        try editor.seen(id)
        if looked.isUnchanged { try editor.isThere(id, in: scope) }
        return try editor.listed(PulledPage(news), of: scope, rules)
      }
      tally.pulled(outcomes, in: scope.collection)
    }
  }

  // MARK: - What the server has no more

  /// Answers whether it would have been too much.
  private func letVanishedGo() async throws -> Bool {
    let vanishing = try await store.sync { try $0.vanishing(in: scope) }
    guard limit.allows(vanishing) else {
      try await store.sync { try $0.holdVanishedBack(of: scope) }
      tally.note {
        $0.refusedRemovals.append(
          HeldBackRemovals(
            collection: scope.collection, count: vanishing.count, held: vanishing.held,
            outsideFilter: vanishing.outsideFilter))
      }
      return true
    }
    while true {
      let outcomes = try await store.sync {
        try $0.letVanishedGo(of: scope, limit: Self.mostAtOnce, rules)
      }
      if outcomes.isEmpty { return false }
      tally.pulled(outcomes, in: scope.collection)
    }
  }
}
