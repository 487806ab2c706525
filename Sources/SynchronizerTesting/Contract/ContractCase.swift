import OneWaySynchronizer

/// One fixture with what it has been through: sets its source, runs passes over it, and compares
/// what is held with what must be.
final class ContractCase<Fixture: ProcessorFixture> {
  typealias ID = Fixture.ID

  let fixture: Fixture
  let check: ContractCheck
  let options: SyncOptions
  private let findings: ContractFindings
  private(set) var source: [ID: String] = [:]
  /// What these are held as.
  private(set) var fingerprints: [ID: String] = [:]
  /// What every content that the source ever had is held as.
  private(set) var everServed: [ID: Set<String>] = [:]
  private(set) var form = ListForm<ID>.whole
  /// The last thing that was done to a pass, which the next one shows.
  private var past: String?
  /// Keys of which the preview was fetched, and the content wasn't.
  private var previewedOnly: Set<ID> = []
  /// How much was reported.
  private(set) var reported = 0

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

  /// Sets the form of the source's list; answers whether it has one.
  nonisolated(nonsending) func setForm(_ form: ListForm<ID>) async throws -> Bool {
    guard try await fixture.setListForm(form) else { return false }
    self.form = form
    return true
  }

  /// Text of about a kilobyte, no part of which could be taken for the whole of another.
  static func content(of key: ID, revision: Int) -> String {
    (0..<30).map { "line \($0) of revision \(revision) of \(key)\n" }.joined()
  }
}

extension ContractCase {
  func report(
    _ problem: Violation.Problem, _ key: ID? = nil, during disturbance: Disturbance<ID> = .none,
    in call: String? = nil
  ) {
    var circumstance = "\(disturbance)"
    if case .none = disturbance, let past { circumstance += "; the pass before: \(past)" }
    if let call { circumstance += ", in \(call)" }
    reported += 1
    findings.add(
      Violation(
        check: check, key: key.map { "\($0)" }, problem: problem, circumstance: circumstance))
  }

  func report(
    _ problem: Violation.Problem, _ keys: Set<ID>, during disturbance: Disturbance<ID> = .none
  ) {
    for key in inOrder(keys) { report(problem, key, during: disturbance) }
  }

  /// Ends the case if anything was reported since so much had been: what comes after would only say
  /// the same in other words.
  func endCase(ifMoreThan reported: Int) throws {
    if self.reported > reported { throw CaseIsOver() }
  }

  /// Reports the first of these keys, if any, and ends the case.
  func endCase(
    by problem: Violation.Problem, _ keys: Set<ID>, during disturbance: Disturbance<ID>,
    in call: (ID) -> String? = { _ in nil }
  ) throws {
    guard let key = inOrder(keys).first else { return }
    report(problem, key, during: disturbance, in: call(key))
    throw CaseIsOver()
  }
}

extension ContractCase {
  /// A processor with the synchronizer that runs its passes.
  struct Session {
    let processor: ProbeProcessor<Fixture.Processor>
    let synchronizer: Synchronizer<ProbeProcessor<Fixture.Processor>>
  }

  struct Pass {
    var result: Result<SyncReport<ID>, any Error>
    var notes: PassNotes<ID>
    /// What was held before it, and what after it.
    var before: [ID: String]
    var after: [ID: String]
  }

  /// Makes a processor, and closes it whatever happens.
  nonisolated(nonsending) func withSession<Value>(
    _ body: nonisolated(nonsending) (Session) async throws -> Value
  ) async throws -> Value {
    let processor = try await fixture.makeProcessor()
    do {
      let probe = ProbeProcessor(processor) { [fixture] in try await fixture.localState() }
      let synchronizer = Synchronizer(processor: probe, options: options)
      let value = try await body(Session(processor: probe, synchronizer: synchronizer))
      try await fixture.close(processor)
      return value
    } catch {
      try? await fixture.close(processor)
      throw error
    }
  }

  /// Runs a pass with a new processor, which is closed afterwards, or in a session that may have
  /// run others before.
  ///
  /// `nil` when the fixture's source can't be disturbed like that.
  nonisolated(nonsending) func pass(
    _ disturbance: Disturbance<ID> = .none, in session: Session? = nil
  ) async throws -> Pass? {
    guard let session else {
      return try await withSession { try await self.pass(disturbance, in: $0) }
    }
    let before = try await fixture.localState()
    let probe = session.processor
    probe.passBegins(try await watch(disturbance, before)) {
      [weak synchronizer = session.synchronizer] in synchronizer?.cancel()
    }
    let interception = disturbance.interception(reached: { probe.noteInterception() }) {
      probe.cancel()
    }
    if let interception {
      guard try await fixture.setInterception(interception) else { return nil }
    }
    let result = await session.run(disturbance)
    probe.passEnded()
    if interception != nil { _ = try await fixture.setInterception(nil) }
    let pass = Pass(
      result: result, notes: probe.notes, before: before, after: try await fixture.localState())
    try take(pass, disturbance)
    return pass
  }

  private nonisolated(nonsending) func watch(
    _ disturbance: Disturbance<ID>, _ held: [ID: String]
  ) async throws -> ProbeWatch<ID> {
    var watch = ProbeWatch(disturbance: disturbance, held: held)
    if check == .namedKeys {
      watch.strangers = Set(try await plainKeys()).subtracting(source.keys).subtracting(held.keys)
    }
    return watch
  }

  private func take(_ pass: Pass, _ disturbance: Disturbance<ID>) throws {
    try judgeNotes(of: pass, disturbance, previewedBefore: previewedOnly)
    previewedOnly = previewedOnly.union(pass.notes.previewed).subtracting(pass.notes.downloaded)
    if case .none = disturbance { return }
    past = "\(disturbance)"
  }
}

extension ContractCase.Session {
  fileprivate nonisolated(nonsending) func run(
    _ disturbance: Disturbance<Fixture.ID>
  ) async -> Result<SyncReport<Fixture.ID>, any Error> {
    let limit = synchronizer.options.removalLimit
    if case .refuseRemoval = disturbance { synchronizer.options.removalLimit = .count(0) }
    defer { synchronizer.options.removalLimit = limit }
    do {
      guard case .plan = disturbance else { return .success(try await synchronizer.sync()) }
      return .success(SyncReport(passes: [try await synchronizer.plan().report]))
    } catch {
      return .failure(error)
    }
  }
}

/// What comes after would only repeat in other words what has been reported.
struct CaseIsOver: Error {}

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
func inOrder<ID: Hashable>(_ keys: Set<ID>) -> [ID] {
  keys.map { (key: $0, text: "\($0)") }.sorted { $0.text < $1.text }.map(\.key)
}

/// Keys that are held in the one way and not in the other.
func differing<ID: Hashable>(_ one: [ID: String], _ other: [ID: String]) -> Set<ID> {
  Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
}
