import DocumentTesting
import OneWaySynchronizer
import SyncDatabase
import TestSupport

@testable import DocumentSync

/// Three replicas edit the same few documents over one server, mostly offline, while whatever can
/// go wrong does; then all come to rest.
///
/// Every value that is saved is a token that occurs once, so that it can be told what became of it.
struct ConvergenceStory {
  /// What a seed decides of the setting.
  struct Setting {
    var policies: [ConflictPolicy]
    var manners: ServerManners
    var faults: [ServerFault]
    var isAccidental: Bool
    /// Whether the last replica holds what a filter lets through, and not all.
    var holdsPart: Bool
    var stamps: Bool { policies.contains(.latest) }
  }

  static let ids = ["milk", "bread", "eggs", "salt", "oil"].map(DocumentID.init)
  static let members = ["a", "b", "c"]
  /// Which documents of a part are held.
  static let part = CollectionFilter([.init("n", "1")])

  let seed: UInt64
  let setting: Setting
  private let server: ReferenceServer
  private let time = SyncedReplica.Time()
  private var replicas: [SyncedReplica] = []
  private var random: SeededGenerator
  private var tokens = TokenBook()
  /// What isn't as it should be.
  private(set) var problems: [String] = []
  /// Everything that happened, so that a seed can be told again.
  private(set) var log: [String] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    setting = Setting(seed: seed)
    server = ReferenceServer(manners: setting.manners)
  }

  /// Tells the story.
  mutating func run() async throws {
    try await begin()
    for _ in 0..<24 {
      for place in replicas.indices { try await step(place) }
    }
    try await comeToRest()
    try await check()
  }

  // MARK: - What happens

  private mutating func begin() async throws {
    for name in ["one", "two", "three"] {
      var one = SyncedReplica.Setting()
      let filter = setting.holdsPart && name == "three" ? Self.part : nil
      one.collections = [
        SyncedCollection("notes", policies: setting.policies, filter: filter)
      ]
      one.removals = .within(.unlimited)
      one.skew = .seconds(Int.random(in: -300_000...300_000, using: &random))
      let faults = FaultPlan.seeded(random.next(), oneIn: 4, among: setting.faults)
      replicas.append(
        try await SyncedReplica(server.endpoint(named: name, faults: faults), time, one))
    }
  }

  private mutating func step(_ place: Int) async throws {
    time.advance(by: .seconds(Int.random(in: 1...4_000, using: &random)))
    server.advance(by: .seconds(1))
    let id = Self.ids[Int.random(in: Self.ids.indices, using: &random)]
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: try await save(id, place)
    case 5: try await delete(id, place)
    case 6 where setting.isAccidental: befall()
    case 6..<10: try await sync(place)
    default: break
    }
  }

  private mutating func save(_ id: DocumentID, _ place: Int) async throws {
    let replica = replicas[place]
    let old = try await replica.get(id)
    let member = Self.members[Int.random(in: Self.members.indices, using: &random)]
    let token = tokens.fresh(at: place)
    if let replaced = old?[member] { tokens.replaced(replaced) }
    var content = try (old ?? [:]).setting(member, to: DocumentValue(token))
    if setting.holdsPart {
      content = try content.setting("n", to: DocumentValue(Int64.random(in: 0...1, using: &random)))
    }
    log.append("\(place) saves \(id) \(member)=\(token)")
    try await replica.save(id, content, stamps: setting.stamps)
  }

  private mutating func delete(_ id: DocumentID, _ place: Int) async throws {
    let old = try await replicas[place].get(id)
    if let old { tokens.replaced(old) }
    log.append("\(place) deletes \(id)")
    try await replicas[place].delete(id)
  }

  private mutating func befall() {
    let accidents: [ServerAccident] = [.backUp, .flush, .restore, .replacement]
    let accident = accidents[Int.random(in: accidents.indices, using: &random)]
    log.append("\(accident)")
    server.suffer(accident)
  }

  private mutating func sync(_ place: Int) async throws {
    let report = try await replicas[place].trySync(SyncWishes(overridesWait: true))
    log.append("\(place) syncs: \(report.summary)")
  }

  // MARK: - Rest

  private mutating func comeToRest() async throws {
    server.deliverLate()
    for name in ["one", "two", "three"] { server.setFaults(.none, of: name) }
    for _ in 0..<8 {
      for place in replicas.indices {
        try await decide(place)
        try await sync(place)
      }
    }
  }

  /// Decides whatever waits for somebody, and tries again what was set aside.
  private mutating func decide(_ place: Int) async throws {
    let replica = replicas[place]
    for id in Self.ids {
      guard try await replica.store.read({ try $0.conflict(id) }) != nil else { continue }
      log.append("\(place) decides about \(id)")
      _ = try await replica.store.edit { try $0.resolve(id, .here) }
    }
    _ = try await replica.store.edit { try $0.retryAll() }
  }

  private mutating func check() async throws {
    var held: [[DocumentID: DocumentValue]] = []
    for (place, replica) in replicas.enumerated() {
      if setting.holdsPart {
        try await replica.sync(SyncWishes(overridesWait: true, listsFilters: true))
      }
      let counts = try await replica.counts()
      claim(counts.outbox == 0, "the outbox of \(place) is empty")
      claim(counts.conflicts == 0, "nothing waits for a decision at \(place)")
      var documents: [DocumentID: DocumentValue] = [:]
      for id in Self.ids { documents[id] = try await replica.get(id) }
      held.append(documents)
      let changes = await writes(replica)
      let report = try await replica.trySync(SyncWishes(overridesWait: true))
      claim(report.isQuiet, "one more sync of \(place) does nothing: \(report.summary)")
      let after = await writes(replica)
      claim(after == changes, "one more sync of \(place) writes nothing")
    }
    let there = server.documents(in: "notes").mapValues(\.value.withoutTimes)
    for (place, documents) in held.enumerated() {
      let isPart = setting.holdsPart && place == 2
      let meant = isPart ? there.filter { $0.value["n"] == DocumentValue(Int64(1)) } : there
      claim(documents == meant, "\(place) has what the server has: \(documents) and \(meant)")
    }
    if !setting.isAccidental { try await checkTokens(in: there) }
  }

  /// Each value that was saved is there, was replaced by somebody who saw it, or is told as lost.
  private mutating func checkTokens(in documents: [DocumentID: DocumentValue]) async throws {
    var found: Set<String> = []
    for value in documents.values { found.formUnion(value.tokens) }
    for replica in replicas {
      for change in try await replica.store.read({ try $0.lost() }) {
        found.formUnion(change.loss.value?.tokens ?? [])
      }
    }
    let missing = tokens.left(without: found)
    claim(missing.isEmpty, "what was saved and is nowhere: \(missing.sorted())")
  }

  private func writes(_ replica: SyncedReplica) async -> Int64 {
    (try? await replica.store.withConnection { $0.totalChanges }) ?? -1
  }

  private mutating func claim(_ isTrue: Bool, _ claim: String) {
    if !isTrue { problems.append("seed \(seed): not so that \(claim)") }
  }
}

/// What was saved, and what was replaced by somebody who saw it.
private struct TokenBook {
  private var count = 0
  private var saved: Set<String> = []
  private var replaced: Set<String> = []

  mutating func fresh(at place: Int) -> String {
    count += 1
    saved.insert("\(place)-\(count)")
    return "\(place)-\(count)"
  }

  mutating func replaced(_ value: DocumentValue) { replaced.formUnion(value.tokens) }

  func left(without found: Set<String>) -> Set<String> {
    saved.subtracting(replaced).subtracting(found)
  }
}

extension ConvergenceStory.Setting {
  init(seed: UInt64) {
    let lines: [[ConflictPolicy]] = [
      [.merge], [.merge, .localWins(atMost: 3)], [.serverWins], [.localWins(atMost: 3)],
      [.latest], [.ask], [.merge, .ask],
    ]
    policies = lines[Int(seed % UInt64(lines.count))]
    manners = ServerManners(pageSize: 2)
    if seed % 2 == 0 { manners.capabilities.features.remove(.idempotencyKeys) }
    if seed % 3 == 0 { manners.showsConflicts = false }
    if seed % 5 == 0 { manners.capabilities.batchEntries = 1 }
    if seed % 11 == 0 { manners.capabilities.features.remove(.tombstones) }
    if seed % 13 == 0 { manners.capabilities.features.remove(.revivals) }
    faults = ServerFault.ordinary
    isAccidental = seed % 10 == 9
    holdsPart = seed % 4 == 1
  }
}
