import OneWaySynchronizer
import SyncLock
import SyncFiles
import SyncFolder
import SyncText
import SyncFetching

/// The downloads: an item's worker returns when its bytes are checked and staged; the batch that
/// makes them durable is somebody else's.
extension MirrorProcessor {
  func downloadPreview(of item: MirrorItem) async throws {
    guard stop.reason == nil else { return }
    enter(.previews)
    guard let reason = need(of: item).preview else { return }
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

  func downloadContent(of item: MirrorItem) async throws {
    guard stop.reason == nil else { return }
    enter(.contents)
    guard let reason = need(of: item).content else { return }
    try await counting(item) {
      guard case .entry(let entry, let isSettled) = item.subject else { throw item.problem }
      try checkFits(entry.size)
      let path = try RelativePath(entry.key)
      let version = isSettled ? entry.version : .unknown
      let row = held(item.id)
      let held = row?.content
      if held == nil, !state.withLock({ $0.wasEmpty }),
        try await adopt(entry, version: version, at: path)
      {
        return
      }
      var target = ItemTransfer.Target(
        locators: entry.locators, size: entry.size, sha256: entry.sha256,
        modified: entry.modified, identity: PartialIdentity(entry))
      if reason == .unsettled, row?.entry.locators.first == entry.locators.first {
        target.etag = held?.etag
        target.lastModified = held?.etag == nil ? held?.lastModified : nil
      }
      switch try await transfer.fetch(target) {
      case .notModified:
        confirm(entry, held, version: version)
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

  private func enter(_ stage: MirrorStage) {
    guard observer.progress.stage != stage else { return }
    observer.enter(stage)
    // The previews are there before the first content is, and people see them now.
    if stage == .contents { committer.closeBatch() }
  }

  /// Runs a transfer and counts it, whichever way it ends. One that the end of the run has cut
  /// short, or caused, hasn't failed: the commit tells of it, once.
  private func counting(_ item: MirrorItem, _ body: () async throws -> Void) async throws {
    do {
      try await body()
      observer.update { $0.itemsDone += 1 }
    } catch {
      stop.note(error)
      guard stop.reason == nil else { return }
      if !(error is CancellationError) {
        observer.update { progress in
          progress.itemsDone += 1
          progress.failed += 1
        }
        observer.publish(.failed(key: item.id.description, sentence: sentence(of: error)))
      }
      throw error
    }
  }

  /// The server vouched for what is held.
  private func confirm(_ entry: CatalogEntry, _ held: IndexedContent?, version: ItemVersion) {
    guard var content = held else { return }
    content.version = version
    state.withLock { [content] state in
      state.changes.append(.content(entry, content))
      state.tally.confirmed += 1
    }
    observer.publish(.confirmed(key: entry.key.description))
  }
}

/// Files that are there already.
extension MirrorProcessor {
  /// Takes a file that stands at the item's place for the item, if it can be told without fetching.
  private func adopt(
    _ entry: CatalogEntry, version: ItemVersion, at path: RelativePath
  ) async throws -> Bool {
    let folder = session.folder
    guard let status = try await session.fileQueue.run({ try folder.look(at: path) }),
      status.kind == .file, entry.size == nil || entry.size == status.size
    else { return false }
    if let digest = entry.sha256 {
      let hashed = try await session.fileQueue.runStoppably { stop in
        try folder.hash(path, until: stop)
      }
      guard hashed.sha256 == digest else { return false }
      adopt(entry, hashed.stamp, version: version, sha256: digest)
      return true
    }
    // What the index knows was lost or found wrong: no date says that it is right again.
    guard options.adoption == .sizeAndDate, state.withLock({ $0.view.rows[entry.key] }) == nil,
      entry.size != nil, let modified = entry.modified,
      Int64(exactly: (modified * 1_000_000_000).rounded(.down)) == status.modifiedNanoseconds
    else { return false }
    adopt(entry, status.stamp, version: version, sha256: nil)
    return true
  }

  private func adopt(
    _ entry: CatalogEntry, _ stamp: FileStamp, version: ItemVersion, sha256: SHA256Digest?
  ) {
    let content = IndexedContent(
      version: version, size: stamp.size, modifiedNanoseconds: stamp.modifiedNanoseconds,
      inode: stamp.inode ?? 0, sha256: sha256)
    state.withLock { state in
      state.changes.append(.content(entry, content))
      state.owesFlush = true
      state.tally.adopted += 1
    }
    observer.publish(.adopted(key: entry.key.description))
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
