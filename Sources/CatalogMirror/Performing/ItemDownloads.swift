import SyncFetching
import SyncFiles
import SyncFolder
import SyncLock
import SyncText

/// Fetches items. A worker returns when its item's bytes are checked and staged; the batch that
/// makes them durable is the committer's.
final class ItemDownloads: Sendable {
  let session: MirrorSession
  let adoption: MirrorOptions.Adoption
  let transfer: ItemTransfer
  let committer: BatchCommitter<CommitRecord>
  /// What is to be placed after everything else.
  let late: LateFiles
  let observer: MirrorObserver
  let pass: Locked<MirrorPass>

  init(
    session: MirrorSession, adoption: MirrorOptions.Adoption, transfer: ItemTransfer,
    committer: BatchCommitter<CommitRecord>, late: LateFiles, observer: MirrorObserver,
    pass: Locked<MirrorPass>
  ) {
    self.session = session
    self.adoption = adoption
    self.transfer = transfer
    self.committer = committer
    self.late = late
    self.observer = observer
    self.pass = pass
  }

  /// Fetches an item's preview, if it is wanted.
  func preview(of item: MirrorItem) async throws {
    guard let reason = pass.withLock({ $0.need(of: item).preview }) else { return }
    try await counting(item) {
      guard let entry = item.entry, let preview = entry.preview else { throw item.problem }
      guard pass.withLock({ $0.fits(preview.size) }) else { throw ItemError.largerThanDisk }
      let target = ItemTransfer.Target(
        locators: [preview.locator], size: preview.size, sha256: preview.sha256)
      guard case .fetched(let staged, let answer) = try await transfer.fetch(target) else { return }
      let name = PreviewName.make(for: entry.key, mediaType: answer.mediaType, url: answer.url)
      committer.add(
        Placement(
          staged: staged, destination: .preview(name: name), expectation: .nothing,
          payload: CommitRecord(
            id: item.id, entry: entry.listed,
            what: .preview(version: preview.ownVersion, name: name),
            digest: staged.sha256, received: answer.bodyBytes, reason: reason)))
    }
  }

  /// Fetches an item's content, unless it is held, adopted, confirmed by the server, or was fetched
  /// ahead.
  func content(of item: MirrorItem) async throws {
    guard let step = pass.withLock({ $0.contentStep(of: item) }) else { return }
    try await counting(item) {
      let wanted = try step.get()
      let entry = wanted.entry
      if let ahead = late.takeAhead(of: entry.key) {
        return try settle(try ahead.get(), as: wanted)
      }
      guard wanted.fitsDisk else { throw ItemError.largerThanDisk }
      let files = AdoptableFiles(session: session, rule: adoption)
      if wanted.mayBeThere,
        let found = try await files.find(entry, isKnown: wanted.held != nil)
      {
        return adopt(entry.listed, found, version: item.version)
      }
      var target = ItemTransfer.Target(entry.listed)
      if wanted.reason == .unsettled { target.ask(for: wanted.held) }
      try settle(try await fetch(item, target), as: wanted)
    }
  }

  private func fetch(
    _ item: MirrorItem, _ target: ItemTransfer.Target
  ) async throws -> Arrival {
    switch try await transfer.fetch(target) {
    case .notModified: .confirmed(item)
    case .fetched(let staged, let answer): .staged(item, staged, answer)
    }
  }

  /// What came of an item is confirmed, or handed on to be placed.
  private func settle(_ arrival: Arrival, as wanted: ContentFetch) throws {
    switch arrival {
    case .confirmed(let item):
      if let entry = item.entry { confirm(entry.listed, version: item.version) }
    case .staged(let item, let staged, let answer):
      guard let entry = item.entry else { throw item.problem }
      let placement = Placement(
        staged: staged, destination: .item(entry.path),
        expectation: wanted.held?.content.map { .ours($0.stamp) } ?? .nothing,
        payload: CommitRecord(
          id: item.id, entry: entry.listed,
          what: .content(
            version: item.version, etag: answer.provenETag,
            lastModified: answer.provenLastModified),
          digest: staged.sha256, received: answer.bodyBytes,
          reason: wanted.reason))
      if wanted.comesLast { late.add(placement) } else { committer.add(placement) }
    }
  }

  /// Runs a transfer and counts it, whichever way it ends. An error that ends the run is told once,
  /// by the run's ending.
  private func counting(_ item: MirrorItem, _ body: () async throws -> Void) async throws {
    do {
      try await body()
      observer.update { $0.itemsDone += 1 }
    } catch let error where !(error is CancellationError) && !error.endsRun {
      observer.update { progress in
        progress.itemsDone += 1
        progress.failed += 1
      }
      observer.publish(.failed(key: item.id.description, error))
      throw error
    }
  }

  /// A file that stands at the item's place was taken for the item.
  private func adopt(_ entry: CatalogEntry, _ found: AdoptableFiles.Found, version: ItemVersion) {
    pass.withLock { $0.adopted(entry, found.stamp, version: version, sha256: found.sha256) }
    observer.publish(.adopted(key: entry.key.description))
  }

  /// The server vouched for what is held.
  private func confirm(_ entry: CatalogEntry, version: ItemVersion) {
    guard pass.withLock({ $0.confirmed(entry, version: version) }) else { return }
    observer.publish(.confirmed(key: entry.key.description))
  }
}

/// Before the rest is listed.
extension ItemDownloads {
  /// Fetches an item into the staging area, as it is now, or has the server confirm what is held.
  func fetchAhead(_ item: MirrorItem) async throws -> Arrival {
    guard let entry = item.entry else { throw item.problem }
    let row = try await session.index.read { try $0.item(entry.key) }
    var target = ItemTransfer.Target(asItIsNow: entry.listed)
    let need = ItemNeed(item, held: row, damage: nil, wants: .init(contents: true, previews: false))
    // Where the catalog says that it has changed, no server is believed that says it hasn't.
    if need.content == .unsettled { target.ask(for: row) }
    return try await fetch(item, target)
  }

  /// What an item is by now; `nil` when it is what it was.
  func newer(than arrival: Arrival) async throws -> Arrival? {
    switch arrival {
    case .confirmed(let item):
      let newer = try await fetchAhead(item)
      if case .confirmed = newer { return nil }
      return newer
    case .staged(let item, let staged, let answer):
      guard let entry = item.entry else { return nil }
      var target = ItemTransfer.Target(asItIsNow: entry.listed)
      // What may change once more under the same validators is fetched once more.
      target.etag = answer.provenETag
      target.lastModified = target.etag == nil ? answer.provenLastModified : nil
      let newer = try await fetch(item, target)
      guard case .staged(_, let other, _) = newer else { return nil }
      guard other.sha256 == staged.sha256 else { return newer }
      session.staging.discard(other)
      return nil
    }
  }
}

extension ItemTransfer.Target {
  fileprivate init(_ entry: CatalogEntry) {
    self.init(
      locators: entry.locators, size: entry.size, roughSize: entry.roughSize,
      sha256: entry.sha256, checks: entry.checks,
      algorithms: entry.algorithms, modified: entry.modified, identity: PartialIdentity(entry))
  }

  /// Whatever the server has: the catalog may have been listed a moment before or after.
  fileprivate init(asItIsNow entry: CatalogEntry) {
    self.init(
      locators: entry.locators, algorithms: entry.algorithms, modified: entry.modified)
  }

  /// Asks only for what is newer than what is held.
  fileprivate mutating func ask(for row: IndexedItem?) {
    guard let held = row?.content, row?.entry.locators.first == locators.first else { return }
    etag = held.etag
    lastModified = held.etag == nil ? held.lastModified : nil
  }
}

extension CatalogEntry {
  /// The rounded size of a directory's listing. What others say of a size without vouching for it,
  /// such as feeds, is often wrong.
  fileprivate var roughSize: Int64? {
    guard case .dateAndSize(date: _?, size: nil) = version, size == nil else { return nil }
    return estimatedSize
  }

  fileprivate var algorithms: Set<ContentDigest.Algorithm> {
    checks.isEmpty ? [] : Set(checks.map(\.algorithm))
  }
}

extension MirrorItem {
  /// The version that bytes of it are recorded with.
  fileprivate var version: ItemVersion {
    guard case .entry(let entry, let isSettled) = self, isSettled else { return .unknown }
    return entry.version
  }

  /// Why the item can't be fetched as the catalog has it.
  fileprivate var problem: any Error {
    switch self {
    case .unusable(let unusable): unusable
    case .entry: ItemError.unframed
    }
  }
}
