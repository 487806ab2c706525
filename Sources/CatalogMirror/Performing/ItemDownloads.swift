import SyncFetching
import SyncFiles
import SyncFolder
import SyncLock
import SyncText

/// Fetches items. A worker returns when its item's bytes are checked and staged; the batch that
/// makes them durable is the committer's.
struct ItemDownloads: Sendable {
  let session: MirrorSession
  let adoption: MirrorOptions.Adoption
  let transfer: ItemTransfer
  let committer: BatchCommitter<CommitRecord>
  let observer: MirrorObserver
  let pass: Locked<MirrorPass>

  /// Fetches an item's preview, if it is wanted.
  func preview(of item: MirrorItem) async throws {
    guard let reason = pass.withLock({ $0.need(of: item).preview }) else { return }
    try await counting(item) {
      guard let entry = item.entry, let preview = entry.preview else { throw item.problem }
      try checkFits(preview.size)
      let target = ItemTransfer.Target(
        locators: [preview.locator], size: preview.size, sha256: preview.sha256)
      guard case .fetched(let staged, let answer) = try await transfer.fetch(target) else { return }
      let name = PreviewName.make(for: entry.key, mediaType: answer.mediaType, url: answer.url)
      committer.add(
        Placement(
          staged: staged, destination: .preview(name: name), expectation: .nothing,
          payload: CommitRecord(
            id: item.id, entry: entry, what: .preview(version: preview.ownVersion, name: name),
            digest: staged.sha256, received: answer.bodyBytes, reason: reason)))
    }
  }

  /// Fetches an item's content, unless it is held, adopted, or confirmed by the server.
  func content(of item: MirrorItem) async throws {
    let (need, row, wasEmpty) = pass.withLock {
      ($0.need(of: item).content, $0.held(item.id), $0.wasEmpty)
    }
    guard let reason = need else { return }
    try await counting(item) {
      guard case .entry(let entry, let isSettled) = item.subject else { throw item.problem }
      try checkFits(entry.size)
      let path = try RelativePath(entry.key)
      let version = isSettled ? entry.version : .unknown
      let held = row?.content
      if held == nil, !wasEmpty, let found = try await adoptable.find(entry, at: path) {
        return adopt(entry, found, version: version)
      }
      var target = ItemTransfer.Target(
        locators: entry.locators, size: entry.size, sha256: entry.sha256,
        modified: entry.modified, identity: PartialIdentity(entry))
      if reason == .unsettled, row?.entry.locators.first == entry.locators.first {
        target.etag = held?.etag
        target.lastModified = held?.etag == nil ? held?.lastModified : nil
      }
      switch try await transfer.fetch(target) {
      case .notModified: confirm(entry, version: version)
      case .fetched(let staged, let answer):
        committer.add(
          Placement(
            staged: staged, destination: .item(path),
            expectation: held.map { .ours($0.stamp) } ?? .nothing,
            payload: CommitRecord(
              id: item.id, entry: entry,
              what: .content(
                version: version, etag: answer.provenETag, lastModified: answer.provenLastModified),
              digest: staged.sha256, received: answer.bodyBytes,
              reason: row == nil ? reason : reason.ofKnownItem)))
      }
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

  /// - Throws: ``ItemError/largerThanDisk``, for a size that the disk doesn't have.
  private func checkFits(_ size: Int64?) throws {
    guard size ?? 0 <= pass.withLock({ $0.capacity }) else { throw ItemError.largerThanDisk }
  }

  private var adoptable: AdoptableFiles {
    AdoptableFiles(session: session, rule: adoption, pass: pass)
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

extension MirrorItem {
  /// Why the item can't be fetched as the catalog has it.
  fileprivate var problem: any Error {
    switch subject {
    case .unusable(let unusable): unusable
    case .entry: ItemError.unframed
    }
  }
}
