import SyncLedger
import OneWaySynchronizer
import SyncDatabase
import SyncLock
import SyncFolder
import SyncFiles

/// Before any item is fetched: the look at the files, the listing, the keys.
extension MirrorProcessor {
  func syncWillBegin(_ kind: PassKind) async throws {
    observer.enter(.look)
    pass.withLock { $0 = MirrorPass($0.rules) }
    guard !isPlan else { return }
    let unfinished = UnfinishedWork(session: session, isDurable: options.durability != .none)
    try await unfinished.settlePlacements()
    let gone = try await unfinished.settleRemovals()
    pass.withLock { $0.finishedRemovals(of: gone) }
    if let repairs { try await session.index.write { try $0.record(repairs.marks) } }
  }

  private var repairs: Repairs? { pass.withLock { $0.rules.repairs } }

  /// Unless the index is to be trusted, or there is none yet.
  private func look() async throws {
    guard !options.trustsIndex, let folder = ground.folder, let index = ground.index else {
      pass.withLock { _ = $0.looked(nil) }
      return
    }
    let look = LocalLook(
      folder: folder, index: index, queue: ground.fileQueue, wants: options.wants)
    let findings = try await look.look()
    let changes = pass.withLock { $0.looked(findings) }
    guard !isPlan, !changes.isEmpty else { return }
    try await session.index.write { try $0.record(changes) }
  }

  func fetchSourceList() async throws -> SourceList<MirrorItem> {
    if let repairs {
      try await look()
      let rows = try await session.index.read {
        try $0.items(repairs.contents.union(repairs.previews))
      }
      return pass.withLock { $0.repairing(rows) }
    }
    let fetched = try await fetchListingAndLook()
    guard !fetched.listing.isUnchanged else {
      let rows = try await incompleteItems()
      return pass.withLock { $0.unchanged(fetched, rows) }
    }
    let list = try await decide(on: fetched)
    guard !isPlan else { return list }
    observer.publish(
      .listed(entries: fetched.listing.count, partial: fetched.listing.partialReasons))
    // From here on the folder may come to differ from the listing that the validators speak of.
    try await session.index.write { try $0.clearValidators() }
    if case .changes(let items, _) = list, options.wants.contents {
      try await forgetPartialFiles(notOf: items)
    }
    return list
  }

  private func incompleteItems() async throws -> [CatalogKey: IndexedItem] {
    let (findings, wants) = (pass.withLock { $0.findings }, options.wants)
    return try await ground.index?.read {
      try $0.incompleteItems(after: findings, wants: wants)
    } ?? [:]
  }

  private func decide(
    on fetched: CatalogSource.Fetched
  ) async throws -> SourceList<MirrorItem> {
    let (findings, wants) = (pass.withLock { $0.findings }, options.wants)
    let comparison = try await ground.index?.read {
      try $0.compare(fetched.listing, findings, wants)
    }
    return try pass.withLock {
      try $0.listed(comparison ?? ListingComparison(fetched.listing), of: fetched.pages)
    }
  }

  /// Partial files of contents that needn't be fetched: of what the catalog has no longer, or not
  /// in that version, and of what is held.
  private func forgetPartialFiles(notOf items: [MirrorItem]) async throws {
    let partials = session.partials
    guard !partials.isEmpty else { return }
    let wanted = Set(items.compactMap(\.entry).map { PartialIdentity($0).slot })
    try await session.fileQueue.run { partials.keep(only: wanted) }
  }

  /// The listing, fetched while the files are looked at; and once more, if it lay waiting so long
  /// that by now the catalog may say something else, and its addresses may be void.
  private func fetchListingAndLook() async throws -> CatalogSource.Fetched {
    let before = try await whatIsKnown()
    if let listing = try await fetchListingAndLook(before, timedBy: clock) { return listing }
    return try await fetchListing(before)
  }

  /// What is known before the catalog is asked.
  private func whatIsKnown() async throws -> CatalogSource.Before {
    guard let folder = ground.folder else { return CatalogSource.Before() }
    let highest = try await HighestRevision.read(
      of: options.catalogDigests, in: folder, ground.index, on: ground.fileQueue)
    guard let index = ground.index else {
      return CatalogSource.Before(highestRevision: highest)
    }
    return try await catalog.before(
      index, fingerprint: options.fingerprint, highestRevision: highest)
  }

  /// `nil` for a listing that has aged; one that hasn't changed holds whenever it came.
  ///
  /// What the look found counts first: it may be that nothing can be done here, whatever the server
  /// says.
  private func fetchListingAndLook(
    _ before: CatalogSource.Before, timedBy clock: some Clock<Duration>
  ) async throws -> CatalogSource.Fetched? {
    async let arrival = (listing: fetchListing(before), at: clock.now)
    try await look()
    observer.enter(.list)
    let (listing, arrived) = try await arrival
    let hasAged = arrived.duration(to: clock.now) >= listingPatience
    return hasAged && !listing.listing.isUnchanged ? nil : listing
  }

  private func fetchListing(_ before: CatalogSource.Before) async throws -> CatalogSource.Fetched {
    // A folder that lost its marker may still know more than its first listing was held against.
    if let firstListing, before.highestRevision == nil { return firstListing }
    return try await catalog.fetch(before)
  }

  func localKeys() async throws -> Set<MirrorItem.ID> {
    try await ground.index?.read { try $0.localKeys() } ?? []
  }

  func localKeys(
    among named: Set<MirrorItem.ID>
  ) async throws -> LocalKeys<MirrorItem.ID> {
    let view = pass.withLock { $0.view }
    // A run that trusts the index hasn't counted its items.
    var count = view.count
    if count == nil { count = try await ground.index?.read { try $0.itemCount() } }
    return LocalKeys(keys: named.filter { view.held($0) != nil }, count: count ?? 0)
  }
}

extension IndexAccess {
  /// The keys of all items, as the engine knows them.
  func localKeys() throws -> Set<MirrorItem.ID> {
    Set(try keys { MirrorItem.ID.key($0) })
  }
}
