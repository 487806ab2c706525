import TestSupport

@testable import DocumentSync

/// Many entries and a server that takes batches: the whole room at work, with the least of a
/// performer around it.
struct PassModel {
  /// What the server does beside storing.
  struct Faults {
    /// Documents that it refuses.
    var poison: Set<DocumentID> = []
    /// Documents that it breaks over, taking nothing of their batch.
    var breaking: Set<DocumentID> = []
    /// The largest batch that it takes.
    var mostEntries = Int.max
    /// Once in so many requests the answer, or the request, is lost; never, if `nil`.
    var loss: Int?
  }

  var faults = Faults()
  private(set) var entries: [DocumentID: OutboxEntry] = [:]
  /// What the server has, in the order of its arrival.
  private(set) var delivered: [DocumentID] = []
  /// The sizes of the requests.
  private(set) var requests: [Int] = []
  private(set) var violations: [String] = []
  private var limits: BatchLimits
  private var random: SeededGenerator
  private var lanes: SendLanes
  private var pause = ServerPause()
  private var now: Int64 = 0
  private var queue: [DocumentID] = []
  private var stored: Set<DocumentID> = []
  private var synced: Set<DocumentID> = []
  private var open: [Int: [DocumentID]] = [:]
  private var wentLast: Set<DocumentID> = []
  private var lastRevision: Int64 = 0

  init(seed: UInt64, batch: Int, sideBySide: Int = 2) {
    random = SeededGenerator(seed: seed)
    limits = BatchLimits(entries: batch, bytes: 1_000_000)
    lanes = SendLanes(limit: sideBySide)
  }

  /// A document is made; answers whether it may go after the others.
  @discardableResult
  mutating func make(_ name: String, in lane: String, after: [String] = []) -> Bool {
    let id = DocumentID(name)
    let others = Set(after.map(DocumentID.init))
    let circle = WaitingCircle(of: id, after: others) { [entries] in entries[$0]?.awaits ?? [] }
    guard circle == nil else { return false }
    entries[id] = OutboxEntry(
      number: Int64(queue.count), id: id, collection: lane, revision: fresh(), change: .create,
      awaits: others)
    queue.append(id)
    return true
  }

  /// Sends until nothing is left to be sent, or the server has been in trouble too often; answers
  /// whether it ended well.
  mutating func sync() -> Bool {
    var budget = TryBudget()
    wentLast = []
    now += 1_000_000
    while true {
      while begin() {}
      guard let request = open.keys.sorted().randomElement(using: &random) else { return true }
      guard requests.count < 20_000 else {
        violations.append("it comes to an end")
        return false
      }
      let trouble = end(request)
      guard trouble else {
        pause.answered(at: now)
        budget.answered()
        continue
      }
      let wait = pause.troubled(at: now, sentAt: now, random: 0.5)
      let time = Duration.milliseconds(now)
      now += 1 + wait.components.seconds * 1_000
      guard budget.troubled(at: time, sentAt: time, wait: wait) == nil else { continue }
      for request in open.keys.sorted() { _ = end(request) }
      return false
    }
  }

  // MARK: - Sending

  private mutating func begin() -> Bool {
    let ready = queue.filter { isReady($0) }
    var heads: [String: Int64] = [:]
    for id in ready {
      guard let entry = entries[id], heads[entry.collection] == nil else { continue }
      heads[entry.collection] = entry.number
    }
    var packing = BatchPacking(limits: limits)
    var used: Set<String> = []
    for lane in lanes.free(heads: heads, isProbing: pause.troubles > 0) where !packing.isClosed {
      let ids = ready.filter { entries[$0]?.collection == lane }
      let last = ids.filter { entries[$0]?.batchShare == .last }
      for id in ids.filter({ entries[$0]?.batchShare != .last }) + last {
        guard let entry = entries[id] else { continue }
        let candidate = BatchPacking.Candidate(
          id: id, bytes: 100, awaits: entry.awaits, batchShare: entry.batchShare)
        let answer = packing.offer(candidate)
        if answer == .packed { used.insert(lane) }
        if answer == .closed { break }
      }
    }
    guard !packing.ids.isEmpty else { return false }
    requests.append(packing.ids.count)
    open[requests.count] = packing.ids
    lanes.began(requests.count, from: used)
    for id in packing.ids {
      if entries[id]?.batchShare == .last { wentLast.insert(id) }
      let fresh = fresh()
      let order = entries[id]?.sendBegan(fresh: fresh)
      if order?.kind != .create { violations.append("all that is sent here is made") }
    }
    return true
  }

  private mutating func isReady(_ id: DocumentID) -> Bool {
    guard var entry = entries[id], entry.phase == .waiting, !wentLast.contains(id) else {
      return false
    }
    let readiness = Readiness(awaiting: entry.awaits) { other in
      entries[other]?.asPredecessor ?? (synced.contains(other) ? .synced : .unknown)
    }
    entry.awaits.subtract(readiness.satisfied)
    if !readiness.satisfied.isEmpty { entries[id] = entry }
    return readiness.waitsFor.isEmpty
  }

  // MARK: - Answers

  /// Ends a request; answers whether it met trouble.
  private mutating func end(_ request: Int) -> Bool {
    let ids = open.removeValue(forKey: request) ?? []
    lanes.ended(request)
    let verdicts = SendVerdict.verdicts(answer(to: ids), to: ids.map { _ in .create })
    for (id, verdict) in zip(ids, verdicts) {
      // This server has what it was sent, if anything.
      let sent = entries[id]?.revision
      let step = entries[id]?.answered(verdict, equal: sent, inRequestOf: ids.count)
      guard case .leaves = step else { continue }
      entries[id] = nil
      synced.insert(id)
      if !stored.contains(id) { violations.append("what leaves is at the server") }
    }
    queue.removeAll { entries[$0] == nil }
    return verdicts.contains { verdict in
      if case .isInTrouble = verdict.notice { return true }
      return false
    }
  }

  private mutating func answer(to ids: [DocumentID]) -> EndpointReply<BatchEnd> {
    if ids.count > faults.mostEntries {
      return EndpointReply<BatchEnd>(.whole(.answered(PushAnswer(status: 413))))
    }
    if let loss = faults.loss, random.oneIn(loss) {
      if random.oneIn(2) { _ = ids.map { take($0) } }
      return EndpointReply<BatchEnd>(.whole(.lost))
    }
    if !faults.breaking.isDisjoint(with: ids) {
      return EndpointReply<BatchEnd>(.whole(.answered(PushAnswer(status: 500))))
    }
    return EndpointReply<BatchEnd>(.parts(ids.map { EndpointReply<PushEnd>(.answered(take($0))) }))
  }

  private mutating func take(_ id: DocumentID) -> PushAnswer {
    guard !faults.poison.contains(id) else { return PushAnswer(status: 400) }
    guard stored.insert(id).inserted else { return PushAnswer(status: 412, shown: .copy(.one)) }
    delivered.append(id)
    return PushAnswer(status: 201, version: .one)
  }

  private mutating func fresh() -> Revision {
    lastRevision += 1
    return Revision(lastRevision)
  }
}
