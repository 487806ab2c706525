import SyncFiles
import SyncFolder
import SyncLock
import SyncText

/// Writes down what is remembered of a pass.
struct PassSettling: Sendable {
  let options: MirrorOptions
  let session: MirrorSession
  let catalog: CatalogIdentity
  /// When the run began, in seconds since 1970.
  let startedAt: Double
  let time: Timeline

  /// Remembers which catalog the folder mirrors.
  func keepCatalog() async throws {
    let binding = CatalogBinding(
      folder: session.folder, index: session.index, queue: session.fileQueue)
    try await binding.keep(catalog)
  }

  /// Tells the index of what needn't be placed.
  func record(_ unrecorded: MirrorPass.Unrecorded) async throws {
    if unrecorded.owesFlush, options.durability != .none {
      let folder = session.folder
      try await session.diskQueue.run { try folder.flushEverything() }
    }
    let changes = unrecorded.changes
    if !changes.isEmpty { try await session.index.write { try $0.record(changes) } }
  }

  /// Writes down how a pass ended, and tidies up after it; what comes of that joins its ending.
  ///
  /// - Returns: what went wrong with that, and with which file.
  func end(
    _ settlement: Settlement, of pass: inout MirrorPass
  ) async -> [(error: any Error, path: String)] {
    var problems: [(error: any Error, path: String)] = []
    await forgetLostParts()
    do {
      try await settle(settlement, of: &pass)
    } catch {
      pass.ending?.recordingFailed(error)
      problems.append((error, ".mirror/index.sqlite"))
    }
    do {
      try await removePreviews(named: settlement.orphans)
    } catch {
      // They are in nobody's way; the next run finds them again.
      problems.append((error, ".mirror/previews"))
    }
    return problems
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

  private func settle(_ settlement: Settlement, of pass: inout MirrorPass) async throws {
    if let number = settlement.revision {
      let revision = HighestRevision(number, of: options.catalogDigest)
      try await session.record(revision, durably: options.durability != .none)
    }
    if settlement.keepsCatalog { try await keepCatalog() }
    if let unreadable = settlement.unreadable {
      let isNews = try await UnreadableSet(unreadable).remember(in: session.index)
      if isNews { pass.ending?.foundNewUnreadable() }
    }
    try await recordRun(of: pass, settlement)
  }

  private func recordRun(of pass: MirrorPass, _ settlement: Settlement) async throws {
    let address = URLReference(options.catalog)?.redacted
    guard let ending = pass.ending,
      let record = pass.record(startedAt: startedAt, took: time.now, catalog: address ?? "")
    else { return }
    let validators = settlement.validated.map(whatValidates)
    let identity = catalog.text
    try await session.index.write { [options] writer in
      if let validators { try writer.setValidators(validators) }
      if options.makesEmptyDirectories, let directories = settlement.emptyDirectories {
        // A directory that can't be read says nothing of those below it.
        let hides = !(settlement.unreadable ?? []).isEmpty
        let before = try EmptyDirectoryList(.listedDirectories, in: writer)
        let known = hides ? directories.union(before) : directories
        try writer.setValue(known.text, for: .listedDirectories)
      }
      try writer.recordRun(record)
      // A repair says nothing of the items that it wasn't told of.
      guard settlement.isWhole else { return }
      if settlement.keepsScope {
        try writer.setValue(options.scope.digest.description, for: .scope)
      }
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
