import SyncEngine
import SyncFetching
import SyncFiles
import SyncFolder
import SyncLock

/// Does what a ``MirrorPass`` says: one of these a run, or a plan.
final class MirrorProcessor: SyncProcessor {
  typealias Item = MirrorItem

  private let options: MirrorOptions
  private let ground: PassGround
  private let observer: MirrorObserver
  /// When the run began, in seconds since 1970.
  private let startedAt: Double
  private let time: Timeline
  let pass: Locked<MirrorPass>
  private let reading: SourceReading
  /// `nil` for a plan, which changes nothing.
  private let downloads: ItemDownloads?
  /// What went wrong while files were placed in the background.
  private let placing = FirstFailure()

  /// A processor for a run in an open folder; with `repairs` given, of these and nothing else.
  init(
    options: MirrorOptions, session: MirrorSession, catalog: CatalogSource,
    firstListing: CatalogSource.Fetched? = nil, repairs: Repairs? = nil, source: any ByteSource,
    observer: MirrorObserver, startedAt: Double, time: Timeline,
    in environment: MirrorEnvironment
  ) {
    self.options = options
    ground = .session(session)
    self.observer = observer
    (self.startedAt, self.time) = (startedAt, time)
    let pass = Locked(MirrorPass(options.passRules(repairing: repairs)))
    self.pass = pass
    let transfer = ItemTransfer(
      source: source, staging: session.staging, partials: session.partials,
      fileQueue: session.fileQueue, flushQueue: session.diskQueue,
      maximumSize: options.maximumItemSize, allowsUnframed: options.allowsUnframed,
      observer: observer)
    let recorder = CommitRecorder(
      index: session.index, pass: pass, observer: observer, startedAt: startedAt)
    let committer = BatchCommitter<CommitRecord>(
      session.staging, startedAt: startedAt, queue: session.diskQueue,
      owner: { try recorder.owner(of: $0) }, endsPass: { $0.endsRun },
      onFatal: { [placing] in placing.note($0) }, announce: { try recorder.announce($0) },
      record: { try recorder.record($0) })
    let downloads = ItemDownloads(
      session: session, adoption: options.adoption, transfer: transfer, committer: committer,
      late: LateFiles(session.staging), observer: observer, pass: pass)
    self.downloads = downloads
    reading = SourceReading(
      options: options, ground: ground, catalog: catalog, firstListing: firstListing,
      observer: observer, clock: environment.clock, patience: environment.listingPatience,
      pass: pass, scope: options.heldScope(at: startedAt), downloads: downloads)
  }

  /// A processor that only finds out what a run would do.
  init(
    planning options: MirrorOptions, inspection: FolderInspection, catalog: CatalogSource,
    observer: MirrorObserver, in environment: MirrorEnvironment
  ) {
    self.options = options
    ground = .inspection(inspection)
    self.observer = observer
    (startedAt, time) = (environment.now(), Timeline(environment.clock))
    pass = Locked(MirrorPass(options.passRules(repairing: nil)))
    reading = SourceReading(
      options: options, ground: ground, catalog: catalog, firstListing: nil, observer: observer,
      clock: environment.clock, patience: environment.listingPatience, pass: pass,
      scope: options.heldScope(at: startedAt), downloads: nil)
    downloads = nil
  }

  /// What a sync works with.
  var session: MirrorSession { ground.session }

  private var settling: PassSettling {
    PassSettling(
      options: options, session: session, catalog: CatalogIdentity(reading.catalog.root),
      startedAt: startedAt, time: time)
  }

  func stageWillBegin(_ stage: SyncStage) async {
    guard let shown = stage.shown else { return }
    observer.enter(shown)
    // The previews are there before the first content is, and people see them now.
    if stage == .downloadContents { downloads?.committer.closeBatch() }
  }

  func syncWillBegin(_ kind: PassKind) async throws {
    observer.enter(.look)
    pass.withLock { $0 = MirrorPass($0.rules) }
    guard !ground.isInspection else { return }
    try await session.index.read { try $0.checkAllButItems() }
    let unfinished = UnfinishedWork(session: session, isDurable: options.durability != .none)
    try await unfinished.settlePlacements()
    let gone = try await unfinished.settleRemovals()
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
    let keys = try await ground.index?.read { try $0.keys { MirrorItem.ID.key($0) } }
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
    if count == nil { count = try await ground.index?.read { try $0.itemCount() } }
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
    try await counting { try await downloads?.preview(of: item) }
  }

  func downloadContent(of item: MirrorItem) async throws {
    try await counting {
      try await downloads?.content(of: item)
      pass.withLock { $0.last.succeed() }
    }
  }

  /// Notes for what comes last whether an item failed.
  private func counting(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error where !(error is CancellationError) {
      pass.withLock { $0.last.fail() }
      throw error
    }
  }

  func endsPass(_ error: any Error) async -> Bool { error.endsRun }

  func watchDownloads() async throws { try await placing.wait() }

  func commitDownloads() async throws -> [MirrorItem.ID: any Error] {
    let drained = await downloads?.committer.drain() ?? []
    let failures = drained.filter { !$0.error.endsRun }
    for failure in failures {
      observer.publish(.failed(key: failure.payload.id.description, failure.error))
    }
    if !failures.isEmpty { pass.withLock { $0.last.fail() } }
    // What could be kept is kept; then the run ends with its one error.
    let unrecorded = pass.withLock { $0.takeUnrecorded() }
    try await settling.record(unrecorded)
    pass.withLock { $0.committed(letGo: unrecorded.droppedPreviews) }
    let late = try await placeLate()
    if let error = placing.error { throw error }
    return late.merging(failures.map { ($0.payload.id, $0.error) }) { first, _ in first }
  }

  /// Places what comes last, if everything else is in its place and recorded.
  private func placeLate() async throws -> [MirrorItem.ID: any Error] {
    let last = pass.withLock { $0.last }
    guard let downloads, !last.isNone else { return [:] }
    guard last.verdict == .place, placing.error == nil else {
      let waiting = downloads.late.discardAll()
      guard last.verdict == .holdBack, !waiting.isEmpty else { return [:] }
      pass.withLock { $0.last.heldBack() }
      return Dictionary(waiting.map { ($0, ItemError.heldBack) }) { first, _ in first }
    }
    for placement in downloads.late.take(by: last.rank) { downloads.committer.add(placement) }
    let failures = await downloads.committer.drain().filter { !$0.error.endsRun }
    downloads.late.discardAll()
    if !failures.isEmpty { pass.withLock { $0.last.fail() } }
    return Dictionary(failures.map { ($0.payload.id, $0.error) }) { first, _ in first }
  }

  func removeLocalItems(_ keys: Set<MirrorItem.ID>) async throws {
    guard pass.withLock({ $0.mayRemove(keys.count) }) else { return }
    let outcome = try await Removals(session: session, startedAt: startedAt)
      .remove(keys, of: pass.withLock { $0 })
    let (gone, displaced) = (outcome.gone, outcome.displaced)
    let removed = pass.withLock { $0.removed(gone, displaced: displaced.count) }
    for item in removed { observer.publish(.removed(key: item.key.description)) }
    for moved in displaced { observer.publish(.displaced(moved)) }
    if let error = outcome.error { throw error }
  }

  func syncDidEnd(_ report: PassReport<MirrorItem.ID>) async {
    let settlement = pass.withLock { $0.ended(report) }
    guard !ground.isInspection else { return }
    downloads?.late.discardAll()
    var ended = pass.withLock { $0 }
    let problems = await settling.end(settlement, of: &ended)
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
    let ordered = try await inOrder(items)
    guard !ground.isInspection else {
      try await lookAtPlaces(of: ordered)
      pass.withLock { $0.planned(ordered) }
      return ordered
    }
    tellPlan(of: ordered)
    if options.checksSpace {
      let capacity = try await RoomCheck(session: session)
        .check(for: ordered, of: pass.withLock { $0 })
      if let capacity { pass.withLock { $0.diskIsKnown(capacity: capacity) } }
    }
    if pass.withLock({ $0.rules.repairs == nil }) {
      // From now on something of it may come into the folder, and nothing refuses its listing.
      try await settling.keepCatalog()
    }
    try await lookAtPlaces(of: ordered)
    pass.withLock { $0.prepared(ordered.count) }
    return ordered
  }

  /// Items that failed in the last run come first, in the order that it left.
  private func inOrder(_ items: [MirrorItem]) async throws -> [MirrorItem] {
    let failures = try await ground.index?.read { try $0.failures() } ?? []
    guard !failures.isEmpty else { return items }
    let positions = Dictionary(
      failures.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    let position = { (item: MirrorItem) in item.id.key.flatMap { positions[$0] } }
    let failed = items.compactMap { item in position(item).map { (item: item, position: $0) } }
    return failed.sorted { $0.position < $1.position }.map(\.item)
      + items.filter { position($0) == nil }
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
      let folder = ground.place
      let isEmpty = try await ground.fileQueue.run { try folder?.isEmpty() ?? true }
      pass.withLock { $0.folderIsKnown(empty: isEmpty) }
    }
    let misplaced = try await MisplacedLook(ground: ground)
      .look(amid: items, of: pass.withLock { $0 })
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
