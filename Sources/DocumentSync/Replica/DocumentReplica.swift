public import SyncEngine
@_exported public import struct SyncEngine.SyncStatus
private import SyncEssentials
import SyncLock

/// Documents that are edited here, offline for days if it must be, and that travel both ways.
///
/// ```swift
/// let notes = try await DocumentReplica(
///   .file("notes.sqlite"), endpoint: endpoint,
///   options: ReplicaOptions(
///     server: "https://example.org/v1",
///     collections: [SyncedCollection("notes", policies: [.merge])]))
/// try await notes.save(DocumentID("milk"), ["title": "Milk"], in: "notes")
/// let report = try await notes.sync()
/// ```
///
/// Edits are stored at once, whether or not there is a network, and survive whatever comes. A sync
/// sends them and brings what others changed; where both changed a document, the collection's
/// policies decide, and what gives way is kept apart (``DocumentReport/lost``).
///
/// All members can be used from any thread. Several processes may edit one store; one at a time
/// syncs it.
public final class DocumentReplica: Sendable {
  package let store: DocumentStore
  /// Under whom it syncs; `nil` where the server knows no accounts.
  package let account: Account?
  /// Makes syncs that nobody waits for, and runs closures around every sync.
  public let scheduler: SyncScheduler
  let options: ReplicaOptions
  let endpoint: any DocumentEndpoint
  let syncer: DocumentSyncer
  /// Where the store's file is; `nil` for one in memory.
  let path: String?

  /// Opens a replica; its store is made if it's missing.
  ///
  /// - Parameters:
  ///   - place: where the documents are kept.
  ///   - endpoint: the server, as the account sees it.
  ///   - options: what is kept in step, and how.
  ///   - clock: what waits are measured with.
  public convenience init(
    _ place: ReplicaStorePlace, endpoint: any DocumentEndpoint, options: ReplicaOptions,
    clock: some Clock<Duration> = ContinuousClock()
  ) async throws {
    let store = try await Self.store(place, options)
    self.init(
      store, path: place.path, account: nil, endpoint: endpoint, options: options, clock: clock,
      seams: SessionSeams(clock))
    if !options.account.isEmpty { _ = try await isKnown(as: options.account) {} }
  }

  /// Opens a replica that syncs under an account; its store is made if it's missing.
  ///
  /// - Parameters:
  ///   - place: where the documents are kept.
  ///   - account: under whom it syncs. It belongs to this replica alone from now on.
  ///   - options: what is kept in step, and how.
  ///   - clock: what waits are measured with.
  ///   - endpoint: makes the server, with what it's to ask for the field `Authorization`.
  public convenience init(
    _ place: ReplicaStorePlace, account: Account, options: ReplicaOptions,
    clock: some Clock<Duration> = ContinuousClock(),
    endpoint: (_ authorization: @escaping AuthorizationSource) throws -> any DocumentEndpoint
  ) async throws {
    let server = try endpoint { try await account.authorization() }
    let store = try await Self.store(place, options)
    self.init(
      store, path: place.path, account: account, endpoint: server, options: options,
      clock: clock, seams: SessionSeams(clock))
    if account.isLoaded, let name = account.status.name {
      _ = try await isKnown(as: name) {}
    } else {
      // Credentials that can't be read are asked for again by each sync, and by whoever needs them.
      try? await account.load()
    }
  }

  private static func store(
    _ place: ReplicaStorePlace, _ options: ReplicaOptions
  ) async throws -> DocumentStore {
    var opening = DocumentStoreOptions()
    (opening.indexes, opening.texts) = (options.indexes, options.texts)
    guard case .file(let path) = place, let shipped = options.shippedStore else {
      return try await DocumentStore(place, options: opening)
    }
    return try await DocumentStore(path, copying: shipped, options: opening)
  }

  init(
    _ store: DocumentStore, path: String?, account: Account?, endpoint: any DocumentEndpoint,
    options: ReplicaOptions, clock: some Clock<Duration>, seams: SessionSeams
  ) {
    self.path = path
    self.options = options
    self.account = account
    self.endpoint = endpoint
    var place = SyncPlace(
      server: options.server, account: account?.status.name ?? options.account,
      collections: options.collections)
    (place.removals, place.concurrency) = (options.removals, options.concurrency)
    place.storePath = path
    place.keyless = Set(options.collections.map(\.name).filter { endpoint.makesKeys(in: $0) })
      .subtracting(place.routed)
    place.written = { endpoint.reference(to: $0, $1, in: $2) }
    place.deciders = SyncDeciders(
      conflict: options.decidesConflict, refusal: options.decidesRefusal)
    let keeper = ServerTimeKeeper(store, server: options.server)
    let heard = Locked<SyncScheduler?>(nil)
    let listening = ListeningEndpoint(endpoint, now: seams.now) { answer in
      if let sign = answer.sign { heard.withLock { $0 }?.showed(sign) }
      if let time = answer.time { await keeper.heard(time) }
    }
    let signed: any DocumentEndpoint =
      account.map { AccountEndpoint(listening, account: $0) } ?? listening
    let processor = DocumentProcessor(
      store, RoutedEndpoint(signed, options.collections, clock: clock), place, seams: seams)
    let syncer = DocumentSyncer(processor, clock: clock, window: options.requestWindow)
    // The processor keeps the schedule, so that the schedule must not keep the engine.
    scheduler = SyncScheduler(
      ScheduledSyncs(
        request: { [weak syncer] in syncer?.synchronizer.requestSync() },
        sync: { [weak syncer] in _ = try await syncer?.synchronizer.sync() }),
      account: account, first: options.firstSync, every: options.syncInterval, clock: clock,
      random: seams.random)
    processor.scheduler = scheduler
    heard.withLock { [scheduler] in $0 = scheduler }
    self.syncer = syncer
    self.store = store.seen { [server = options.server] in
      DocumentOwner(server: server, account: processor.place.account)
    }
    account?.attendant = self
  }

  // MARK: - Syncing

  /// Syncs, and waits for the end. Whoever asks during a sync is served by one more.
  ///
  /// - Throws: ``DocumentSyncFailure`` where the server, or a collection of it, didn't let it do
  ///   its work: what was to be sent still is. ``DocumentError/unstamped(_:)`` before anything is
  ///   sent; `CancellationError`, and what the store throws.
  @discardableResult
  public func sync(_ wishes: SyncWishes = SyncWishes()) async throws -> DocumentReport {
    if wishes.policies.contains(.latest),
      let other = options.collections.first(where: { !stamps(in: $0.name) })
    {
      throw DocumentError.unstamped(other.name)
    }
    let reason: SyncReason = wishes.isByHand ? .manual : .timer
    scheduler.isWanted(reason)
    let began = WallClock.milliseconds()
    let report = try await syncer.sync(wishes)
    guard options.remembersQuietSyncs, report.isQuiet else { return report }
    let run = SyncRun(
      began: Date(milliseconds: began), ended: Date(milliseconds: WallClock.milliseconds()),
      reason: reason.rawValue)
    try await store.sync { [account = syncer.processor.place.account] in
      try $0.noteQuiet(run, of: account)
    }
    return report
  }

  /// Asks for a sync soon, and doesn't wait for it; requests are gathered for a moment.
  public func requestSync() {
    scheduler.isWanted()
    syncer.synchronizer.requestSync()
  }

  /// Cancels the sync under way. What the server took meanwhile is recognised by the next one.
  public func cancel() { syncer.synchronizer.cancel() }

  /// How it stands with syncs, first now and then after each change, for each reader.
  public var status: AsyncStream<SyncStatus> { syncer.synchronizer.status }

  package var lastReport: DocumentReport { syncer.processor.report }

  /// Closes the store. Later calls are errors.
  public func close() async {
    cancel()
    await store.close()
  }

  func scope(of collection: String) throws -> DocumentScope {
    guard options.collections.contains(where: { $0.name == collection }) else {
      throw DocumentError.unknownCollection(collection)
    }
    return DocumentScope(
      server: options.server, account: syncer.processor.place.account, collection: collection)
  }

  /// An edit asks for a sync, unless nothing changed.
  func edited(_ hasChanged: Bool) {
    if hasChanged, options.syncsEdits { scheduler.trigger(.edit) }
  }
}

extension SessionSeams {
  fileprivate init(_ clock: some Clock<Duration>) {
    self.init()
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
  }
}
