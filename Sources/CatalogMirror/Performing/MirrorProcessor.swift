import SyncEngine
import SyncFetching
import SyncFiles
import SyncLock
import SyncText

/// Does what a ``MirrorPass`` says: one of these a run, or a plan.
final class MirrorProcessor: StoreSyncProcessor {
  typealias Item = MirrorItem

  private let context: RunContext
  let pass: Locked<MirrorPass>
  private let reading: SourceReading
  /// `nil` for a plan, which changes nothing.
  private let downloads: ItemDownloads?
  /// What went wrong first while files were placed in the background.
  private let placing: Watched<(any Error)?>

  /// A processor for a run in an open folder; with `repairs` given, of these and nothing else.
  /// Without a source it only finds out what a run would do.
  init(
    _ context: RunContext, from source: (any ByteSource)?,
    firstListing: CatalogSource.Fetched? = nil, repairs: Repairs? = nil
  ) {
    self.context = context
    let pass = Locked(MirrorPass(context.options.passRules(repairing: repairs)))
    let placing = Watched<(any Error)?>(nil)
    let downloads = source.map { source in
      ItemDownloads(context, from: source, pass: pass) { error in
        placing.change { $0 = $0 ?? error }
      }
    }
    (self.pass, self.placing, self.downloads) = (pass, placing, downloads)
    reading = SourceReading(
      context: context, firstListing: firstListing, pass: pass, downloads: downloads)
  }

  var session: MirrorSession { context.session }

  private var target: PassTarget { context.target }
  private var observer: MirrorObserver { context.observer }

  func stageWillBegin(_ stage: SyncStage) async {
    guard let shown = stage.shown else { return }
    observer.enter(shown)
    switch stage {
    case .downloadPreviews: downloads?.packs.enter(.previews)
    case .downloadContents:
      // The previews are there before the first content is, and people see them now.
      downloads?.committer.closeBatch()
      downloads?.packs.enter(.contents)
    default: break
    }
  }

  func syncWillBegin(_ kind: PassKind) async throws {
    observer.enter(.look)
    pass.withLock { $0 = MirrorPass($0.rules) }
    guard !target.isInspection else { return }
    try await session.index.read { try $0.checkAllButItems() }
    try await context.settlePlacements()
    let gone = try await context.settleRemovals()
    let repairs = pass.withLock { pass in
      pass.finishedRemovals(of: gone)
      return pass.rules.repairs
    }
    if let repairs { try await session.index.write { try $0.record(repairs.marks) } }
  }

  func fetchSourceList() async throws -> SourceList<MirrorItem> {
    try await reading.sourceList()
  }

  func localKeys() async throws -> Set<MirrorItem.ID> {
    let keys = try await target.index?.read { try $0.keys { MirrorItem.ID.key($0) } }
    return Set(keys ?? [])
  }

  func localKeys(
    among named: Set<MirrorItem.ID>
  ) async throws -> LocalKeys<MirrorItem.ID> {
    try await localKeys(among: [], and: named)
  }

  func localKeys(
    among items: [MirrorItem], and others: Set<MirrorItem.ID>
  ) async throws -> LocalKeys<MirrorItem.ID> {
    let view = pass.withLock { $0.view }
    // A run that trusts the index hasn't counted its items.
    var count = view.count
    if count == nil { count = try await target.index?.read { try $0.itemCount() } }
    var held = others.filter { view.held($0) != nil }
    if !view.rows.isEmpty {
      for item in items where view.held(item.id) != nil { held.insert(item.id) }
    }
    return LocalKeys(keys: held, count: count ?? 0)
  }

  func itemsToUpdate(among items: [MirrorItem]) async throws -> [MirrorItem] {
    pass.withLock { $0.decide(among: items) }
  }

  func downloadPreview(of item: MirrorItem) async throws {
    try await downloads?.preview(of: item)
  }

  func downloadContent(of item: MirrorItem) async throws {
    try await downloads?.content(of: item)
  }

  func endsPass(_ error: any Error) async -> Bool { error.endsRun }

  func watchDownloads() async throws {
    // Also where the downloads are over before this begins.
    if let error = placing.state { throw error }
    let (packs, placing) = (downloads?.packs, placing)
    defer { packs?.close() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      if let packs { group.addTask { await packs.run() } }
      group.addTask { throw try await placing.wait { $0 } }
      try await group.waitForAll()
    }
  }

  func commitDownloads() async throws -> [MirrorItem.ID: any Error] {
    guard let downloads else { return [:] }
    downloads.keepUnasked()
    let failures = await downloads.failures()
    for failure in failures {
      observer.publish(.failed(key: failure.payload.id.description, failure.error))
    }
    // What could be kept is kept; then the run ends with its one error.
    let unrecorded = pass.withLock { $0.takeUnrecorded() }
    try await context.record(unrecorded)
    let wasCutShort = placing.state != nil
    let step = pass.withLock {
      $0.report.count(downloads.packs.tally)
      return $0.committed(letGo: unrecorded.droppedPreviews, wasCutShort: wasCutShort)
    }
    let late = await downloads.settleLate(step)
    if let error = placing.state { throw error }
    return late.merging(failures.map { ($0.payload.id, $0.error) }) { first, _ in first }
  }

  func removeLocalItems(_ keys: Set<MirrorItem.ID>) async throws {
    guard pass.withLock({ $0.mayRemove(keys.count) }) else { return }
    let outcome = try await context.remove(keys, of: pass.withLock { $0 })
    let removed = pass.withLock { $0.removed(outcome.gone, displaced: outcome.displaced.count) }
    for item in removed { observer.publish(.removed(key: item.key.description)) }
    for moved in outcome.displaced { observer.publish(.displaced(moved)) }
    if let error = outcome.error { throw error }
  }

  func syncDidEnd(_ report: PassReport<MirrorItem.ID>) async {
    let settlement = pass.withLock { $0.ended(report) }
    guard !target.isInspection else { return }
    downloads?.late.discardAll()
    guard report.kind == .sync else { return }  // what is only planned isn't held
    var ended = pass.withLock { $0 }
    let problems = await context.end(settlement, of: &ended)
    let ending = ended.ending
    pass.withLock { $0.ending = ending }
    // A run that was cut short by one error says no other.
    for (error, path) in problems where ending?.wasCutShort != true {
      observer.publish(.failed(key: path, error))
    }
    observer.enter(.done)
  }
}

/// What comes between the decision and the first download.
extension MirrorProcessor {
  func prepareDownload(of items: [MirrorItem]) async throws -> [MirrorItem] {
    try await lookForBytes(of: items)
    let tried = try await inOrder(items)
    let ordered = pass.withLock { $0.copiesFirst(tried) }
    guard !target.isInspection else {
      try await lookAtPlaces(of: ordered)
      let packs = try await packPlans(of: ordered)
      pass.withLock { $0.planned(ordered, in: packs) }
      return ordered
    }
    tellPlan(of: ordered)
    if context.options.checksSpace {
      let capacity = try await context.checkRoom(for: ordered, of: pass.withLock { $0 })
      if let capacity { pass.withLock { $0.diskIsKnown(capacity: capacity) } }
    }
    if pass.withLock({ $0.rules.repairs == nil }) {
      // From now on something of it may come into the folder, and nothing refuses its listing.
      try await context.keepCatalog()
      if let listing = pass.withLock({ $0.fetched?.listing }) {
        try await context.keepState(of: listing)
      }
    }
    try await lookAtPlaces(of: ordered)
    downloads?.planPacks(try await packPlans(of: ordered), of: ordered)
    let flaws = try await context.session.index.read { try KnownFlaws(in: $0) }
    pass.withLock { pass in
      pass.flawsAreKnown(flaws)
      pass.prepared(ordered.count)
    }
    return ordered
  }

  /// Items that failed in the last run come first, in the order that it left.
  private func inOrder(_ items: [MirrorItem]) async throws -> [MirrorItem] {
    let failures = try await target.index?.read { try $0.failures() } ?? []
    guard !failures.isEmpty else { return items }
    let positions = Dictionary(
      failures.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    let position = { (item: MirrorItem) in item.id.key.flatMap { positions[$0] } }
    let failed = items.compactMap { item in position(item).map { (item: item, position: $0) } }
    return failed.sorted { $0.position < $1.position }.map(\.item)
      + items.filter { position($0) == nil }
  }

  /// Looks for the bytes of these items among all that is here, before any of it changes.
  private func lookForBytes(of items: [MirrorItem]) async throws {
    let pass = pass.withLock { $0 }
    let found = try await target.index?.read { index -> [SHA256Digest: HeldBytes] in
      guard try index.holdsBytes() else { return [:] }
      return try index.heldBytes(of: pass.wantedDigests(of: items)) { pass.isLost($0) }
    }
    if let found, !found.isEmpty { self.pass.withLock { $0.heldBytesAreKnown(found) } }
  }

  /// Plans what comes together with others, once it is known what stands where items go.
  private func packPlans(of items: [MirrorItem]) async throws -> PackPlans {
    let pass = pass.withLock { $0 }
    let doubtful = pass.mayStandWherePacked(items)
    let occupied = try await context.occupied(of: doubtful)
    return pass.packPlans(of: items, besides: occupied) { downloads?.hasPart(of: $0) ?? false }
  }

  private func tellPlan(of items: [MirrorItem]) {
    let (transfers, bytes) = pass.withLock { $0.extent(of: items) }
    observer.update { progress in
      progress.itemsTotal = transfers
      progress.bytesTotal = bytes
    }
    observer.publish(.planned(items: transfers, bytes: bytes))
  }

  /// Looks at what stands where items go. Whether it is anything, only before a first copy: later
  /// the folder isn't empty anyway.
  private func lookAtPlaces(of items: [MirrorItem]) async throws {
    if pass.withLock({ $0.view.count == 0 }) {
      let folder = target.place
      let isEmpty = try await target.fileQueue.run { try folder?.isEmpty() ?? true }
      pass.withLock { $0.folderIsKnown(empty: isEmpty) }
    }
    let misplaced = try await context.misplaced(amid: items, of: pass.withLock { $0 })
    pass.withLock { $0.foundMisplaced(misplaced) }
  }
}

extension SyncStage {
  /// What people are shown of it. The look at the files and the listing go on in one stage, and
  /// tell of themselves.
  fileprivate var shown: MirrorStage? {
    switch self {
    case .itemsToUpdate: .decide
    case .downloadPreviews: .previews
    case .downloadContents: .contents
    case .commitDownloads: .commit
    case .removeLocalItems: .remove
    case .begin, .fetchSourceList, .localKeys, .prepareDownload, .end: nil
    }
  }
}
