import DocumentTesting
import OneWaySynchronizer
import TestSupport

@testable import DocumentSync

/// Two devices and two accounts: whoever is signed in edits, syncs, signs out, or somebody else
/// signs in, while whatever can go wrong with a network does; then all come to rest.
///
/// Every value that is saved is a token that occurs once. Whose it may be is known: of who was
/// signed in then, and of who took over what wasn't sent, with what that stood on. Nobody else ever
/// sees it, or has it sent or merged.
struct AccountsStory {
  static let names = ["ann", "bob"]
  static let ids = ["milk", "bread", "eggs"].map(DocumentID.init)
  static let members = ["a", "b"]

  let seed: UInt64
  private let policies: [ConflictPolicy]
  private let faults: [ServerFault]
  private var servers: [String: ReferenceServer] = [:]
  private let time = SyncedReplica.Time()
  private var devices: [AccountDevice] = []
  private var random: SeededGenerator
  private var book = AccountTokens()
  private(set) var problems: [String] = []
  private(set) var log: [String] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let lines: [[ConflictPolicy]] = [
      [.merge], [.serverWins], [.localWins(atMost: 3)], [.latest], [.merge, .ask],
    ]
    policies = lines[Int(seed % UInt64(lines.count))]
    faults = seed % 4 == 0 ? [] : ServerFault.ordinary
    for (place, name) in Self.names.enumerated() {
      // What one account has is never taken for a version of the other's.
      let start = 1_700_000_000_000 + Int64(place) * 1_000_000_000
      var manners = ServerManners(pageSize: 2)
      if seed % 3 == 0 { manners.showsConflicts = false }
      if seed % 7 == 0 { manners.capabilities.features.remove(.tombstones) }
      servers[name] = ReferenceServer(manners: manners, start: start)
    }
  }

  /// Tells the story.
  mutating func run() async throws {
    for place in 0..<2 {
      let faults = faults
      let endpoints = Dictionary(
        uniqueKeysWithValues: Self.names.map { name in
          let plan = FaultPlan.seeded(random.next(), oneIn: 5, among: faults)
          let server = servers[name] ?? ReferenceServer()
          return (name, server.endpoint(named: "\(place)", faults: faults.isEmpty ? .none : plan))
        })
      devices.append(try await AccountDevice(endpoints, time, policies))
    }
    for _ in 0..<30 {
      for place in devices.indices { try await step(place) }
    }
    try await comeToRest()
    try await check()
    for device in devices { await device.replica.close() }
  }

  // MARK: - What happens

  private mutating func step(_ place: Int) async throws {
    time.advance(by: .seconds(Int.random(in: 1...4_000, using: &random)))
    for name in Self.names { servers[name]?.advance(by: .seconds(1)) }
    let id = Self.ids[Int.random(in: Self.ids.indices, using: &random)]
    switch Int.random(in: 0..<14, using: &random) {
    case 0..<5: try await save(id, place)
    case 5: try await delete(id, place)
    case 6..<10: try await sync(place)
    case 10: try await signOut(place)
    case 11..<14: try await signIn(place)
    default: break
    }
    try await look(place)
  }

  private mutating func save(_ id: DocumentID, _ place: Int) async throws {
    let device = devices[place]
    let old = try await device.get(id)
    let member = Self.members[Int.random(in: Self.members.indices, using: &random)]
    let token = book.fresh(of: device.name)
    if let replaced = old?[member] { book.replaced(replaced.tokens) }
    log.append("\(place) saves \(id) \(member)=\(token)")
    let content = try (old ?? [:]).setting(member, to: DocumentValue(token))
    try await device.replica.save(id, content, in: "notes")
  }

  private mutating func delete(_ id: DocumentID, _ place: Int) async throws {
    book.replaced(try await devices[place].get(id)?.tokens ?? [])
    log.append("\(place) deletes \(id)")
    try await devices[place].replica.delete(id)
  }

  private mutating func sync(_ place: Int) async throws {
    let report = try await devices[place].sync()
    log.append("\(place) syncs: \(report)")
    for name in Self.names {
      let sent = servers[name].map { $0.documents(in: "notes").values.map(\.value) } ?? []
      claim(book.mayBe(sent, of: name), "the server has of \(name) what is theirs: \(sent)")
    }
  }

  private mutating func signOut(_ place: Int) async throws {
    log.append("\(place) signs out")
    try await devices[place].account.signOut()
  }

  private mutating func signIn(_ place: Int) async throws {
    let name = Self.names[Int.random(in: Self.names.indices, using: &random)]
    let wishes: [UnsentEdits] = [.refuse, .refuse, .refuse, .keep, .drop]
    let unsent = wishes[Int.random(in: wishes.indices, using: &random)]
    try await signIn(place, name, unsent)
  }

  /// Signs somebody in, unless what wasn't sent keeps them from it. Answers whether that was so.
  @discardableResult
  private mutating func signIn(
    _ place: Int, _ name: String, _ unsent: UnsentEdits
  ) async throws -> Bool {
    let device = devices[place]
    let others = ([""] + Self.names).filter { $0 != name }
    var left: [String: Set<String>] = [:]
    for other in others { left[other] = try await device.unsent(of: other) }
    do {
      let password = AccountsEndpoint.password(of: name)
      try await device.account.signIn(name: name, password: password, unsent: unsent)
    } catch DocumentError.unsentEdits(let count) {
      log.append("\(place) isn't \(name): \(count) unsent")
      claim(unsent == .refuse, "who keeps or drops what is unsent signs in")
      return false
    }
    log.append("\(place) is \(name), \(unsent)")
    for (other, tokens) in left {
      if other.isEmpty || unsent == .keep { book.moves(tokens, to: name) }
      if !other.isEmpty, unsent == .drop { book.replaced(tokens) }
    }
    return true
  }

  /// Whoever is signed in sees what is theirs.
  private mutating func look(_ place: Int) async throws {
    let (device, seen) = (devices[place], try await devices[place].seen())
    claim(book.mayBe(seen, of: device.name), "\(place) sees what is \(device.name)'s: \(seen)")
  }

  // MARK: - Rest

  private mutating func comeToRest() async throws {
    for (_, server) in servers.sorted(by: { $0.key < $1.key }) {
      server.deliverLate()
      for place in devices.indices { server.setFaults(.none, of: "\(place)") }
    }
    for _ in 0..<8 {
      for place in devices.indices {
        for name in Self.names where try await signIn(place, name, .refuse) {
          try await devices[place].decide(Self.ids)
          try await sync(place)
          try await look(place)
        }
      }
    }
  }

  private mutating func check() async throws {
    var found: Set<String> = []
    for name in Self.names {
      let there = servers[name]?.documents(in: "notes").mapValues(\.value.withoutTimes) ?? [:]
      found.formUnion(there.values.flatMap(\.tokens))
      for place in devices.indices {
        let isIn = try await signIn(place, name, .refuse)
        claim(isIn, "nothing of others is unsent at \(place)")
        let device = devices[place]
        _ = try await device.sync()
        let again = try await device.sync()
        claim(again.isEmpty, "one more sync of \(name) at \(place) does nothing: \(again)")
        let counts = try await device.replica.summary().counts
        claim(counts.outbox == 0, "the outbox of \(name) at \(place) is empty")
        var here: [DocumentID: DocumentValue] = [:]
        for id in Self.ids { here[id] = try await device.get(id) }
        claim(here == there, "\(place) has what the server has of \(name): \(here), \(there)")
        found.formUnion(try await device.lost())
      }
    }
    let missing = book.left(without: found)
    claim(missing.isEmpty, "what was saved and is nowhere: \(missing.sorted())")
  }

  private mutating func claim(_ isTrue: Bool, _ claim: String) {
    if !isTrue { problems.append("seed \(seed): not so that \(claim)") }
  }
}

/// What was saved, by whom, what was replaced by somebody who saw it, and who took it over.
private struct AccountTokens {
  private var count = 0
  private var saved: Set<String> = []
  private var replaced: Set<String> = []
  /// Whose each may be.
  private var owners: [String: Set<String>] = [:]

  mutating func fresh(of name: String) -> String {
    count += 1
    let token = "\(name.isEmpty ? "nobody" : name)-\(count)"
    saved.insert(token)
    owners[token] = [name]
    return token
  }

  mutating func replaced(_ tokens: Set<String>) { replaced.formUnion(tokens) }

  mutating func moves(_ tokens: Set<String>, to name: String) {
    for token in tokens { owners[token, default: []].insert(name) }
  }

  func mayBe(_ values: [DocumentValue], of name: String) -> Bool {
    values.allSatisfy { value in
      value.withoutTimes.tokens.allSatisfy { owners[$0]?.contains(name) ?? false }
    }
  }

  func left(without found: Set<String>) -> Set<String> {
    saved.subtracting(replaced).subtracting(found)
  }
}
