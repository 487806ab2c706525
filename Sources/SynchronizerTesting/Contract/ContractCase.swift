import OneWaySynchronizer
import SyncLock

/// One fixture with what it has been through: sets its source, runs passes over it, and compares
/// what is held with what must be.
final class ContractCase<Fixture: ProcessorFixture> {
  typealias ID = Fixture.ID

  let fixture: Fixture
  let check: ContractCheck
  let options: SyncOptions
  private let findings: ContractFindings
  private var source: [ID: String] = [:]
  /// What these are held as.
  private var fingerprints: [ID: String] = [:]
  /// What every content that the source ever had is held as.
  private var everServed: [ID: Set<String>] = [:]

  init(_ fixture: Fixture, check: ContractCheck, options: SyncOptions, findings: ContractFindings) {
    self.fixture = fixture
    self.check = check
    self.options = options
    self.findings = findings
  }

  /// The keys that the cases work with; at least five.
  nonisolated(nonsending) func plainKeys() async throws -> [ID] {
    let keys = await fixture.plainKeys
    guard Set(keys).count >= 5 else { throw FixtureProblem.tooFewKeys(Set(keys).count) }
    return keys
  }

  /// Sets what the source has: for each key the number of its revision.
  nonisolated(nonsending) func setSource(_ revisions: [ID: Int]) async throws {
    source = Dictionary(
      uniqueKeysWithValues: revisions.map { ($0.key, Self.content(of: $0.key, revision: $0.value)) }
    )
    fingerprints = [:]
    for (key, content) in source {
      let fingerprint = await fixture.fingerprint(of: content)
      fingerprints[key] = fingerprint
      everServed[key, default: []].insert(fingerprint)
    }
    try await fixture.setSource(source)
  }

  /// Text of about a kilobyte, no part of which could be taken for the whole of another.
  static func content(of key: ID, revision: Int) -> String {
    (0..<30).map { "line \($0) of revision \(revision) of \(key)\n" }.joined()
  }

  func report(
    _ problem: Violation.Problem, _ key: ID? = nil, during disturbance: Disturbance<ID> = .none
  ) {
    findings.add(
      Violation(
        check: check, key: key.map { "\($0)" }, problem: problem, circumstance: "\(disturbance)"))
  }

  func report(
    _ problem: Violation.Problem, _ keys: Set<ID>, during disturbance: Disturbance<ID> = .none
  ) {
    for key in inOrder(keys) { report(problem, key, during: disturbance) }
  }
}

extension ContractCase {
  struct Pass {
    var result: Result<SyncReport<ID>, any Error>
    var notes: PassNotes<ID>
    /// What was held before it, and what after it.
    var before: [ID: String]
    var after: [ID: String]
  }

  /// Runs a pass with a new processor, which is closed afterwards.
  ///
  /// `nil` when the fixture's source can't be disturbed like that.
  nonisolated(nonsending) func pass(
    _ disturbance: Disturbance<ID> = .none, options: SyncOptions? = nil
  ) async throws -> Pass? {
    try await withProcessor { try await pass(with: $0, disturbance, options: options) }
  }

  /// Makes a processor, and closes it whatever happens.
  nonisolated(nonsending) func withProcessor<Value>(
    _ body: nonisolated(nonsending) (Fixture.Processor) async throws -> Value
  ) async throws -> Value {
    let processor = try await fixture.makeProcessor()
    do {
      let value = try await body(processor)
      try await fixture.close(processor)
      return value
    } catch {
      try? await fixture.close(processor)
      throw error
    }
  }

  /// Runs a pass with a processor that may have run others before.
  nonisolated(nonsending) func pass(
    with processor: Fixture.Processor, _ disturbance: Disturbance<ID> = .none,
    options: SyncOptions? = nil
  ) async throws -> Pass? {
    let before = try await fixture.localState()
    let probe = ProbeProcessor(processor, disturbance: disturbance) { [fixture] in
      try await fixture.localState()
    }
    let interception = disturbance.interception(reached: { probe.noteInterception() }) {
      probe.cancel()
    }
    if let interception {
      guard try await fixture.setInterception(interception) else { return nil }
    }
    let result = await run(probe, options: options ?? self.options)
    if interception != nil { _ = try await fixture.setInterception(nil) }
    let pass = Pass(
      result: result, notes: probe.notes, before: before,
      after: try await fixture.localState())
    judgeNotes(of: pass, disturbance)
    return pass
  }

  private nonisolated(nonsending) func run(
    _ probe: ProbeProcessor<Fixture.Processor>, options: SyncOptions
  ) async -> Result<SyncReport<ID>, any Error> {
    let synchronizer = Synchronizer(processor: probe, options: options)
    probe.setCancel { [weak synchronizer] in synchronizer?.cancel() }
    defer { probe.setCancel(nil) }
    do {
      return .success(try await synchronizer.sync())
    } catch {
      return .failure(error)
    }
  }

  /// What must be true of every pass, however it ended.
  private func judgeNotes(of pass: Pass, _ disturbance: Disturbance<ID>) {
    let wanted = Set(source.keys)
    if let list = pass.notes.list {
      report(.inventedInList, list.keys.subtracting(wanted), during: disturbance)
      if list.isComplete { report(.notInList, wanted.subtracting(list.keys), during: disturbance) }
    }
    if let (keys, held) = pass.notes.local { judge(keys, against: held, disturbance) }
    report(.namedDifferently, pass.notes.misnamed, during: disturbance)
    if !pass.notes.countsAgree { report(.namedDifferently, during: disturbance) }
    report(.needlessRemoval, pass.notes.toRemove.intersection(wanted), during: disturbance)
    report(.lost, pass.notes.lostInRemoval, during: disturbance)
    report(.notRemoved, pass.notes.removed.intersection(pass.after.keys), during: disturbance)
    let unkept = pass.notes.committed.filter { pass.after[$0] != fingerprints[$0] }
    report(.committedNotHeld, unkept, during: disturbance)
  }

  private func judge(_ keys: Set<ID>, against held: [ID: String], _ disturbance: Disturbance<ID>) {
    for key in inOrder(keys.union(held.keys)) {
      let isWhole = held[key].map { everServed[key, default: []].contains($0) } ?? false
      switch (keys.contains(key), held[key] != nil, isWhole) {
      case (true, false, _): report(.listedNotHeld, key, during: disturbance)
      case (true, true, false): report(.listedNotWhole, key, during: disturbance)
      case (false, true, true): report(.heldNotListed, key, during: disturbance)
      case (true, true, true), (false, true, false), (false, false, _): break
      }
    }
  }

  /// Compares what is held after a pass with what must be.
  ///
  /// - Parameter demand: What the pass must have made of each item.
  func judge(
    _ pass: Pass, _ disturbance: Disturbance<ID> = .none,
    demand: (ID) -> ItemHistory.Demand = { _ in .renewed }
  ) {
    let leavesVanished = pass.notes.list?.isPartial ?? false
    for key in inOrder(Set(source.keys).union(pass.before.keys).union(pass.after.keys)) {
      var history = ItemHistory(
        before: pass.before[key], source: fingerprints[key], demand: demand(key))
      if history.source == nil, leavesVanished { history.demand = .either }
      if let problem = history.problem(holding: pass.after[key]) {
        report(problem, key, during: disturbance)
      }
    }
  }
}

/// A fixture that can't be worked with.
enum FixtureProblem: Error, CustomStringConvertible {
  case tooFewKeys(Int)

  var description: String {
    switch self {
    case .tooFewKeys(let count): "plainKeys has \(count) different keys; give at least five"
    }
  }
}

/// Keys in an order that is the same every time.
private func inOrder<ID: Hashable>(_ keys: Set<ID>) -> [ID] {
  keys.map { (key: $0, text: "\($0)") }.sorted { $0.text < $1.text }.map(\.key)
}
