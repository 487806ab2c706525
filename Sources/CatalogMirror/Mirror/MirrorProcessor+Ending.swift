import SyncLedger
import OneWaySynchronizer
import SyncLock
import SyncFolder
import SyncText
import SyncFiles

/// After the downloads: commit, removal, and what is remembered of the run.
extension MirrorProcessor {
  func commitDownloads() async throws -> [MirrorItem.ID: any Error] {
    observer.enter(.commit)
    let failures = await committer.drain()
    do {
      try await recordChanges()
    } catch {
      stop.note(error)
      guard stop.reason != nil else { throw error }
    }
    var errors: [MirrorItem.ID: any Error] = [:]
    for failure in failures where !failure.error.endsRun {
      errors[failure.payload.id] = failure.error
      observer.publish(
        .failed(key: failure.payload.id.description, sentence: sentence(of: failure.error)))
    }
    // What could be kept is kept; now the run ends with its one error.
    if let reason = stop.reason { throw reason }
    return errors
  }

  /// Tells the index of what needn't be placed.
  private func recordChanges() async throws {
    let (changes, dropped, owesFlush) = state.withLock { state in
      defer { (state.changes, state.droppedPreviews) = ([], []) }
      return (state.changes, state.droppedPreviews, state.owesFlush)
    }
    if owesFlush, options.durability != .none {
      let folder = session.folder
      try await session.diskQueue.run { try folder.flushEverything() }
    }
    if !changes.isEmpty { try await session.index.write { try $0.record(changes) } }
    state.withLock { state in
      for name in dropped { state.previews.release(name) }
    }
  }

  /// Marked in the index, moved to quarantine, then forgotten: whatever a crash leaves can be told
  /// at the next start.
  func removeLocalItems(_ keys: Set<MirrorItem.ID>) async throws {
    observer.enter(.remove)
    let items = state.withLock { state in
      keys.compactMap(\.key).sorted().compactMap { state.view.rows[$0] }
    }
    let batch = UTCStamp.text(startedAt)
    try await session.index.write { writer in
      try writer.markRemoving(
        items.map { RemovalMark(key: $0.key, quarantineName: "\(batch)/\($0.key)") })
    }
    let outcomes = try await move(items)
    let failures = outcomes.compactMap(\.1.error)
    let stays = Set(
      outcomes.compactMap { item, outcome in
        if case .failed = outcome { item.key } else { nil }
      })
    // Moved, and perhaps not for good: they stay marked, and the next run looks where they are.
    let unsettled = Set(
      outcomes.compactMap { item, outcome in
        if case .unsettled = outcome { item.key } else { nil }
      })
    let gone = items.filter { !stays.contains($0.key) && !unsettled.contains($0.key) }
    let quarantined = outcomes.compactMap { item, outcome -> QuarantinedFile? in
      guard case .moved(let moved) = outcome, moved.area == .quarantine else { return nil }
      return moved.quarantined(at: startedAt, of: item)
    }
    try await session.index.write { writer in
      try writer.finishRemoval(of: gone.map(\.key), quarantined: quarantined)
      try writer.undoRemoval(of: stays)
    }
    forget(gone)
    noteDisplaced(outcomes.map(\.1))
    if let error = failures.first { throw error }
  }

  private func move(
    _ items: [IndexedItem]
  ) async throws -> [(IndexedItem, Quarantine.Outcome)] {
    let edited = state.withLock { $0.view.damaged }
    let held = withoutTwins(items).compactMap { item -> (IndexedItem, Quarantine.Removal)? in
      guard let path = try? RelativePath(item.key) else { return nil }
      if let content = item.content {
        return (item, Quarantine.Removal(path: path, stamp: content.stamp))
      }
      // What stands there was edited: no state of ours, so that it goes to the displaced files.
      return edited.contains(item.key) ? (item, Quarantine.Removal(path: path, stamp: .never)) : nil
    }
    let quarantine = Quarantine(session.folder, startedAt: startedAt)
    let outcomes = try await session.diskQueue.run { try quarantine.remove(held.map(\.1)) }
    return Array(zip(held.map(\.0), outcomes))
  }

  /// Without those whose file is now that of a listed key, since the file system holds the two for
  /// one name: a catalog that only changed the case of a key takes no file away.
  private func withoutTwins(_ items: [IndexedItem]) -> [IndexedItem] {
    let folding = session.folding
    // Nothing is known there: every key stands in the listing.
    guard folding != .none, let listing = state.withLock({ $0.fetched?.listing }) else {
      return items
    }
    let listed = listing.entries.map(\.key) + listing.unusable.compactMap(\.key)
    let names = Set(listed.compactMap { try? RelativePath($0) }.map { folding.fold($0.bytes) })
    return items.filter { !names.contains(folding.fold($0.key.bytes)) }
  }

  /// Edited files weren't removed but moved out of the way.
  private func noteDisplaced(_ outcomes: [Quarantine.Outcome]) {
    for moved in outcomes.compactMap(\.moved) where moved.area == .displaced {
      state.withLock { $0.tally.displaced += 1 }
      observer.publish(.displaced(moved))
    }
  }

  private func forget(_ items: [IndexedItem]) {
    let view = state.withLock { $0.view }
    let removed = items.filter(view.hasSomething)
    state.withLock { state in
      for item in items {
        state.view.forget(item.key)
        state.previews.release(item.preview?.name)
      }
      state.tally.removed += removed.count
    }
    for item in removed { observer.publish(.removed(key: item.key.description)) }
  }

  func syncDidEnd(_ report: PassReport<MirrorItem.ID>) async {
    state.withLock { $0.report = report }
    await forgetLostParts()
    do {
      try await remember(report)
    } catch {
      state.withLock { $0.endingError = error }
      tell(error, of: ".mirror/index.sqlite")
    }
    do {
      try await removeOrphanedPreviews()
    } catch {
      // They are in nobody's way; the next run finds them again.
      tell(error, of: ".mirror/previews")
    }
    observer.enter(.done)
  }

  /// A run that has ended with one error says no other.
  private func tell(_ error: any Error, of path: String) {
    guard stop.reason == nil else { return }
    observer.publish(.failed(key: path, sentence: sentence(of: error)))
  }

  /// After a failed flush of the folder, the bytes of a partial file may be in memory only: read
  /// again they look right, and no flush would write them.
  private func forgetLostParts() async {
    guard session.folder.hasLostBytes else { return }
    let partials = session.partials
    _ = try? await session.fileQueue.run { partials.keep(only: []) }
  }

  /// Only now: a file that was let go of may have been fetched again under the same name.
  private func removeOrphanedPreviews() async throws {
    let names = state.withLock { Array($0.previews.orphans) }
    guard !names.isEmpty else { return }
    let folder = session.folder
    try await session.fileQueue.run { try folder.removePreviews(named: names) }
  }

  private func remember(_ report: PassReport<MirrorItem.ID>) async throws {
    let (fetched, tally) = state.withLock { ($0.fetched, $0.tally) }
    let failures = failedItems(of: report)
    var record = RunRecord(report, tally, startedAt: startedAt, options: options)
    if let listing = fetched?.listing, !listing.isUnchanged { record.counts.listed = listing.count }
    record.counts.failed += fetched?.listing.keyless.unnamed ?? 0
    // Items that the end of the run left out haven't failed.
    if stop.reason != nil { record.counts.failed = failures.count }
    let validators = report.outcome == .succeeded ? fetched.flatMap(newValidators) : nil
    // A run that came to nothing tried no item, so what failed before it is still to be tried
    // first.
    let wasTried = report.outcome == .succeeded || !failures.isEmpty
    let replacesFailures = wasTried && report.outcome != .cancelled && stop.reason == nil
    // Before the validators: nothing that they vouch for may be newer than what is remembered.
    if let revision = hasTriedEverything(report) ? newRevision(fetched) : nil {
      try await session.record(revision, durably: options.durability != .none)
    }
    if report.outcome == .succeeded { try await keepCatalog() }
    if report.outcome != .cancelled, let listing = fetched?.listing {
      try await remember(listing.unreadable)
    }
    let identity = CatalogIdentity(catalog.root).text
    try await session.index.write { [options, repairs, record] writer in
      if let validators { try writer.setValidators(validators) }
      try writer.recordRun(record)
      // A repair says nothing of the items that it wasn't told of.
      guard repairs == nil else { return }
      if replacesFailures { try writer.replaceFailures(failures) }
      // A run that only asked for another catalog doesn't make the folder follow it.
      if try writer.value(.catalogIdentity).map({ $0 == identity }) ?? true {
        try writer.setValue(URLReference(options.catalog)?.redacted, for: .catalog)
      }
      // Once wanted, contents stay wanted: a run of previews only gives none of them up.
      let isFirst = try writer.value(.wantsContents) == nil
      if options.wants.contents || isFirst {
        try writer.setValue(options.wants.contents ? "yes" : "no", for: .wantsContents)
      }
    }
  }

  /// The items that are tried first next time; of very many, some.
  private func failedItems(of report: PassReport<MirrorItem.ID>) -> [FailedItem] {
    report.failures.lazy.filter { $0.key?.key != nil }.prefix(10_000).compactMap { failure in
      failure.key?.key.map { FailedItem(key: $0, sentence: sentence(of: failure.cause)) }
    }
  }

  /// Whether the pass was over and nothing but items failed in it: the listing was taken for true.
  private func hasTriedEverything(_ report: PassReport<MirrorItem.ID>) -> Bool {
    guard stop.reason == nil else { return false }
    switch report.outcome {
    case .succeeded: return true
    case .failed: return report.failures.allSatisfy { $0.key != nil }
    case .cancelled, .removalRefused: return false
    }
  }

  private func newRevision(_ fetched: CatalogSource.Fetched?) -> HighestRevision? {
    guard let listing = fetched?.listing, listing.completeness == .complete,
      case .ordered(let number) = listing.revision
    else { return nil }
    return HighestRevision(number, of: options.catalogDigest)
  }

  private func newValidators(_ fetched: CatalogSource.Fetched) -> ListingValidators? {
    let listing = fetched.listing
    guard listing.completeness == .complete, !listing.isUnchanged else { return nil }
    return ListingValidators(
      fingerprint: options.fingerprint, revision: listing.revision?.stored,
      itemCount: listing.entries.count + listing.known.count, pages: fetched.pages)
  }
}

extension Quarantine.Outcome {
  /// Where it was moved to, for good or not.
  fileprivate var moved: MovedAway? {
    switch self {
    case .moved(let moved), .unsettled(let moved, _): moved
    case .notThere, .failed: nil
    }
  }

  fileprivate var error: FolderError? {
    switch self {
    case .unsettled(_, let error), .failed(let error): error
    case .moved, .notThere: nil
    }
  }
}
