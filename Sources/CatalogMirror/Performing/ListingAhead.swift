import SyncFetching
import SyncFolder
import SyncLock
import SyncText

/// Lists a catalog of which some items come last: those are fetched first.
///
/// An index is written after the files that it names. So it is fetched before these are listed:
/// they are then all in the listing, unless the source let go of some meanwhile. That is seen by
/// the index: when the listing is there, it is listed and asked for once more, and if it is another
/// one by then, all begins anew. What the catalog gives a digest of is of the catalog's own state,
/// and needs none of that.
struct ListingAhead: Sendable {
  let context: RunContext
  /// The listing of a first run, which was fetched before the folder was made.
  let first: CatalogSource.Fetched?
  let downloads: ItemDownloads
  let last: LastItems
  /// What the look at the files found; `nil` when there was none.
  let findings: LookFindings?

  /// How often a source may change while it is read.
  static let rounds = 5

  /// The listing; what comes last, and has to be fetched, is in the staging area.
  func fetch(_ known: CatalogSource.Before) async throws -> CatalogSource.Fetched {
    // Of lines that aren't read, nobody knows whether they come last.
    var before = known
    before.knownLines = { .none }
    var (listing, whole) = try await begin(before)
    for _ in 0..<Self.rounds {
      let missing = try await itemsAhead(in: listing).filter { !isThere($0) }
      if missing.isEmpty, late.ahead.isEmpty, let whole { return whole }
      try await together(missing) { try await stage($0) }
      let fetched = try await catalog.fetch(before)
      let wanted = try await itemsAhead(in: fetched.listing)
      late.keepAhead(only: Set(wanted.compactMap(\.id.key)))
      if wanted.allSatisfy(isThere), try await isSteady(fetched.listing) { return fetched }
      (listing, whole) = (fetched.listing, nil)
    }
    return try await giveUp(before)
  }

  /// The listing as it is now, of which nothing that comes last can be had.
  /// - Throws: ``ItemError/keepsChanging``, where no item could tell.
  private func giveUp(_ before: CatalogSource.Before) async throws -> CatalogSource.Fetched {
    let fetched = try await catalog.fetch(before)
    let wanted = try await itemsAhead(in: fetched.listing).compactMap(\.id.key)
    guard !wanted.isEmpty else { throw ItemError.keepsChanging }
    for key in wanted { late.keep(.failure(ItemError.keepsChanging), of: key) }
    return fetched
  }

  private var late: LateFiles { downloads.late }
  private var catalog: CatalogSource { context.catalog }

  /// A listing to begin with, and whether it is the whole one. A catalog of one page costs as much
  /// in part as whole.
  private func begin(
    _ before: CatalogSource.Before
  ) async throws -> (Listing, CatalogSource.Fetched?) {
    if let first, before.highestRevision == nil { return (first.listing, first) }
    guard before.recorded?.pages.count != 1 else {
      let fetched = try await catalog.fetch(before)
      return (fetched.listing, fetched)
    }
    return (try await listPart(), nil)
  }

  private func listPart() async throws -> Listing {
    try await catalog.narrowed(to: last.patterns).fetch().listing
  }

  /// The items of a listing that come last, have to be fetched, and have no digest.
  private func itemsAhead(in listing: Listing) async throws -> [MirrorItem] {
    let items = listing.entries.items.filter { item in
      item.entry.map { $0.proof == nil && last.hold($0.key) } ?? false
    }
    let rows = try await context.session.index.read {
      try $0.items(items.compactMap(\.id.key))
    }
    var view = LocalView(wants: context.options.wants, after: findings)
    view.take(rows)
    return items.filter { view.need(of: $0).content != nil }
  }

  /// Whether the item was fetched in the very state that is listed.
  private func isThere(_ item: MirrorItem) -> Bool {
    guard let entry = item.entry, let outcome = late.ahead[entry.key] else { return false }
    switch outcome {
    case .failure: return true  // another round would take as long and fail as well
    case .success(.confirmed(let held)): return held.entry == entry
    case .success(.staged(let fetched, let staged, _)):
      let isOfSize = entry.size.map { $0 == staged.size } ?? true
      return fetched.entry == entry && isOfSize
        && staged.digests.mismatch(among: entry.checks) == nil
    }
  }

  private func stage(_ item: MirrorItem) async throws {
    guard let key = item.id.key else { return }
    do {
      late.keep(.success(try await downloads.fetchAhead(item)), of: key)
    } catch let error where !(error is CancellationError) && !error.endsRun {
      late.keep(.failure(error), of: key)
    }
  }

  /// Whether what comes last is what it was before all else was listed. Of a listing of one page,
  /// all is of one moment; of one that hasn't changed, nothing is done.
  private func isSteady(_ listing: Listing) async throws -> Bool {
    guard try await askAgain() else { return false }
    guard listing.pages.count > 1, !listing.isUnchanged else { return true }
    let again = try await listPart()
    return Set(again.entries) == Set(listing.entries.filter { last.hold($0.key) })
  }

  /// Asks for everything that was fetched ahead once more, and says whether all of it is as it was.
  private func askAgain() async throws -> Bool {
    let isSteady = Locked(true)
    try await together(late.ahead.sorted { $0.key < $1.key }) { key, outcome in
      guard case .success(let arrival) = outcome else { return }
      do {
        guard let newer = try await downloads.newer(than: arrival) else { return }
        late.keep(.success(newer), of: key)
      } catch let error where !(error is CancellationError) && !error.endsRun {
        // It is about to be replaced, or goes: the next listing tells.
      }
      isSteady.withLock { $0 = false }
    }
    return isSteady.withLock { $0 }
  }

  /// Does something with each of these, some side by side.
  private func together<Value: Sendable>(
    _ values: [Value], _ body: @escaping @Sendable (Value) async throws -> Void
  ) async throws {
    let width = min(CatalogSource.width, context.options.effectiveConcurrency)
    try await withThrowingTaskGroup(of: Void.self) { group in
      var rest = values[...]
      for value in rest.prefix(width) { group.addTask { try await body(value) } }
      rest = rest.dropFirst(width)
      while try await group.next() != nil {
        if let value = rest.popFirst() { group.addTask { try await body(value) } }
      }
    }
  }
}

extension CatalogSource {
  /// The same catalog, of which only what fits one of these patterns is listed.
  fileprivate func narrowed(to patterns: [KeyPattern]) -> CatalogSource {
    var options = options
    options.scope = options.scope.within(patterns)
    return with(options)
  }
}

indirect enum Arrival: Sendable {
  /// Its bytes are in the staging area: those of this state.
  case staged(MirrorItem, Staged, ByteAnswer)
  case confirmed(MirrorItem)
}

/// Files that were fetched and wait until everything else is in its place.
///
/// One that was fetched ahead is handed on to its download, which then fetches nothing.
final class LateFiles: Sendable {
  private struct State {
    var waiting: [Placement<CommitRecord>] = []
    var ahead: [CatalogKey: Result<Arrival, any Error>] = [:]
  }

  private let staging: Staging
  private let state = Locked(State())
  let shared = SharedBytes()

  init(_ staging: Staging) {
    self.staging = staging
  }

  /// What came of each item that was fetched before the rest was listed.
  var ahead: [CatalogKey: Result<Arrival, any Error>] { state.withLock { $0.ahead } }

  /// Keeps what came of an item, in place of what came of it before.
  func keep(_ outcome: Result<Arrival, any Error>, of key: CatalogKey) {
    let before = state.withLock { state in
      defer { state.ahead[key] = outcome }
      return state.ahead[key]
    }
    discard(before)
  }

  /// Lets go of what was fetched ahead and isn't one of these.
  func keepAhead(only keys: Set<CatalogKey>) {
    let dropped = state.withLock { state in
      defer { state.ahead = state.ahead.filter { keys.contains($0.key) } }
      return state.ahead.filter { !keys.contains($0.key) }
    }
    discard(dropped)
  }

  /// What came of an item ahead; asked for once.
  func takeAhead(of key: CatalogKey) -> Result<Arrival, any Error>? {
    state.withLock { $0.ahead.removeValue(forKey: key) }
  }

  /// Takes over a file that is to be placed late.
  func add(_ placement: Placement<CommitRecord>) {
    state.withLock { $0.waiting.append(placement) }
  }

  /// The files to be placed, in the order of `rank` and of their keys; asked for once.
  func take(by rank: (CatalogKey) -> Int) -> [Placement<CommitRecord>] {
    shared.forget()
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    return waiting.map { (rank($0.payload.entry.key), $0) }
      .sorted { ($0.0, $0.1.payload.entry.key) < ($1.0, $1.1.payload.entry.key) }
      .map(\.1)
  }

  /// Removes all files that wait.
  ///
  /// - Returns: whose they were.
  @discardableResult
  func discardAll() -> [MirrorItem.ID] {
    shared.forget()
    let (waiting, ahead) = state.withLock { state in
      defer { state = State() }
      return (state.waiting, state.ahead)
    }
    for placement in waiting { staging.discard(placement.staged) }
    discard(ahead)
    return waiting.map(\.payload.id)
  }

  /// In their order, so that a simulation can repeat it.
  private func discard(_ outcomes: [CatalogKey: Result<Arrival, any Error>]) {
    for (_, outcome) in outcomes.sorted(by: { $0.key < $1.key }) { discard(outcome) }
  }

  private func discard(_ outcome: Result<Arrival, any Error>?) {
    if case .success(.staged(_, let staged, _))? = outcome { staging.discard(staged) }
  }
}
