import TestSupport

@testable import DocumentSync

/// A document here and at a server, between which an `OutboxEntry` decides.
///
/// Contents are numbers, and often equal. The local change always wins where it meets another one,
/// so that at rest both sides have what was saved here last.
struct EntryWalk {
  private(set) var violations: [String] = []
  private var random: SeededGenerator
  private let hasOthers: Bool
  private var server: WalkServer
  private var entry: OutboxEntry?
  /// What is here; `nil` when it's deleted.
  private var local: Int?
  /// What the server had, as far as was last known.
  private var base: (content: Int, version: DocumentVersion)?
  private var tombstone = Tombstone.none
  private var contents: [Revision: Int] = [:]
  private var lastRevision: Int64 = 0
  private var requests: [Revision: SendOrder.Kind] = [:]

  init(seed: UInt64, hasOthers: Bool) {
    random = SeededGenerator(seed: seed)
    server = WalkServer()
    self.hasOthers = hasOthers
  }

  mutating func step() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2: save()
    case 3: delete()
    case 4: if hasOthers { server.writeOfOthers(content()) }
    case 5: if hasOthers, random.oneIn(3) { server.deletionOfOthers() }
    case 6: pull()
    case 7: if random.oneIn(2) { take { $0.retryWanted(as: $1) } }
    default: send(edits: true, faults: true)
    }
    checkEntry()
  }

  /// Sends without faults and edits until nothing is left.
  mutating func comeToRest() {
    for _ in 0..<12 where entry != nil {
      pull()
      take { $0.retryWanted(as: $1) }
      send(edits: false, faults: false)
    }
    pull()
    check(entry == nil, "at rest the outbox is empty")
    check(local == server.content, "at rest both sides are equal")
  }

  // MARK: - What users do

  private mutating func save() {
    let (content, revision) = (content(), fresh())
    let isBase = content == base?.content
    if entry == nil, isBase { return }
    local = content
    contents[revision] = content
    if entry != nil {
      take { entry, _ in entry.saved(as: revision, isBase: isBase) }
    } else {
      make(base.map { .update(base: $0.version) } ?? .create, as: revision)
    }
  }

  private mutating func delete() {
    guard local != nil else { return }
    let revision = fresh()
    local = nil
    if entry != nil {
      take { entry, _ in entry.deleted(as: revision) }
    } else if let base {
      make(.delete(base: base.version), as: revision)
    }
  }

  private mutating func make(_ change: OutboxEntry.Change, as revision: Revision) {
    entry = OutboxEntry(
      number: revision.number, id: DocumentID("a"), collection: "notes", revision: revision,
      change: change, tombstone: tombstone)
  }

  // MARK: - What syncs do

  private mutating func send(edits: Bool, faults: Bool) {
    let fresh = fresh()
    guard var sent = entry, let order = sent.sendBegan(fresh: fresh) else { return }
    if sent.revision == fresh, let local { contents[fresh] = local }
    entry = sent
    check(order, isFirst: requests[order.revision] == nil)
    if order.kind != .look { requests[order.revision] = order.kind }
    let fate = faults ? Int.random(in: 0..<8, using: &random) : 7
    if edits, random.oneIn(3) { random.oneIn(3) ? delete() : save() }
    let content = contents[order.revision]
    switch fate {
    case 0: answer(.unreachable, to: order)
    case 1: answer(.lost, to: order)
    case 2:
      _ = server.take(order, content)
      answer(.lost, to: order)
    case 3:
      if random.oneIn(2) { _ = server.take(order, content) }
      take { entry, _ in entry.sendAbandoned() }
    case 4:
      let status = [400, 401, 404, 429, 500, 503].randomElement(using: &random) ?? 400
      // Saying that what it has isn't there would be a lie, which no client can tell from truth.
      if status != 404 || order.kind == .create {
        answer(.answered(PushAnswer(status: status)), to: order)
      } else {
        answer(.lost, to: order)
      }
    default:
      var said = server.take(order, content)
      if random.oneIn(4), order.kind != .look { said.shown = nil }
      let equal = said.content.flatMap { known($0, beside: order) }
      answer(.answered(said.answer), equal: equal, to: order)
    }
  }

  private mutating func answer(_ end: PushEnd, equal: Revision? = nil, to order: SendOrder) {
    let verdict = SendVerdict(EndpointReply<PushEnd>(end), to: order.kind)
    take { entry, _ in entry.answered(verdict, equal: equal) }
  }

  private mutating func pull() {
    guard entry != nil else {
      base = server.copy
      local = base?.content
      tombstone = server.deletion.map { .at($0) } ?? .none
      return
    }
    guard let copy = server.copy else {
      // A server that never had it tells nothing of it.
      if let deletion = server.deletion { take { entry, _ in entry.shown(.deleted(deletion)) } }
      return
    }
    if copy.version == base?.version {
      take { entry, _ in entry.notShown() }
    } else {
      let equal = known(copy.content)
      take { entry, _ in entry.shown(.copy(copy.version), equal: equal) }
    }
  }

  /// The newest of our revisions with this content.
  private func known(_ content: Int, beside order: SendOrder? = nil) -> Revision? {
    guard let entry else { return nil }
    var revisions = entry.rememberedRevisions
    if let order { revisions.insert(order.revision) }
    return revisions.filter { contents[$0] == content }.max()
  }

  // MARK: - Carrying out what the entry says

  private mutating func take(_ event: (inout OutboxEntry, Revision) -> EntryStep) {
    guard var entry else { return }
    let step = event(&entry, fresh(copyOf: entry.revision))
    self.entry = entry
    switch step {
    case .stays, .asks, .later: break
    case .takesBase(let revision, let version): rebase(on: revision, version)
    case .losesBase:
      base = nil
      tombstone = entry.tombstone
    case .leaves(let departure): leave(departure)
    case .meets: meet()
    }
  }

  private mutating func rebase(on revision: Revision, _ version: DocumentVersion) {
    guard let content = contents[revision] else {
      return violations.append("each base has a content")
    }
    base = (content, version)
  }

  private mutating func leave(_ departure: Departure) {
    let left = entry
    entry = nil
    switch departure {
    case .accepted(let revision, let version):
      check(contents[revision] == local, "what leaves is what is here")
      check(server.hasHad(contents[revision], as: version), "the server has accepted it")
      rebase(on: revision, version)
    case .deleted(let deletion):
      check(local == nil, "what is gone at the server is gone here")
      base = nil
      tombstone = .at(deletion)
    case .neverSent:
      check(local == nil, "only what was deleted never gets sent")
      check(left?.unanswered == [], "the server can't have it")
    case .reverted: check(local == base?.content, "the server's value is here again")
    case .gaveWay: violations.append("the local change always wins here")
    }
  }

  private mutating func meet() {
    check(hasOthers, "alone, there is no conflict")
    base = server.copy
    if let version = base?.version {
      take { $0.met(.rebased(version), as: $1) }
    } else {
      let deletion = server.deletion
      take { $0.met(.madeAnew(after: .at(deletion)), as: $1) }
    }
  }

  // MARK: - Checks

  private mutating func check(_ order: SendOrder, isFirst: Bool) {
    check(isFirst || requests[order.revision] == order.kind, "one revision, two requests")
    check(order.kind != .create || base == nil, "nothing is created that is known to be there")
  }

  private mutating func checkEntry() {
    guard let entry else {
      check(local == base?.content, "what isn't in the outbox is what the server had")
      return
    }
    check(entry.change.isDeletion == (local == nil), "the entry says whether it's deleted here")
    check(entry.change.base == base?.version, "it stands on the base")
    check(entry.underWay == nil, "each request has ended")
    check(local == nil || contents[entry.revision] == local, "its revision is what is here")
  }

  private mutating func check(_ isTrue: Bool, _ claim: String) {
    if !isTrue { violations.append(claim) }
  }

  private mutating func content() -> Int { Int.random(in: 0..<4, using: &random) }

  private mutating func fresh(copyOf revision: Revision? = nil) -> Revision {
    lastRevision += 1
    contents[Revision(lastRevision)] = revision.flatMap { contents[$0] }
    return Revision(lastRevision)
  }
}
