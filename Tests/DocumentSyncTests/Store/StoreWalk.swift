import TestSupport

@testable import DocumentSync

/// People and others, a store and a server, at random; beside it what a naive store says.
struct StoreWalk {
  var violations: [String] = []
  private var random: SeededGenerator
  var store: DocumentStore
  var naive: NaiveStore
  var server = StoreWalkServer()
  private var seen = 0
  private let open: () async throws -> DocumentStore
  let scope: DocumentScope
  private let rules: MeetingRules
  let ids = ["a", "b", "c", "d"].map { DocumentID($0) }

  init(
    seed: UInt64, _ scope: DocumentScope, _ policies: [ConflictPolicy],
    opening open: @escaping () async throws -> DocumentStore
  ) async throws {
    random = SeededGenerator(seed: seed)
    (self.scope, self.open) = (scope, open)
    rules = MeetingRules(policies: policies)
    naive = NaiveStore(scope, rules)
    store = try await open()
  }

  mutating func step() async throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2: try await save()
    case 3: try await delete()
    case 4: try await stash()
    case 5: if random.oneIn(3) { try await drop() }
    case 6: server.write(content(), as: id())
    case 7: if random.oneIn(2) { server.write(nil, as: id()) }
    case 8, 9: try await pull(Int.random(in: 1...3, using: &random))
    case 10: if random.oneIn(3) { try await reopen() }
    case 11: try await decide(.here)
    case 12: if random.oneIn(2) { try await giveUp() }
    case 13: if random.oneIn(2) { try await takeBack() }
    default: try await send(faults: true)
    }
    try await compare()
  }

  /// Sends and pulls without faults until nothing is left.
  mutating func comeToRest() async throws {
    server.isPicky = false
    // What was dropped comes again.
    seen = 0
    try await saveWhatIsStashed()
    // What others wait for comes at last.
    let awaited = naive.entries.reduce(into: Set()) { $0.formUnion($1.awaits) }
    for id in awaited.sorted() where naive.document(id).asPredecessor == .unknown {
      try await save(id)
    }
    for _ in 0..<40 where !naive.entries.isEmpty || seen < server.version {
      try await pull(.max)
      try await decide(.here)
      // Of what was stashed over a document that is gone, a stash is left.
      try await saveWhatIsStashed()
      try await retry()
      try await send(faults: false)
    }
    try await compare()
    check(naive.entries.isEmpty, "at rest the outbox is empty, not \(naive.entries)")
    for id in ids {
      let there = server.documents[id]?.content
      check(naive.document(id).body == there, "at rest both sides are equal")
      guard let wanted = naive.wanted[id] else { continue }
      let isKnown =
        wanted == there || server.history[id]?.contains(wanted) == true
        || naive.lost.contains { $0.value == wanted && $0.side == .here }
      check(isKnown, "what people saved is at the server, or was, or is told as lost")
    }
    seen = 0
    let changed = try await pull(.max)
    check(!changed && naive.entries.isEmpty, "all of it once more changes nothing")
    try await compare()
    try await compareWithAnother()
  }

  // MARK: - What people do

  private mutating func saveWhatIsStashed() async throws {
    for id in ids where naive.document(id).entry == nil && naive.document(id).here.isStashed {
      if let body = naive.document(id).body { try await save(id, body) }
    }
  }

  private mutating func save(
    _ id: DocumentID? = nil, _ content: DocumentValue? = nil
  ) async throws {
    let id = id ?? self.id()
    var edit = DocumentEdit(id, in: scope, content ?? self.content())
    // Always after earlier ones, so that there is no circle.
    if random.oneIn(4), let other = ids.filter({ $0 < id }).randomElement(using: &random) {
      edit.after = [other]
    }
    // As in the midst of others that are all new.
    let expectsUnknown = random.oneIn(2)
    let counter = try await store.edit { [edit] door in
      let counter = door.session.counter
      door.session.expectsUnknown = expectsUnknown
      try door.save(edit)
      return counter
    }
    naive.saved(id, edit.content, after: edit.after, counter)
  }

  private mutating func stash() async throws {
    let edit = DocumentEdit(id(), in: scope, content())
    let counter = try await store.edit { door in
      let counter = door.session.counter
      try door.stash(edit)
      return counter
    }
    naive.stashed(edit.id, edit.content, counter)
  }

  private mutating func delete() async throws {
    let id = id()
    let counter = try await store.edit { door in
      let counter = door.session.counter
      try door.delete(id)
      return counter
    }
    naive.deleted(id, counter)
  }

  /// A change is given up.
  private mutating func giveUp() async throws {
    let id = id()
    guard naive.document(id).entry?.underWay == nil else { return }
    let counter = try await store.edit { door in
      let counter = door.session.counter
      try door.resign(id)
      return counter
    }
    naive.change(id, counter) { _ = $0.resigned(&$1) }
    // It's among what was lost from now on.
  }

  /// Something that was lost is taken back.
  private mutating func takeBack() async throws {
    guard let lost = try await store.read({ try $0.lost() }).randomElement(using: &random) else {
      return
    }
    let counter = try await store.edit { door in
      let counter = door.session.counter
      _ = try? door.restore(lost.number)
      return counter
    }
    naive.tookBack(lost, counter)
  }

  private mutating func drop() async throws {
    let id = id()
    _ = try? await store.drop(id)
    naive.dropped(id)
  }

  private mutating func decide(_ resolution: DocumentConflict.Resolution) async throws {
    for id in ids where naive.document(id).isInConflict {
      let counter = try await store.edit { door in
        let counter = door.session.counter
        try door.resolve(id, resolution)
        return counter
      }
      naive.change(id, counter) { _ = $0.resolved(resolution, &$1) }
    }
  }

  private mutating func retry() async throws {
    for id in ids {
      let counter = try await store.edit { door in
        let counter = door.session.counter
        try door.retry(id)
        return counter
      }
      naive.change(id, counter) { _ = $0.retryWanted(&$1) }
    }
  }

  private mutating func id() -> DocumentID { ids[Int.random(in: 0..<ids.count, using: &random)] }

  private mutating func content() -> DocumentValue {
    ["n": DocumentValue(Int.random(in: 0..<5, using: &random))]
  }
}

// MARK: - What syncs do

extension StoreWalk {
  /// Pulls so many documents; answers whether people see anything else.
  @discardableResult
  private mutating func pull(_ limit: Int) async throws -> Bool {
    let piece = server.changes(from: seen).prefix(limit)
    // All of one version come in one page, or the checkpoint would pass over some.
    let page = PulledPage(piece.map(\.news), checkpoint: piece.last.map { "\($0.version)" })
    let (mark, counter, outcomes) = try await store.sync { [scope, rules] door in
      let mark = door.pullBegan()
      let counter = door.session.counter
      return (mark, counter, try door.pulled(page, of: scope, rules))
    }
    var rising = counter
    for pulled in page.documents {
      rising = naive.change(pulled.id, rising) { [rules] document, counter in
        _ = document.met(pulled.state, rules, &counter)
        return counter
      }
    }
    seen = piece.last?.version ?? seen
    if piece.count == server.changes(from: seen).count || limit == .max {
      try await store.sync { [scope] in try $0.pullEnded(mark, of: scope) }
      for id in ids { naive.change(id, counter) { document, _ in document.notShown() } }
    }
    return outcomes.contains(where: \.isChanged)
  }

  private mutating func send(faults: Bool) async throws {
    for id in faults ? Array(naive.ready.prefix(1)) : naive.entries.map(\.id) {
      let (send, counter) = try await store.sync { door in
        let counter = door.session.counter
        return (try door.sendBegan(id), counter)
      }
      naive.change(id, counter) { _ = $0.sendBegan(&$1) }
      guard let send else { continue }
      try await compare()
      if faults, random.oneIn(3) { try await random.oneIn(3) ? delete() : save(id) }
      if faults, random.oneIn(5) { try await pull(2) }
      try await end(send, fate: faults ? Int.random(in: 0..<9, using: &random) : 8)
    }
  }

  private mutating func end(_ send: DocumentSend, fate: Int) async throws {
    switch fate {
    case 0: try await answer(send, .untaken(.unreachable))
    case 1: try await answer(send, .unknown(.status(500)))
    case 2:
      _ = server.take(send)
      let isLook = send.order.kind == .look
      try await answer(send, isLook ? .untaken(.lost) : .unknown(.lost))
    case 3:
      if random.oneIn(2) { _ = server.take(send) }
      try await reopen()
    case 4:
      var verdict = server.take(send)
      if case .shown(_, let refusal) = verdict, send.order.kind != .look {
        verdict = .unmet(refusal)
      }
      try await answer(send, verdict)
    default: try await answer(send, server.take(send))
    }
  }

  private mutating func answer(_ send: DocumentSend, _ verdict: SendVerdict) async throws {
    let counter = try await store.sync { [rules] door in
      let counter = door.session.counter
      try door.answered(send.id, verdict, rules)
      return counter
    }
    naive.change(send.id, counter) { [rules] in _ = $0.answered(verdict, rules, &$1) }
  }

  /// The program ends, and begins again.
  private mutating func reopen() async throws {
    await store.close()
    store = try await open()
    for id in ids {
      // One after the other, as the store does.
      guard naive.document(id).entry?.underWay != nil else { continue }
      let counter = try await store.sync { [rules] door in
        let counter = door.session.counter
        try door.abandonSends { _ in rules }
        return counter
      }
      naive.change(id, counter) { [rules] in _ = $0.sendAbandoned(rules, &$1) }
    }
  }
}

extension Meeting.Here {
  /// Whether it's something that the server doesn't have.
  fileprivate var isStashed: Bool {
    switch self {
    case .created, .edited: true
    case .nothing, .synced, .deleted: false
    }
  }
}
