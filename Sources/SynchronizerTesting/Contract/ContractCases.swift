import OneWaySynchronizer

/// The cases of one check, each over a fixture of its own.
struct ContractCases<Fixture: ProcessorFixture> {
  typealias Case = ContractCase<Fixture>
  typealias ID = Fixture.ID
  // These run where the caller of the contract does, which needn't be able to send them elsewhere.
  typealias Maker = nonisolated(nonsending) () async throws -> Fixture
  typealias Body = nonisolated(nonsending) (Case) async throws -> Void

  let check: ContractCheck
  let options: SyncOptions
  let findings: ContractFindings

  nonisolated(nonsending) func run(_ make: Maker) async throws {
    switch check {
    case .firstPass: try await inCase(make) { try await fill($0) }
    case .oddKeys: try await inCase(make, oddKeys)
    case .repeatedPass: try await inCase(make, repeatedPass)
    case .addedItem: try await inCase(make) { try await change($0, \.added) }
    case .changedItem: try await inCase(make) { try await change($0, \.changed) }
    case .removedItem: try await inCase(make) { try await change($0, \.removed) }
    case .partialList: try await partialList(make)
    case .changesList: try await changesList(make)
    case .namedKeys: try await inCase(make, repeatedPass)
    case .plan: try await plan(make)
    case .previews: try await previews(make)
    case .durability: try await durability(make)
    case .cancellation: try await cancellation(make)
    case .interruptedDownload: try await interruptedDownload(make)
    case .failedList: try await failedList(make)
    case .failedItem: try await failedItem(make)
    case .failedRemoval: try await failedRemoval(make)
    }
  }

  /// Runs a case over a new fixture.
  nonisolated(nonsending) func inCase(
    _ make: Maker, options: SyncOptions? = nil, _ body: Body
  ) async throws {
    let fixture = try await make()
    do {
      try await body(
        ContractCase(
          fixture, check: check, options: options ?? self.options, findings: findings))
    } catch is CaseIsOver {
      // What made it pointless to go on has been reported.
    } catch {
      await fixture.tearDown()
      throw error
    }
    await fixture.tearDown()
  }
}

/// The states that a case's source goes through.
struct SourceStates<ID: Hashable & Sendable> {
  let keys: [ID]

  /// Four items.
  var first: [ID: Int] { [keys[0]: 1, keys[1]: 1, keys[2]: 1, keys[3]: 1] }
  /// A fifth item is there.
  var added: [ID: Int] { first.merging([keys[4]: 1]) { $1 } }
  /// The second item has another content.
  var changed: [ID: Int] { first.merging([keys[1]: 2]) { $1 } }
  /// The third item is gone.
  var removed: [ID: Int] { first.filter { $0.key != keys[2] } }
  /// One changed, one gone.
  var shrunk: [ID: Int] { [keys[0]: 1, keys[1]: 2, keys[3]: 1] }
  /// One added, two changed, one gone, one as it was.
  var second: [ID: Int] { [keys[0]: 1, keys[1]: 2, keys[3]: 2, keys[4]: 1] }
  /// What a pass from the first state to the second downloads.
  var downloads: Set<ID> { touched(by: second) }

  /// What a pass from the first state to another downloads.
  func touched(by state: [ID: Int]) -> Set<ID> {
    Set(state.filter { first[$0.key] != $0.value }.keys)
  }
}

extension ContractCases {
  /// Brings the source's first state into an empty store.
  @discardableResult
  nonisolated(nonsending) func fill(
    _ one: Case, in session: Case.Session? = nil
  ) async throws -> SourceStates<ID> {
    let states = SourceStates(keys: try await one.plainKeys())
    try await one.setSource(states.first)
    // What is wrong with it needn't keep the case from coming to its point.
    if let pass = try await one.pass(in: session) { try one.judgeClean(pass) }
    return states
  }

  /// Brings the source's first state into an empty store, and the source to its second, or another.
  @discardableResult
  nonisolated(nonsending) func fillAndChange(
    _ one: Case, to state: (SourceStates<ID>) -> [ID: Int] = \.second,
    in session: Case.Session? = nil
  ) async throws -> SourceStates<ID> {
    let states = try await fill(one, in: session)
    try await one.setSource(state(states))
    return states
  }

  /// A pass that nothing disturbs: it succeeds, and what is held is what the source has. Ends the
  /// case if anything is wrong.
  ///
  /// - Parameters:
  ///   - session: One that ran passes before; a new one if `nil`.
  ///   - touching: The keys that may be downloaded; all if `nil`.
  nonisolated(nonsending) func cleanPass(
    _ one: Case, in session: Case.Session? = nil, touching: Set<ID>? = nil
  ) async throws {
    let reported = one.reported
    guard let pass = try await one.pass(in: session) else { return }
    try one.judgeClean(pass, touching: touching)
    try one.endCase(ifMoreThan: reported)
  }

  private nonisolated(nonsending) func oddKeys(_ one: Case) async throws {
    let keys = await one.fixture.oddKeys
    guard !keys.isEmpty else {
      return findings.skip(check, because: "the fixture gives no odd keys")
    }
    try await one.setSource(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
    try await cleanPass(one)
    try await cleanPass(one, touching: [])
    let kept = keys.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    try await one.setSource(Dictionary(uniqueKeysWithValues: kept.map { ($0, 1) }))
    try await cleanPass(one, touching: [])
  }

  nonisolated(nonsending) func repeatedPass(_ one: Case) async throws {
    let states = try await fill(one)
    try await cleanPass(one, touching: [])
    try await one.withSession { session in
      try await cleanPass(one, in: session, touching: [])
      try await one.setSource(states.second)
      try await cleanPass(one, in: session, touching: states.downloads)
      try await cleanPass(one, in: session, touching: [])
    }
  }

  nonisolated(nonsending) func change(
    _ one: Case, _ state: (SourceStates<ID>) -> [ID: Int]
  ) async throws {
    let states = try await fill(one)
    try await one.setSource(state(states))
    try await cleanPass(one, touching: states.touched(by: state(states)))
  }

  /// The processor never hears of the end of its pass, as when the program dies after the commit:
  /// what the commit vouched for must be there for the next processor all the same.
  private nonisolated(nonsending) func durability(_ make: Maker) async throws {
    try await inCase(make) { try await interrupted($0, .fail(.end)) }
    try await inCase(make) { try await revoked($0, .fail(.end)) }
  }
}
