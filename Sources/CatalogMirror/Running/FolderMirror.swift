import SyncDatabase
import SyncEngine
package import SyncFetching
import SyncFiles
public import SyncFolder
import SyncLock
import SyncText

/// Keeps a folder equal to a remote catalog: the ready-made use of the engine.
///
/// ```swift
/// let mirror = FolderMirror(
///   MirrorOptions(catalog: "https://example.org/pub/catalog.ndjson", folder: "/srv/pub"))
/// let report = try await mirror.sync()
/// ```
///
/// One mirror works on a folder at a time, over all processes. Every call is a run of its own.
/// Cancelling the calling task cancels the run: what is finished is kept.
public final class FolderMirror: Sendable {
  /// What is copied, where to, and how.
  public let options: MirrorOptions
  let observer: MirrorObserver
  let environment: MirrorEnvironment

  /// A mirror; nothing is opened or sent before the first call.
  public convenience init(_ options: MirrorOptions) {
    self.init(options, in: MirrorEnvironment())
  }

  /// A mirror in a world of its own.
  package convenience init(_ options: MirrorOptions, in environment: MirrorEnvironment) {
    self.init(options, in: environment, observedBy: MirrorObserver())
  }

  init(
    _ options: MirrorOptions, in environment: MirrorEnvironment, observedBy observer: MirrorObserver
  ) {
    self.options = options
    self.environment = environment
    self.observer = observer
  }

  /// How far the run under way is.
  public var progress: MirrorProgress { observer.progress }

  /// All that happens from now on; any number of subscribers. One that doesn't read loses the
  /// oldest of 10,000 unread events. Ends with the mirror.
  public var events: AsyncStream<MirrorEvent> { observer.subscribe() }

  /// How many events subscribers have lost, as they didn't read in time.
  public var droppedEvents: Int { observer.dropped }

  /// Ends the streams of all subscribers, once what waits in them has been read.
  public func endEvents() {
    observer.finish()
  }

  /// Makes the folder equal to the catalog.
  ///
  /// - Returns: what was done, also when items failed, removal was refused, or it was cancelled.
  /// - Throws: ``MirrorError`` when the run couldn't begin: a folder that can't be used or is in
  ///   use, a catalog whose address is none.
  public func sync() async throws -> MirrorReport {
    let began = ContinuousClock.now
    let (startedAt, time) = (environment.now(), Timeline(environment.clock))
    let connection = try SourceConnection(options, in: environment, observer: observer)
    let timer = RunTimer(options.maximumDuration)
    do {
      var report = try await timer.limiting(environment.clock) {
        try await self.sync(over: connection, startedAt: startedAt, time, timer)
      }
      await connection.close()
      report.duration = ContinuousClock.now - began
      report.timeLimit = report.outcome == .cancelled ? timer.reached : nil
      return report
    } catch {
      await connection.close()
      guard error is CancellationError else { throw MirrorError(opening: error) }
      var report = MirrorReport(outcome: .cancelled)
      report.timeLimit = timer.reached
      return report
    }
  }

  /// A folder becomes a mirror only once there is a listing to mirror: a mistyped address leaves
  /// nothing half-made.
  private func sync(
    over connection: SourceConnection, startedAt: Double, _ time: Timeline, _ timer: RunTimer
  ) async throws -> MirrorReport {
    var first: CatalogSource.Fetched?
    if try !isMirror(), !options.requiresExisting {
      try await environment.checkEnclosing(options.folder)
      observer.enter(.list)
      do {
        first = try await CatalogSource(
          connection, options, folding: environment.folding ?? .none, at: startedAt,
          observer: observer
        ).fetch()
      } catch let error as CatalogError {
        return MirrorReport(failure: error)
      } catch is CancellationError {
        return MirrorReport(outcome: .cancelled)
      }
    }
    let expected = options.acceptsNewCatalog ? nil : CatalogIdentity(connection.root)
    var session = try await MirrorSession.open(
      options, of: expected, in: environment, startedAt: startedAt, observer: observer)
    do {
      let binding = CatalogBinding(
        folder: session.folder, index: session.index, queue: session.fileQueue)
      if let expected { try await binding.check(expected) }
      try await binding.checkKeys(options)
    } catch {
      await session.close()
      throw error
    }
    // What the file system folds is known only now; where it does, keys are checked by it. And
    // another run may have been faster, and have mirrored a newer listing. (What is wrong with the
    // index, the run finds out.)
    let isFirst = (try? await session.index.read { try $0.value(.catalog) == nil }) ?? false
    if session.folding != environment.folding ?? .none || !isFirst { first = nil }
    var (report, damage) = await run(
      connection, session, first, startedAt: startedAt, time, timedBy: timer)
    if let found = damage {
      session = try await session.withNewIndex(
        options, in: environment, startedAt: startedAt, observer: observer)
      if found == .atTheStart {
        (report, damage) = await run(
          connection, session, first, startedAt: startedAt, time, timedBy: timer)
      }
    }
    await session.close()
    return report
  }

  /// Whether the folder is a mirror. One whose marker was cut short is, and opening it mends that.
  ///
  /// - Throws: ``FolderError``, also where there is none and none could be made.
  private func isMirror() throws -> Bool {
    do {
      let folder = try MirrorFolder.inspect(path: options.folder, in: environment.fileSystem)
      if folder == nil, !options.requiresExisting {
        try MirrorFolder.checkPlace(
          options.folder, withParents: options.makesParents, in: environment.fileSystem)
      }
      return folder?.id != nil
    } catch let error as FolderError where error.code == .markerTorn {
      return true
    }
  }

  /// One run in an open folder; with `repairs` given, of these and nothing else.
  func run(
    _ connection: SourceConnection, _ session: MirrorSession, _ first: CatalogSource.Fetched?,
    repairs: Repairs? = nil, startedAt: Double, _ time: Timeline,
    timedBy timer: RunTimer? = nil
  ) async -> (MirrorReport, IndexRebuilding?) {
    let running = RunningMirror(
      holder: session.lock.holder, catalog: URLReference(options.catalog)?.redacted)
    let writer = StatusWriter(
      session, running, every: environment.statusInterval, observer: observer)
    await writer.begin()
    let result = await work(
      connection, session, first, repairs: repairs, startedAt: startedAt, time, timedBy: timer)
    await writer.end()
    return result
  }

  /// The engine's options. Where the number of requests adapts, as many items are under way as are
  /// of use for it: many more would only wait, each half done, and pass what they need on from one
  /// to the next; none of them would find it in the processor's cache when its turn comes.
  private func syncOptions(for connection: SourceConnection) -> SyncOptions {
    var sync = options.syncOptions
    guard options.concurrency <= 0, connection.adaptsRequests else { return sync }
    let budget = DownloadBudget(32)
    connection.tellUsefulCallers { budget.raise(to: $0) }
    sync.budget = budget
    return sync
  }

  private func work(
    _ connection: SourceConnection, _ session: MirrorSession, _ first: CatalogSource.Fetched?,
    repairs: Repairs?, startedAt: Double, _ time: Timeline, timedBy timer: RunTimer?
  ) async -> (MirrorReport, IndexRebuilding?) {
    await purgeQuarantine(session, now: startedAt)
    if repairs == nil { try? await MirrorRules(options).keep(in: session.index) }
    let context = RunContext(
      options: options, target: PassTarget(session),
      catalog: CatalogSource(
        connection, options, folding: session.folding, at: startedAt, observer: observer),
      observer: observer, startedAt: startedAt, time: time, environment: environment)
    let processor = MirrorProcessor(
      context, from: connection.source, firstListing: first, repairs: repairs)
    let synchronizer = Synchronizer(
      processor: processor, options: syncOptions(for: connection), requestWindow: RequestWindow(),
      clock: environment.clock, executor: environment.executor,
      downloadExecutor: environment.executor == nil ? connection.executor : nil)
    timer?.whenUp { limit in processor.pass.withLock { $0.timeIsUp(after: limit) } }
    // Whatever is thrown, the pass tells how it ended; one that was cancelled before it began is
    // none.
    _ = try? await synchronizer.sync()
    let pass = processor.pass.withLock { $0 }
    guard let ending = pass.ending else { return (MirrorReport(outcome: .cancelled), nil) }
    var report = MirrorReport(pass, ending)
    report.trustedIndex = options.trustsIndex && repairs == nil
    if report.outcome == .done { await purgeQuarantine(session, now: startedAt) }
    if options.makesEmptyDirectories, repairs == nil {
      try? await context.followEmptyDirectories(
        removes: options.maximumRemoval != .never && report.outcome.isWhole)
    }
    return (report, IndexRebuilding(pass))
  }

  /// Empties the quarantine of what has been there for long enough: when a run begins, since the
  /// room may be needed, and after a good one. What can't be deleted now is tried again by the
  /// next.
  private func purgeQuarantine(_ session: MirrorSession, now: Double) async {
    let (folder, age) = (session.folder, options.keepRemoved)
    let before = Int64(nanosecondsOf: now - age / .seconds(1))
    _ = try? await session.diskQueue.run {
      try Quarantine.purge(folder, olderThan: age, now: now)
    }
    try? await session.index.write { writer in
      try writer.forgetQuarantined(try writer.quarantined(before: before).map(\.name))
    }
  }
}

extension MirrorError {
  package init(opening error: any Error) {
    switch error {
    case let error as MirrorError: self = error
    case let error as FolderError:
      if case .locked(let holder) = error.code {
        self = .locked(folder: error.path, by: holder)
      } else {
        self = .folder(error)
      }
    case let error as CatalogError: self = .catalog(error)
    case let error as DatabaseError: self = .init(error)
    default: self = .other(error)
    }
  }
}

extension CatalogSource {
  package init(
    _ connection: SourceConnection, _ options: MirrorOptions, folding: NameFolding,
    at now: Double, observer: MirrorObserver
  ) {
    var assembly = ListingAssembly.Options()
    assembly.format = options.namedFormat
    assembly.isVouchedFor = options.vouchesForCompleteness
    assembly.allowsRollback = options.allowsRollback
    assembly.allowsExpired = options.allowsExpired
    assembly.now = now
    assembly.limits.bytes = Int(options.maximumCatalogSize)
    assembly.folding = folding
    assembly.scope = ScopeBoundary(options.scope, at: now)
    assembly.last = options.last
    self.init(
      source: connection.source, root: connection.root,
      formats: options.catalogFormats, options: assembly,
      signatures: options.keyring.map { SignatureCheck(keyring: $0, now: now) },
      verifyKeys: connection.verifyKeys.isEmpty ? nil : VerifyKeys(connection.verifyKeys, at: now),
      onPage: { url, isUnchanged in
        observer.update { $0.pages += 1 }
        observer.publish(
          .page(url: URLReference(url)?.redacted ?? "", isUnchanged: isUnchanged))
      })
  }
}

extension FolderMirror {
  /// Makes sure that a path, which needn't exist, doesn't lead into the `.mirror` of a mirror,
  /// whatever links it goes through: what lies there is that mirror's, and some of it is removed in
  /// time. To be asked of where a program puts its own files, as a log.
  /// - Throws: `FolderError` with the code `insideMirror(of:)`.
  public static func requireOutsideMirrors(_ path: String) throws(FolderError) {
    try MirrorFolder.requireOutsideMirrors(path)
  }
}
