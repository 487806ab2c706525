import TestSupport

@testable import DocumentSync

/// A replica that sends what is saved in it through an endpoint, one `OutboxEntry` a document, and
/// follows the lists. Where it meets another change, its own wins.
final class PushingReplica {
  struct Held {
    var local: DocumentValue?
    var base: ServerCopy?
    var entry: OutboxEntry?
    var tombstone = Tombstone.none
    var contents: [Revision: DocumentValue] = [:]
  }

  let name: String
  private(set) var mistakes: [String] = []
  private let endpoint: any DocumentEndpoint
  private var random: SeededGenerator
  var held: [DocumentID: Held] = [:]
  private var checkpoint: String?
  private var lastRevision: Int64 = 0
  private var kinds: [Revision: SendOrder.Kind] = [:]

  init(_ name: String, _ endpoint: any DocumentEndpoint, seed: UInt64) {
    self.name = name
    self.endpoint = endpoint
    random = SeededGenerator(seed: seed)
  }

  /// The documents that are here.
  var documents: [DocumentID: DocumentValue] { held.compactMapValues(\.local) }

  /// Whether nothing is left to be sent.
  var isAtRest: Bool { held.values.allSatisfy { $0.entry == nil } }

  func step() async {
    let id = anyID()
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2: save(id)
    case 3: delete(id)
    case 4: await pull()
    default: await push()
    }
  }

  /// Sends and reads until nothing is left.
  func comeToRest() async {
    for _ in 0..<12 {
      await pull()
      for id in held.keys.sorted() { take(id) { $0.retryWanted(as: $1) } }
      await push()
    }
    await pull()
  }

  private func anyID() -> DocumentID { DocumentID("\(Int.random(in: 0..<4, using: &random))") }

  // MARK: - What users do

  private func save(_ id: DocumentID) {
    let revision = fresh()
    let body: DocumentValue = ["by": DocumentValue(name), "n": DocumentValue(revision.number)]
    var one = held[id] ?? Held()
    one.local = body
    one.contents[revision] = body
    if one.entry == nil {
      one.entry = OutboxEntry(
        number: revision.number, id: id, collection: "notes", revision: revision,
        change: one.base.map { .update(base: $0.version) } ?? .create, tombstone: one.tombstone)
      held[id] = one
    } else {
      held[id] = one
      take(id) { entry, _ in entry.saved(as: revision) }
    }
  }

  private func delete(_ id: DocumentID) {
    guard var one = held[id], one.local != nil else { return }
    let revision = fresh()
    one.local = nil
    if one.entry == nil, let base = one.base {
      one.entry = OutboxEntry(
        number: revision.number, id: id, collection: "notes", revision: revision,
        change: .delete(base: base.version), tombstone: one.tombstone)
    }
    held[id] = one
    take(id) { entry, _ in entry.deleted(as: revision) }
  }

  // MARK: - What syncs do

  private func push() async {
    var orders: [(id: DocumentID, order: SendOrder)] = []
    // More than some servers take.
    var packing = BatchPacking(limits: BatchLimits(entries: 3, bytes: .max))
    for id in held.keys.sorted() {
      let fresh = fresh()
      guard var entry = held[id]?.entry, let order = entry.sendBegan(fresh: fresh) else { continue }
      let candidate = BatchPacking.Candidate(id: id, bytes: 1, batchShare: entry.batchShare)
      guard packing.offer(candidate) == .packed else { continue }
      held[id]?.entry = entry
      note(order, of: id, isFresh: order.revision == fresh)
      orders.append((id, order))
    }
    guard let first = orders.first else { return }
    let sends = orders.map { send($0.order, of: $0.id) }
    if orders.count == 1 {
      let reply = await endpoint.push(sends[0])
      heard(SendVerdict(reply, to: first.order.kind), reply, of: first, in: 1)
    } else {
      heard(await endpoint.push(batch: sends), to: orders)
    }
  }

  private func note(_ order: SendOrder, of id: DocumentID, isFresh: Bool) {
    guard order.kind != .look else { return }
    let local = held[id]?.local
    if isFresh { held[id]?.contents[order.revision] = local }
    check(kinds[order.revision] ?? order.kind == order.kind, "one revision, two requests")
    kinds[order.revision] = order.kind
  }

  private func heard(
    _ reply: EndpointReply<BatchEnd>, to orders: [(id: DocumentID, order: SendOrder)]
  ) {
    var parts: [EndpointReply<PushEnd>] = []
    if case .parts(let answers) = reply.end { parts = answers }
    let verdicts = SendVerdict.verdicts(reply, to: orders.map(\.order.kind))
    for (place, verdict) in verdicts.enumerated() {
      let part = parts.count == orders.count ? parts[place] : EndpointReply<PushEnd>(.lost)
      heard(verdict, part, of: orders[place], in: orders.count)
    }
  }

  private func heard(
    _ verdict: SendVerdict, _ reply: EndpointReply<PushEnd>,
    of sent: (id: DocumentID, order: SendOrder),
    in count: Int
  ) {
    var shown: DocumentState?
    if case .answered(let answer) = reply.end { shown = answer.shown }
    let equal = shown?.copy.flatMap { known($0.value, of: sent.id, beside: sent.order) }
    take(sent.id, shown: shown) { entry, _ in
      entry.answered(verdict, equal: equal, inRequestOf: count)
    }
  }

  private func send(_ order: SendOrder, of id: DocumentID) -> PushRequest {
    let key = order.idempotencyKey(ofStore: name)
    let body = held[id]?.contents[order.revision] ?? .null
    switch order.kind {
    case .create: return .create(id, body, in: "notes", key: key)
    case .update(let version): return .update(id, body, from: version, in: "notes", key: key)
    case .delete(let version): return .delete(id, from: version, in: "notes", key: key)
    case .look: return .look(at: id, in: "notes")
    }
  }

  /// Reads all that is new; nothing of it counts if it can't be read to its end.
  private func pull() async {
    var told: [DocumentID: DocumentState] = [:]
    var place = checkpoint.map { ChangesPlace.since($0) } ?? .beginning
    var newest = checkpoint
    var isAll = false
    reading: while true {
      guard let reply = try? await endpoint.changes(in: "notes", from: place) else { return }
      switch reply.end {
      case .unchanged, .withoutLists: break reading
      case .forgot: return check(false, "this server forgets nothing")
      case .page(let page):
        for change in page.documents { told[change.id] = change.state }
        isAll = page.extent == .everything
        newest = page.checkpoint
        guard let next = page.next else { break reading }
        place = .page(next)
      }
    }
    checkpoint = newest
    if isAll {
      for (id, one) in held where one.base != nil && told[id] == nil { told[id] = .deleted(nil) }
    }
    for id in Set(told.keys).union(held.keys).sorted() { meet(told[id], id) }
  }

  private func meet(_ state: DocumentState?, _ id: DocumentID) {
    guard let one = held[id], one.entry != nil else {
      guard let state else { return }
      var one = held[id] ?? Held()
      one.base = state.copy
      one.local = state.copy?.value
      if case .deleted(let version) = state { one.tombstone = .at(version) }
      held[id] = one
      return
    }
    switch state {
    case nil: take(id) { entry, _ in entry.notShown() }
    case .present(let copy)?, .revived(let copy)?:
      if copy.version == one.base?.version { return take(id) { entry, _ in entry.notShown() } }
      let equal = known(copy.value, of: id)
      take(id, shown: state) { entry, _ in entry.shown(.present(copy), equal: equal) }
    case .forgotten?: check(false, "this server forgets nothing")
    case .deleted(let version)?:
      take(id, shown: state) { entry, _ in entry.shown(.deleted(version)) }
    }
  }

  private func known(
    _ value: DocumentValue, of id: DocumentID, beside order: SendOrder? = nil
  ) -> Revision? {
    guard let one = held[id], let entry = one.entry else { return nil }
    let revisions = entry.rememberedRevisions.union(order.map { [$0.revision] } ?? [])
    return revisions.filter { one.contents[$0] == value }.max()
  }

  func check(_ isTrue: Bool, _ claim: String) {
    if !isTrue { mistakes.append(claim) }
  }

  func fresh() -> Revision {
    lastRevision += 1
    return Revision(lastRevision)
  }
}
