import OneWaySynchronizer
import SyncLock

/// Passes every call on to the processor under check, takes notes, and disturbs where told to.
final class ProbeProcessor<Inner: SyncProcessor>: StoreSyncProcessor {
  typealias Item = Inner.Item
  typealias ID = Item.ID

  private let inner: Inner
  /// The inner processor as one of a large store, which a plain one stands in for.
  private let store: StoreCalls<Inner.Item>
  private let localState: @Sendable () async throws -> [ID: String]
  private let state = Locked(State())

  private struct State {
    var watch = ProbeWatch<ID>()
    var notes = PassNotes<ID>()
    /// What `fetchSourceList` answered.
    var list: SourceList<Item>?
    var cancel: (@Sendable () -> Void)?
  }

  init(_ inner: Inner, localState: @escaping @Sendable () async throws -> [ID: String]) {
    self.inner = inner
    store = inner._work.store
    self.localState = localState
  }

  var notes: PassNotes<ID> { state.withLock { $0.notes } }

  /// A pass is about to begin, which `cancel` cancels.
  func passBegins(_ watch: ProbeWatch<ID>, cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0 = State(watch: watch, cancel: cancel) }
  }

  /// The pass is over: what is cancelled now is no later one.
  func passEnded() {
    state.withLock { $0.cancel = nil }
  }

  func cancel() {
    let cancel = state.withLock { $0.cancel }
    cancel?()
  }

  /// The source came to the moment at which it was to misbehave.
  func noteInterception() {
    note { $0.wasIntercepted = true }
  }

  private func note(_ body: (inout PassNotes<ID>) -> Void) {
    state.withLock { body(&$0.notes) }
  }

  private func pass<Answer: Sendable>(
    on call: ProcessorCall<ID>, to body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let (number, disturbance) = state.withLock { state in
      state.notes.calls += 1
      return (state.notes.calls, state.watch.disturbance)
    }
    switch disturbance {
    case .cancelBefore(number): cancel()
    case .cancelDuring(number): return try await cancelling(during: body)
    case .fail(let place) where place.matches(call): throw ContractFault()
    case .none, .plan, .refuseRemoval, .cancelBefore, .cancelDuring, .fail, .breakSource,
      .cancelAtSource:
      break
    }
    let answer = try await body()
    if case .plan = disturbance { await noteChanges(during: call) }
    return answer
  }

  private func noteChanges(during call: ProcessorCall<ID>) async {
    guard let now = try? await localState() else { return }
    state.withLock { state in
      for key in differing(state.watch.held, now) where state.notes.changed[key] == nil {
        state.notes.changed[key] = "\(call)"
      }
    }
  }

  private func cancelling<Answer: Sendable>(
    during body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    async let answer = body()
    // A few turns, so that the processor is somewhere in its call; where doesn't matter.
    for _ in 0..<4 { await Task.yield() }
    cancel()
    return try await answer
  }
}

extension ProbeProcessor {
  func syncWillBegin(_ kind: PassKind) async throws {
    try await pass(on: .begin) { [store] in try await store.syncWillBegin(kind) }
  }

  func fetchSourceList() async throws -> SourceList<Item> {
    let list = try await pass(on: .fetch) { [inner] in try await inner.fetchSourceList() }
    state.withLock { state in
      state.list = list
      state.notes.list = ListNote(list)
    }
    return list
  }

  func localKeys() async throws -> Set<ID> {
    let all = try await allLocalKeys()
    await ask(KeyQuestions(to: store, all: all))
    return all
  }

  func localKeys(among items: [Item], and others: Set<ID>) async throws -> LocalKeys<ID> {
    var questions = KeyQuestions(to: store, all: try await allLocalKeys())
    let answer = try await questions.ask(about: items, and: others)
    await ask(questions)
    return answer
  }

  private func allLocalKeys() async throws -> Set<ID> {
    let keys = try await pass(on: .localKeys) { [inner] in try await inner.localKeys() }
    // A fixture may give up because the pass is being cancelled; then there is nothing to compare.
    if let held = try? await localState() { note { $0.local = (keys, held) } }
    return keys
  }

  /// Asks more than the engine does, where that is to be checked, and notes all that was said.
  private func ask(_ questions: KeyQuestions<Item>) async {
    var questions = questions
    let (strangers, list) = state.withLock { ($0.watch.strangers, $0.list) }
    if let strangers, let list { await questions.ask(about: list, and: strangers) }
    note { [notes = questions.notes] in $0.naming = notes }
  }

  func removeLocalItems(_ keys: Set<ID>) async throws {
    note { $0.toRemove = keys }
    let before = try? await localState()
    try await pass(on: .remove(keys)) { [inner] in try await inner.removeLocalItems(keys) }
    note { $0.removed = keys }
    guard let before, let after = try? await localState() else { return }
    note { $0.lostInRemoval = Set(before.keys).subtracting(after.keys).subtracting(keys) }
  }

  func itemsToUpdate(among items: [Item]) async throws -> [Item] {
    let chosen = try await pass(on: .itemsToUpdate(items.map(\.id))) { [store] in
      try await store.itemsToUpdate(items)
    }
    note { $0.updates = .init(given: Set(items.map(\.id)), answered: Set(chosen.map(\.id))) }
    return chosen
  }

  func prepareDownload(of items: [Item]) async throws -> [Item] {
    let prepared = try await pass(on: .prepare(items.map(\.id))) { [inner] in
      try await inner.prepareDownload(of: items)
    }
    note { $0.downloads = .init(given: Set(items.map(\.id)), answered: Set(prepared.map(\.id))) }
    return prepared
  }

  func downloadPreview(of item: Item, progress: DownloadProgress) async throws {
    try await pass(on: .preview(item.id)) { [inner] in
      try await inner.downloadPreview(of: item, progress: progress)
    }
    note { _ = $0.previewed.insert(item.id) }
  }

  func downloadContent(of item: Item, progress: DownloadProgress) async throws {
    note { _ = $0.tried.insert(item.id) }
    try await pass(on: .content(item.id)) { [inner] in
      try await inner.downloadContent(of: item, progress: progress)
    }
    note { _ = $0.downloaded.insert(item.id) }
  }

  func stageWillBegin(_ stage: SyncStage) async {
    let notes = notes
    if stage == .downloadPreviews {
      let held = try? await localState()
      note { $0.beforePreviews = held }
    } else if notes.beforePreviews != nil, notes.afterPreviews == nil {
      let held = try? await localState()
      note { $0.afterPreviews = held }
    }
    await store.stageWillBegin?(stage)
  }

  func endsPass(_ error: any Error) async -> Bool { await inner.endsPass(error) }

  func isCancellation(_ error: any Error) async -> Bool { await inner.isCancellation(error) }

  func watchDownloads() async throws { try await store.watchDownloads?() }

  func commitDownloads(after ending: DownloadsEnding) async throws -> [ID: any Error] {
    let failures = try await pass(on: .commit) { [store] in
      try await store.commitDownloads(ending)
    }
    note { $0.committed = $0.downloaded.subtracting(failures.keys) }
    return failures
  }

  var commitsEachDownload: Bool { get async { await store.commitsEachDownload() } }

  func syncDidEnd(_ report: PassReport<ID>) async {
    // The body throws nothing, and no disturbance fails this call.
    try? await pass(on: .end(report.outcome)) { [inner] in await inner.syncDidEnd(report) }
  }
}

/// What a ``ProbeProcessor`` does in a pass beside handing calls on.
struct ProbeWatch<ID: Hashable & Sendable>: Sendable {
  var disturbance = Disturbance<ID>.none
  /// What is held before the pass.
  var held: [ID: String] = [:]
  /// Keys that nobody knows, where the processor is to be asked by name; `nil` where it isn't.
  var strangers: Set<ID>?
}
