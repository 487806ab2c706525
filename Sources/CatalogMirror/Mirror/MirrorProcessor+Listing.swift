import SyncLedger
import OneWaySynchronizer
import SyncDatabase
import SyncLock
import SyncFolder
import SyncFiles

/// Before any item is fetched: the look at the files, the listing, the keys.
extension MirrorProcessor {
  func syncWillBegin() async throws {
    observer.enter(.look)
    state.withLock { [options] in $0 = State(view: LocalView(wants: options.wants)) }
    try await resolveUnfinishedPlacements()
    try await resolveUnfinishedRemovals()
    if let repairs { try await session.index.write { try $0.record(repairs.marks) } }
  }

  /// Unless the index is to be trusted.
  private func look() async throws {
    guard !options.trustsIndex else { return }
    let look = LocalLook(
      folder: session.folder, index: session.index, queue: session.fileQueue, wants: options.wants)
    let findings = try await look.look()
    let changes = findings.changes
    if !changes.isEmpty { try await session.index.write { try $0.record(changes) } }
    state.withLock { state in
      state.findings = findings
      for name in findings.damagedPreviews.values { state.previews.release(name) }
      // Of rows that went in a run that died before it removed the files.
      for name in findings.orphanedPreviews { state.previews.release(name) }
      state.tally.touched = findings.touched.count
    }
  }

  /// Files that a crash caught between their rename and their record: what stands in its place in
  /// the very state in which it was staged is ours.
  private func resolveUnfinishedPlacements() async throws {
    let marks = try await session.index.read { try $0.unfinishedPlacements() }
    guard !marks.isEmpty else { return }
    let (folder, isDurable) = (session.folder, options.durability != .none)
    let placed = try await session.fileQueue.run {
      let placed = try marks.filter { mark in
        guard let path = try? RelativePath(mark.key), let found = try folder.look(at: path) else {
          return false
        }
        return mark.content.stamp.matches(found)
      }
      // The renames may not have reached the disk.
      if isDurable, !placed.isEmpty { try folder.flushEverything() }
      return placed
    }
    try await session.index.write { writer in
      for mark in placed { try writer.recordPlaced(mark) }
      try writer.forgetPlacing(of: marks.map(\.key))
      // Whether the catalog still has them, only a listing can tell.
      if !placed.isEmpty { try writer.clearValidators() }
    }
  }

  /// A removal that a crash cut short is finished if the file is gone, and off if it is there.
  private func resolveUnfinishedRemovals() async throws {
    let unfinished = try await session.index.read { try $0.unfinishedRemovals() }
    guard !unfinished.isEmpty else { return }
    let (folder, isDurable) = (session.folder, options.durability != .none)
    let isThere = try await session.fileQueue.run {
      let isThere = try unfinished.map { item in
        guard let content = item.content, let path = try? RelativePath(item.key) else {
          return false
        }
        return try folder.look(at: path).map(content.stamp.matches) ?? false
      }
      // The moves may not have reached the disk.
      if isDurable, isThere.contains(false) { try folder.flushEverything() }
      return isThere
    }
    let found = zip(unfinished, isThere)
    let gone = found.filter { !$0.1 }.map(\.0)
    try await session.index.write { writer in
      try writer.undoRemoval(of: found.filter(\.1).map(\.0.key))
      try writer.finishRemoval(of: gone.map(\.key), quarantined: [])
      // Whether the catalog still has them, only a listing can tell.
      if !gone.isEmpty { try writer.clearValidators() }
    }
    state.withLock { state in
      for item in gone { state.previews.release(item.preview?.name) }
    }
  }

  func fetchSourceList() async throws -> SourceList<MirrorItem> {
    if let repairs { return try await list(repairs) }
    let fetched = try await fetchListingAndLook()
    let (findings, wants) = (state.withLock { $0.findings }, options.wants)
    guard !fetched.listing.isUnchanged else {
      let rows = try await session.index.read {
        try $0.incompleteItems(after: findings, wants: wants)
      }
      return state.withLock { state in
        state.fetched = fetched
        state.view.take(rows, findings)
        return state.view.repairs
      }
    }
    return try await decide(on: fetched)
  }

  private func decide(
    on fetched: CatalogSource.Fetched
  ) async throws -> SourceList<MirrorItem> {
    let (findings, wants) = (state.withLock { $0.findings }, options.wants)
    var comparison = try await session.index.read {
      try $0.compare(fetched.listing, findings, wants)
    }
    comparison.limit(to: options.maximumRemoval)
    let listing = comparison.listing
    let view = state.withLock { [comparison] state in
      state.tally.kept = comparison.kept
      state.fetched = CatalogSource.Fetched(listing: listing, pages: fetched.pages)
      state.vanished = comparison.vanished
      state.view.take(comparison.rows, of: comparison.count, findings)
      return state.view
    }
    let list = try view.sourceList(for: comparison, maximumRemoval: options.maximumRemoval)
    observer.publish(.listed(entries: listing.count, partial: listing.partialReasons))
    // From here on the folder may come to differ from the listing that the validators speak of.
    try await session.index.write { try $0.clearValidators() }
    if case .changes(let items, _) = list, wants.contents {
      try await forgetPartialFiles(notOf: items)
    }
    return list
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
    let highest = try await HighestRevision.read(
      of: options.catalogDigests, in: session.folder, session.index, on: session.fileQueue)
    let before = try await catalog.before(
      session.index, fingerprint: options.fingerprint, highestRevision: highest)
    if let listing = try await fetchListingAndLook(before, timedBy: clock) { return listing }
    return try await fetchListing(before)
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
    try await session.index.read { try $0.localKeys() }
  }

  func localKeys(
    among named: Set<MirrorItem.ID>
  ) async throws -> LocalKeys<MirrorItem.ID> {
    let view = state.withLock { $0.view }
    return try await view.localKeys(among: named, of: session.index)
  }
}

extension IndexAccess {
  /// The keys of all items, as the engine knows them.
  func localKeys() throws -> Set<MirrorItem.ID> {
    Set(try keys { MirrorItem.ID.key($0) })
  }
}

extension Listing {
  /// Why absence from the listing means nothing, in sentences; empty for a complete one.
  var partialReasons: [String] {
    switch completeness {
    case .complete: []
    case .partial(let reasons): reasons.map(\.description)
    }
  }
}

extension CatalogRevision {
  /// The form in which the index keeps it.
  var stored: String {
    switch self {
    case .opaque(let text): "text " + text
    case .ordered(let number): "number \(number)"
    }
  }

  init?(stored: String) {
    if stored.hasPrefix("text ") {
      self = .opaque(String(stored.dropFirst(5)))
    } else if stored.hasPrefix("number "), let number = Int64(stored.dropFirst(7)) {
      self = .ordered(number)
    } else {
      return nil
    }
  }
}
