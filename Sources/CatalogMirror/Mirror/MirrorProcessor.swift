import OneWaySynchronizer
import SyncLock
import SyncFolder
import SyncText
import SyncFetching

/// The processor that copies a catalog into a folder: one of these a run.
///
/// The stages stand in files of their own. What a stage finds out lies in ``State``; downloads only
/// read it and add to the tally.
final class MirrorProcessor: SyncProcessor {
  typealias Item = MirrorItem

  /// What the stages of a pass hand on.
  struct State {
    var view: LocalView
    /// What the look at the files found; `nil` when there was none.
    var findings: LocalLook.Findings?
    var fetched: CatalogSource.Fetched?
    /// Items that a complete listing lacks; `nil` when absence from the listing means nothing.
    var vanished: Set<CatalogKey>?
    /// What was decided of the items on both sides.
    var needs: [MirrorItem.ID: ItemNeed] = [:]
    /// What the index has to be told at the commit, of files that needn't be placed.
    var changes: [IndexChange] = []
    /// Previews that ``changes`` let go of.
    var droppedPreviews: [String] = []
    /// Whether nothing stood in the folder before the downloads, so that nothing needs to be looked
    /// for at the places of single items. What comes there meanwhile is met when they are placed.
    var wasEmpty = false
    /// All bytes of the folder's disk, once they matter.
    var capacity = Int64.max
    var previews = PreviewLedger()
    /// Whether files that were adopted may not be on the disk yet.
    var owesFlush = false
    /// The engine's report, once the pass has ended.
    var report: PassReport<MirrorItem.ID>?
    /// Whether some directories can't be read, and other ones than in the last run.
    var hasNewUnreadable = false
    /// What went wrong when the run was to be remembered.
    var endingError: (any Error)?
    var tally = MirrorTally()
  }

  let options: MirrorOptions
  let session: MirrorSession
  let catalog: CatalogSource
  /// The listing of a first run, which was fetched before the folder was made.
  let firstListing: CatalogSource.Fetched?
  /// What is fetched instead of what the catalog says; `nil` in an ordinary run.
  let repairs: Repairs?
  let transfer: ItemTransfer
  let observer: MirrorObserver
  /// When the run began, in seconds since 1970.
  let startedAt: Double
  /// What the age of a listing is measured with.
  let clock: any Clock<Duration>
  /// How long a listing may have lain there when the look at the files has ended.
  let listingPatience: Duration
  let state: Locked<State>
  let committer: BatchCommitter<CommitRecord>
  let stop = RunStop()

  init(
    options: MirrorOptions, session: MirrorSession, catalog: CatalogSource,
    firstListing: CatalogSource.Fetched? = nil, repairs: Repairs? = nil, source: any ByteSource,
    observer: MirrorObserver, startedAt: Double, in environment: MirrorEnvironment
  ) {
    self.options = options
    self.session = session
    self.catalog = catalog
    self.firstListing = firstListing
    self.repairs = repairs
    self.observer = observer
    self.startedAt = startedAt
    clock = environment.clock
    listingPatience = environment.listingPatience
    state = Locked(State(view: LocalView(wants: options.wants)))
    transfer = ItemTransfer(
      source: StoppableSource(source: source, stop: stop), staging: session.staging,
      partials: session.partials, fileQueue: session.fileQueue, flushQueue: session.diskQueue,
      maximumSize: options.maximumItemSize, allowsUnframed: options.allowsUnframed,
      observer: observer)
    let recorder = CommitRecorder(
      index: session.index, state: state, observer: observer, startedAt: startedAt)
    committer = BatchCommitter(
      session.staging, startedAt: startedAt, queue: session.diskQueue,
      owner: { try recorder.owner(of: $0) }, endsPass: { $0.endsRun },
      onFatal: { [stop] in stop.note($0) },
      announce: { try recorder.announce($0) }, record: { try recorder.record($0) })
  }

  /// The engine's options for this mirror: everything is tried, and removal comes last.
  static func syncOptions(for options: MirrorOptions) -> SyncOptions {
    var sync = SyncOptions()
    sync.concurrency = options.effectiveConcurrency
    sync.downloadPreview = options.previews != .none
    sync.downloadContent = options.previews != .only
    sync.stopOnError = options.stopOnError
    sync.removal = .afterDownloads
    sync.removalLimit = options.maximumRemoval.limit
    return sync
  }
}

extension MirrorOptions {
  /// What is wanted of items.
  var wants: ItemNeed.Wants {
    ItemNeed.Wants(contents: previews != .only, previews: previews != .none)
  }

  /// What the validators of a listing are bound to: another catalog, or other options, and the
  /// listing is asked for anew.
  var fingerprint: String {
    Self.digest(
      catalogAddress + [
        format ?? "", vouchesForCompleteness ? "complete" : "", previews.rawValue,
      ] + (maximumRemoval == .never ? ["nothing removed"] : []))
  }

  /// What tells the catalog from others.
  var catalogDigest: String { Self.digest(catalogAddress) }

  /// The same, and what told it as long as its server spoke http only.
  var catalogDigests: Set<String> {
    let address = catalogAddress
    guard let rest = address.first, rest.hasPrefix("https:") else { return [catalogDigest] }
    let before = "http:" + rest.dropFirst("https:".count)
    return [catalogDigest, Self.digest([before] + address.dropFirst())]
  }

  private var catalogAddress: [String] {
    [URLReference(catalog)?.redacted ?? "", URLReference(catalog)?.query ?? ""]
  }

  /// A digest, since the query of an address may hold a secret.
  private static func digest(_ parts: [String]) -> String {
    var hasher = SHA256Hasher()
    Array(parts.joined(separator: "\n").utf8).withUnsafeBytes { hasher.update($0) }
    return hasher.finish().description
  }
}

/// What a run did to the folder, in numbers.
struct MirrorTally: Equatable, Sendable {
  var added = 0
  var updated = 0
  var repaired = 0
  var previews = 0
  var adopted = 0
  var confirmed = 0
  var displaced = 0
  var removed = 0
  /// Items that the listing lacks and that stay, since nothing is to be removed.
  var kept = 0
  var touched = 0
  var bytes: Int64 = 0
}
