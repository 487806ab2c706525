import OneWaySynchronizer
import SyncFolder
import SyncLock
import SyncText
import SyncFiles
import SyncLedger

/// What is remembered of a pass.
extension MirrorProcessor {
  func syncDidEnd(_ report: PassReport<MirrorItem.ID>) async {
    let settlement = pass.withLock { $0.ended(report) }
    guard !isPlan else { return }
    await forgetLostParts()
    do {
      try await settle(settlement)
    } catch {
      pass.withLock { $0.ending?.recordingFailed(error) }
      tell(error, of: ".mirror/index.sqlite")
    }
    do {
      try await removePreviews(named: settlement.orphans)
    } catch {
      // They are in nobody's way; the next run finds them again.
      tell(error, of: ".mirror/previews")
    }
    observer.enter(.done)
  }

  /// A run that was cut short by one error says no other.
  private func tell(_ error: any Error, of path: String) {
    guard pass.withLock({ $0.ending?.wasCutShort != true }) else { return }
    observer.publish(.failed(key: path, error))
  }

  /// After a failed flush of the folder, the bytes of a partial file may be in memory only: read
  /// again they look right, and no flush would write them.
  private func forgetLostParts() async {
    guard session.folder.hasLostBytes else { return }
    let partials = session.partials
    _ = try? await session.fileQueue.run { partials.keep(only: []) }
  }

  /// Only now: a file that was let go of may have been fetched again under the same name.
  private func removePreviews(named names: Set<String>) async throws {
    guard !names.isEmpty else { return }
    let folder = session.folder
    try await session.fileQueue.run { try folder.removePreviews(named: Array(names)) }
  }

  private func settle(_ settlement: Settlement) async throws {
    if let number = settlement.revision {
      let revision = HighestRevision(number, of: options.catalogDigest)
      try await session.record(revision, durably: options.durability != .none)
    }
    if settlement.keepsCatalog { try await keepCatalog() }
    if let unreadable = settlement.unreadable {
      let isNews = try await UnreadableSet(unreadable).remember(in: session.index)
      if isNews { pass.withLock { $0.ending?.foundNewUnreadable() } }
    }
    let address = URLReference(options.catalog)?.redacted
    let (ending, record) = pass.withLock {
      ($0.ending, $0.record(startedAt: startedAt, catalog: address ?? ""))
    }
    guard let ending, let record else { return }
    let validators = settlement.validated.map(whatValidates)
    let identity = CatalogIdentity(catalog.root).text
    try await session.index.write { [options] writer in
      if let validators { try writer.setValidators(validators) }
      try writer.recordRun(record)
      // A repair says nothing of the items that it wasn't told of.
      guard settlement.isWhole else { return }
      if ending.replacesFailures { try writer.replaceFailures(ending.toRetry) }
      // A run that only asked for another catalog doesn't make the folder follow it.
      if try writer.value(.catalogIdentity).map({ $0 == identity }) ?? true {
        try writer.setValue(address, for: .catalog)
      }
      // Once wanted, contents stay wanted: a run of previews only gives none of them up.
      let isFirst = try writer.value(.wantsContents) == nil
      if options.wants.contents || isFirst {
        try writer.setValue(options.wants.contents ? "yes" : "no", for: .wantsContents)
      }
    }
  }

  private func whatValidates(_ fetched: CatalogSource.Fetched) -> ListingValidators {
    let listing = fetched.listing
    return ListingValidators(
      fingerprint: options.fingerprint, revision: listing.revision?.stored,
      itemCount: listing.entries.count + listing.known.count, pages: fetched.pages)
  }
}
