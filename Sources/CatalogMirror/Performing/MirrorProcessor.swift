import OneWaySynchronizer
import SyncFetching
import SyncFolder
import SyncLock

/// Does what a ``MirrorPass`` says: one of these a run, or a plan.
final class MirrorProcessor: SyncProcessor {
  typealias Item = MirrorItem

  let options: MirrorOptions
  let ground: PassGround
  let catalog: CatalogSource
  /// The listing of a first run, which was fetched before the folder was made.
  let firstListing: CatalogSource.Fetched?
  let transfer: ItemTransfer?
  let observer: MirrorObserver
  /// When the run began, in seconds since 1970.
  let startedAt: Double
  /// What the age of a listing is measured with.
  let clock: any Clock<Duration>
  /// How long a listing may have lain there when the look at the files has ended.
  let listingPatience: Duration
  let pass: Locked<MirrorPass>
  let committer: BatchCommitter<CommitRecord>?
  /// What went wrong while files were placed in the background.
  let placing = FirstFailure()

  /// A processor for a run in an open folder; with `repairs` given, of these and nothing else.
  init(
    options: MirrorOptions, session: MirrorSession, catalog: CatalogSource,
    firstListing: CatalogSource.Fetched? = nil, repairs: Repairs? = nil, source: any ByteSource,
    observer: MirrorObserver, startedAt: Double, in environment: MirrorEnvironment
  ) {
    self.options = options
    ground = .session(session)
    self.catalog = catalog
    self.firstListing = firstListing
    self.observer = observer
    self.startedAt = startedAt
    clock = environment.clock
    listingPatience = environment.listingPatience
    let pass = Locked(MirrorPass(options.passRules(repairing: repairs)))
    self.pass = pass
    transfer = ItemTransfer(
      source: source, staging: session.staging, partials: session.partials,
      fileQueue: session.fileQueue, flushQueue: session.diskQueue,
      maximumSize: options.maximumItemSize, allowsUnframed: options.allowsUnframed,
      observer: observer)
    let recorder = CommitRecorder(
      index: session.index, pass: pass, observer: observer, startedAt: startedAt)
    committer = BatchCommitter(
      session.staging, startedAt: startedAt, queue: session.diskQueue,
      owner: { try recorder.owner(of: $0) }, endsPass: { $0.endsRun },
      onFatal: { [placing] in placing.note($0) }, announce: { try recorder.announce($0) },
      record: { try recorder.record($0) })
  }

  /// A processor that only finds out what a run would do.
  init(
    planning options: MirrorOptions, inspection: FolderInspection, catalog: CatalogSource,
    observer: MirrorObserver, in environment: MirrorEnvironment
  ) {
    self.options = options
    ground = .inspection(inspection)
    self.catalog = catalog
    firstListing = nil
    self.observer = observer
    startedAt = environment.now()
    clock = environment.clock
    listingPatience = environment.listingPatience
    pass = Locked(MirrorPass(options.passRules(repairing: nil)))
    (transfer, committer) = (nil, nil)
  }

  /// What a sync works with.
  var session: MirrorSession { ground.session }

  /// Whether nothing is to be changed.
  var isPlan: Bool { committer == nil }

  func stageWillBegin(_ stage: SyncStage) async {
    guard let shown = stage.shown else { return }
    observer.enter(shown)
    // The previews are there before the first content is, and people see them now.
    if stage == .downloadContents { committer?.closeBatch() }
  }

  func itemsToUpdate(among items: [MirrorItem]) async throws -> [MirrorItem] {
    pass.withLock { $0.decide(among: items) }
  }

  func endsPass(_ error: any Error) async -> Bool { error.endsRun }

  func watchDownloads() async throws { try await placing.wait() }
}

extension SyncStage {
  /// What people are shown of it. The look at the files and the listing go on in one stage, and tell
  /// of themselves.
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
