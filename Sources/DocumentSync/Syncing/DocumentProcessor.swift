import SyncEngine
private import SyncEssentials
import SyncLock

/// Keeps collections of documents in step with a server's, as a processor of a `Synchronizer`.
///
/// An item is a collection. Its *preview* is the push of what waits in the outbox, and its
/// *content* the pull of what changed at the server; so everything is sent before anything is asked
/// for, and cancelling, side by side and one more pass for who asks meanwhile are the engine's. One
/// more item, the last, is the files of all collections.
final class DocumentProcessor: SyncProcessor {
  /// A collection, or the files of all.
  struct Item: SyncItem {
    static let files = Item(id: "\u{0}files")

    let id: String

    /// Files come last.
    var downloadOrder: Int { id == Self.files.id ? .max : 0 }
  }

  struct Pass: Sendable {
    let place: SyncPlace
    /// The documents of the account whose sync it is, and of no other.
    let store: DocumentStore
    let began: Int64
    let reasons: [SyncReason]
    let wishes: SyncWishes
    let session: ServerSession
    let tally: SyncTally
    /// Keeps others from syncing the store.
    let turn: StoreLock?
    /// How many collections were dealt with.
    let ended = Watched(0)
    /// What the server can do, and whose turn it is; once somebody has asked.
    var capabilities: EndpointCapabilities?
    var board: PushBoard?
  }

  private struct State {
    /// What was wanted since the last pass began; `nil` if nobody said.
    var wanted: SyncWishes?
    var pass: Pass?
    var report = DocumentReport()
    var place: SyncPlace
  }

  let store: DocumentStore
  let endpoint: any DocumentEndpoint
  let seams: SessionSeams
  private let state: Locked<State>
  private let schedule = Locked<SyncScheduler?>(nil)

  init(
    _ store: DocumentStore, _ endpoint: any DocumentEndpoint, _ place: SyncPlace,
    seams: SessionSeams = SessionSeams()
  ) {
    self.store = store
    self.endpoint = endpoint
    self.seams = seams
    state = Locked(State(place: place))
  }

  /// What is kept in step with what; as it is when a sync begins, so it's for all of it.
  var place: SyncPlace {
    get { state.withLock { $0.place } }
    set { state.withLock { $0.place = newValue } }
  }

  /// Who decides whether a sync is made that nobody waits for, and what runs around each.
  var scheduler: SyncScheduler? {
    get { schedule.withLock { $0 } }
    set { schedule.withLock { $0 = newValue } }
  }

  /// How the engine is to work for it.
  var options: SyncOptions {
    SyncOptions(
      concurrency: place.concurrency, downloadPreview: true, stopOnError: false,
      removalLimit: .unlimited)
  }

  /// What the last pass did.
  var report: DocumentReport { state.withLock { $0.report } }

  /// Somebody wants a sync: what they want counts from the next pass on.
  func want(_ wishes: SyncWishes) {
    state.withLock { $0.wanted = $0.wanted?.joined(by: wishes) ?? wishes }
  }

  // MARK: - The stages

  func syncWillBegin() async throws {
    var reasons: [SyncReason] = []
    if let scheduler {
      guard let occasion = try await scheduler.syncBegins() else { return }
      reasons = occasion.reasons
    }
    do {
      try await begin(for: reasons)
    } catch {
      // Whoever waits for the end of this one may sync, or sign in, as soon as it's told.
      state.withLock { $0.pass }?.turn?.end()
      await scheduler?.syncEnded(error)
      throw error
    }
  }

  private func begin(for reasons: [SyncReason]) async throws {
    let (wanted, place) = state.withLock { state in
      defer { state.wanted = nil }
      state.report = DocumentReport()
      return (state.wanted, state.place)
    }
    let wishes = wanted ?? SyncWishes(isByHand: false)
    let turn = try place.storePath.map { try StoreLock(storeAt: $0) }
    let session = try await ServerSession(store, server: place.server, wishes.caller, seams: seams)
    let pass = Pass(
      place: place, store: store.seen { place.owner }, began: seams.now(), reasons: reasons,
      wishes: wishes, session: session, tally: SyncTally(), turn: turn)
    state.withLock { $0.pass = pass }
    pass.tally.note { $0.isHeldUp = session.isHeldUp }
    try await store.sync { editor in
      try editor.abandonSends({ place.rules(of: $0.collection, wishes) }, routed: place.routed)
      if place.adopts {
        try editor.adopts(
          account: place.account, of: place.server, routed: place.routed)
      }
    }
    if place.adopts { state.withLock { $0.place.adopts = false } }
    guard wishes.pushes else { return }
    for scope in place.scopes { try await questions(of: scope, pass).releaseWhatIsDue() }
  }

  func fetchSourceList() async throws -> SourceList<Item> {
    // Where nothing is to be sent, nothing is to be done.
    guard let pass = state.withLock({ $0.pass }) else { return .unchanged }
    return .partial(pass.place.collections.map { Item(id: $0.name) } + [.files])
  }

  func localKeys() async throws -> Set<String> { [] }

  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: Item) async throws -> Bool { false }

  func prepareDownload(of items: [Item]) async throws -> [Item] {
    guard let pass = state.withLock({ $0.pass }) else { return items }
    do {
      try await pass.session.turn()
      let capabilities = try await capabilities(pass)
      let board = PushBoard(
        pass.place.scopes, capabilities, routed: pass.place.routed, keyless: pass.place.keyless,
        limit: pass.place.concurrency)
      state.withLock { state in
        state.pass?.capabilities = capabilities
        state.pass?.board = board
      }
      try await republish(pass)
      return items
    } catch {
      throw note(error, pass)
    }
  }

  func downloadPreview(of item: Item) async throws {
    guard item.id != Item.files.id, let pass = state.withLock({ $0.pass }),
      pass.wishes.pushes
    else { return }
    do { try await push(pass) } catch { throw note(error, pass) }
  }

  func downloadContent(of item: Item) async throws {
    guard let pass = state.withLock({ $0.pass }) else { return }
    guard item.id != Item.files.id else { return try await takeFiles(pass) }
    defer { pass.ended.change { $0 += 1 } }
    do {
      if pass.wishes.pulls { try await pull(item, pass) }
      try await settle(item, pass)
      try await tellLostCreations(item, pass)
    } catch {
      throw note(error, pass)
    }
  }

  func endsPass(_ error: any Error) async -> Bool {
    guard let error = error as? DocumentSyncError else { return true }
    return error.isOfServer
  }

  func syncDidEnd(_ report: PassReport<String>) async {
    let pass = state.withLock { state in
      defer { state.pass = nil }
      if let pass = state.pass { state.report = pass.tally.report }
      return state.pass
    }
    guard let pass else { return }
    let failure = report.failures.first?.cause
    await remember(pass, failure)
    pass.turn?.end()
    await scheduler?.syncEnded(failure, restingFor: pass.rest)
  }

  /// Keeps what it did, if it did anything: a sync that finds nothing new writes nothing.
  private func remember(_ pass: Pass, _ failure: (any Error)?) async {
    let report = pass.tally.report
    guard !report.isQuiet || failure != nil else { return }
    var run = SyncRun(
      began: Date(milliseconds: pass.began), ended: Date(milliseconds: seams.now()),
      reason: pass.reasons.map(\.rawValue).joined(separator: ", "))
    let counts = [
      "sent": report.sent.count, "received": report.received.count,
      "conflicts": report.conflicts.count, "failures": report.failures.count,
      "lost": report.lost.count,
    ]
    run.counts = counts.filter { $0.value != 0 }
    run.problem = (report.errors.first ?? failure).map { "\($0)" }
    // That it's remembered is worth no failure of a sync that is done.
    try? await pass.store.sync { [run] in try $0.note(run, of: pass.place.account) }
  }

  /// An error that a stage ended with, told in the report.
  func note(_ error: any Error, _ pass: Pass) -> any Error {
    if let error = error as? DocumentSyncError {
      let answer = pass.session.lastTrouble
      pass.tally.note { report in
        guard !report.errors.contains(error) else { return }
        report.errors.append(error)
        report.answers[error] = answer
      }
    }
    return error
  }

  // MARK: - What they do

  func push(_ pass: Pass) async throws {
    guard let board = pass.board, let capabilities = pass.capabilities else { return }
    guard !capabilities.isReadOnly else {
      if try await hasWork(pass) { _ = note(DocumentSyncError.readOnly, pass) }
      return
    }
    try await PushRun(
      store: pass.store, endpoint: endpoint, session: pass.session, board: board, tally: pass.tally,
      isFollowed: pass.wishes.pulls,
      rules: { pass.place.rules(of: $0.collection, pass.wishes) }
    ).run()
  }

  /// Pulls; what was put on another base by that is sent at once, and if others were faster again,
  /// so again, a few times.
  private func pull(_ item: Item, _ pass: Pass) async throws {
    let scope = pass.place.scope(named: item.id)
    let rules = pass.place.rules(of: item.id, pass.wishes)
    for round in 0..<3 {
      let hasMet = try await PullRun(
        store: pass.store, endpoint: endpoint, session: pass.session, tally: pass.tally,
        scope: scope, rules: rules, limit: pass.wishes.removals ?? pass.place.removals,
        tellsDeletions: pass.capabilities?.has(.tombstones) ?? true,
        filter: pass.place.filter(of: item.id),
        listsAnyhow: pass.wishes.listsFilters && round == 0
      ).run()
      guard pass.wishes.pushes else { return }
      guard try await contests(scope, byPushing: pass) || hasMet else { return }
    }
  }

  /// Pushes. Answers whether something met the server's by that.
  private func contests(_ scope: DocumentScope, byPushing pass: Pass) async throws -> Bool {
    let mark = try await pass.store.sync { $0.pullBegan() }
    try await push(pass)
    return try await pass.store.read { try $0.hasContested(scope, since: mark) }
  }

  func hasWork(_ pass: Pass) async throws -> Bool {
    try await pass.store.sync { editor in
      try pass.place.scopes.contains { try !editor.ready(in: $0, limit: 1).isEmpty }
    }
  }

  /// Deals with what is open now; what comes of it is sent at once.
  private func settle(_ item: Item, _ pass: Pass) async throws {
    let scope = pass.place.scope(named: item.id)
    guard try await questions(of: scope, pass).settle(), pass.wishes.pushes,
      try await contests(scope, byPushing: pass), pass.wishes.pulls
    else { return }
    try await pull(item, pass)
  }

  private func questions(of scope: DocumentScope, _ pass: Pass) -> OpenQuestions {
    OpenQuestions(
      store: pass.store, scope: scope,
      policy: pass.place.errorPolicy(of: scope.collection, pass.wishes),
      deciders: pass.place.deciders, tally: pass.tally, now: seams.now)
  }
}
