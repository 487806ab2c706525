@testable import DocumentSync

// MARK: - Checks

extension StoreWalk {
  mutating func compare() async throws {
    let (ids, scope) = (ids, scope)
    let (stored, lost, counts) = try await store.read { reader in
      (try ids.map { try reader.stored($0) }, try reader.lost().map(\.loss), try reader.counts())
    }
    for (id, stored) in zip(ids, stored) {
      var expected: StoredDocument? = naive.document(id)
      if expected?.isNothing == true { expected = nil }
      check(stored == expected, "\(id): \(stored, default: "-"), not \(expected, default: "-")")
    }
    check(lost == naive.lost, "what was lost")
    check(counts.outbox == naive.entries.count, "how many are to be sent")
    check(counts.documents == ids.filter { naive.document($0).body != nil }.count, "how many")
    check(counts.conflicts == ids.filter { naive.document($0).isInConflict }.count, "conflicts")
    let ready = try await store.sync { try $0.ready(in: scope, limit: 9).map(\.candidate.id) }
    check(ready == naive.ready, "the order")
    for (id, life) in zip(ids, try await store.read { reader in try ids.map(reader.life) }) {
      check(life != nil || naive.document(id).isNothing, "\(id) has a life")
      check(life.map(Self.makesSense) ?? true, "\(id): \(life?.sentences ?? [])")
    }
  }

  private static func makesSense(_ life: DocumentLife) -> Bool {
    let times = life.moments.map(\.time)
    let isSynced = life.status?.state == .synced
    return life.moments.count <= 51 && times == times.sorted()
      && life.moments.allSatisfy { $0.event != nil }
      && (life.status.map { ($0.reason == nil) == isSynced } ?? true)
  }

  /// At rest, who pulls everything anew has the same digest.
  mutating func compareWithAnother() async throws {
    let other = try await DocumentStore(.memory)
    let page = PulledPage(server.changes(from: 0).map(\.news))
    try await other.sync { [scope] in _ = try $0.pulled(page, of: scope) }
    var seen: [(String, Bool)] = []
    for store in [store, other] {
      seen.append(try await store.read { (try $0.digest(), try $0.isAtRest()) })
    }
    check(seen[0] == seen[1] && seen[0].1, "replicas at rest are the same")
  }

  mutating func check(_ isTrue: Bool, _ claim: String) {
    if !isTrue { violations.append(claim) }
  }
}
