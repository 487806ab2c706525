import SyncLock
import SyncFiles
import SyncFolder
import SyncText

/// What the index is told of a file once it is in its place.
struct CommitRecord: Sendable {
  /// Which of an item's files it is.
  enum What: Sendable {
    case content(version: ItemVersion, etag: String?, lastModified: String?)
    case preview(version: ItemVersion, name: String)
  }

  let id: MirrorItem.ID
  let entry: CatalogEntry
  let what: What
  let digest: SHA256Digest
  /// The bytes of it that came in this run.
  let received: Int64
  /// Why it was fetched.
  let reason: ItemNeed.Reason

  /// The key under which it is marked while it is placed.
  fileprivate var markedKey: CatalogKey? {
    switch what {
    case .content: entry.key
    case .preview: nil
    }
  }

  /// The change that records it.
  func change(_ stamp: FileStamp) -> IndexChange {
    switch what {
    case .content(let version, let etag, let lastModified):
      .content(
        entry,
        IndexedContent(
          version: version, size: stamp.size, modifiedNanoseconds: stamp.modifiedNanoseconds,
          inode: stamp.inode ?? 0, sha256: digest, etag: etag, lastModified: lastModified))
    case .preview(let version, let name):
      .preview(
        entry,
        IndexedPreview(
          version: version, name: name, size: stamp.size,
          modifiedNanoseconds: stamp.modifiedNanoseconds, sha256: digest))
    }
  }
}

/// The index's part in the write protocol; called on the disk's queue.
struct CommitRecorder: Sendable {
  let index: MirrorIndex
  let state: Locked<MirrorProcessor.State>
  let observer: MirrorObserver
  let startedAt: Double

  /// Whose a file is that stands where a directory has to be, or the reverse. One of ours may
  /// go only under the rules of removal: a complete listing that lacks it, and a mark before the
  /// move. The removal limit was checked before the first download.
  func owner(of key: CatalogKey) throws -> Ownership {
    let vanished = state.withLock { $0.vanished }
    let name = "\(UTCStamp.text(startedAt))/\(key)"
    return try index.writeAndWait { writer in
      // Of this very batch, and not recorded yet.
      guard try !writer.isPlacing(key) else { throw ItemError.inTheWay(key.description) }
      // Not the view: it needn't know an item that nothing is to be done of.
      guard let content = try writer.item(key)?.content else { return .foreign }
      guard let vanished, vanished.contains(key) else {
        throw ItemError.inTheWay(key.description)
      }
      try writer.markRemoving([RemovalMark(key: key, quarantineName: name)])
      return .ours(content.stamp)
    }
  }

  /// Notes what is about to be placed. The index lets go of a preview before its file is replaced:
  /// it is small, and fetched again after a crash.
  func announce(_ placements: [Placement<CommitRecord>]) throws {
    let changes = placements.map { $0.payload.change($0.staged.stamp) }
    try index.writeAndWait { writer in
      for change in changes {
        switch change {
        case .content(let entry, let content):
          try writer.markPlacing(
            PlacementMark(key: entry.key, locator: entry.locators.first, content: content))
        case .preview(let entry, _):
          try writer.record([.previewLost(entry.key)])
        case .entry, .touched, .contentLost, .previewLost, .forgotten:
          preconditionFailure("a file that is placed is a content or a preview")
        }
      }
    }
  }

  /// Records what is in its place, in one transaction.
  func record(_ placed: [Placed<CommitRecord>]) throws {
    let changes = placed.map { $0.payload.change($0.stamp) }
    let quarantined = placed.flatMap(\.movedAway).filter { $0.area == .quarantine }
    let rows = state.withLock { state in quarantined.map { ($0, state.view.rows[$0.key]) } }
    try index.writeAndWait { writer in
      try writer.finishRemoval(
        of: rows.map(\.0.key), quarantined: rows.map { $0.quarantined(at: startedAt, of: $1) })
      try writer.record(changes)
      // Only of these: what was placed and couldn't be recorded stays marked for the next run.
      try writer.forgetPlacing(of: placed.compactMap(\.payload.markedKey))
    }
    state.withLock { state in
      for moved in quarantined {
        state.previews.release(state.view.forget(moved.key)?.preview?.name)
      }
      for placed in placed { state.noteCommit(of: placed.payload) }
      state.tally.removed += quarantined.count
      state.tally.displaced += placed.flatMap(\.movedAway).count { $0.area == .displaced }
      for placed in placed { state.tally.count(placed) }
    }
    tell(placed)
  }

  private func tell(_ placed: [Placed<CommitRecord>]) {
    for moved in placed.flatMap(\.movedAway) {
      switch moved.area {
      case .quarantine: observer.publish(.removed(key: moved.key.description))
      case .displaced: observer.publish(.displaced(moved))
      }
    }
    for placed in placed { tell(of: placed) }
  }
}

extension MirrorProcessor.State {
  /// A preview under a new name (another extension) leaves the old file behind.
  fileprivate mutating func noteCommit(of record: CommitRecord) {
    guard case .preview(_, let name) = record.what else { return }
    previews.release(view.held(record.id)?.preview?.name)
    previews.take(name)
  }
}

extension CommitRecorder {
  private func tell(of placed: Placed<CommitRecord>) {
    let record = placed.payload
    if placed.adopted {
      observer.publish(.adopted(key: record.id.description))
    } else {
      observer.publish(
        .fetched(
          key: record.id.description, transfer: record.transfer, bytes: placed.stamp.size,
          reason: record.reason.rawValue))
    }
  }
}

extension CommitRecord {
  fileprivate var transfer: MirrorEvent.Transfer {
    switch what {
    case .content: .content
    case .preview: .preview
    }
  }
}

extension MirrorTally {
  /// Counts a file that is in its place and recorded.
  mutating func count(_ placed: Placed<CommitRecord>) {
    bytes = bytes.addingSaturated(placed.payload.received)
    if placed.adopted {
      adopted += 1
      return
    }
    switch (placed.payload.what, placed.payload.reason) {
    case (.preview, _): previews += 1
    case (.content, .damaged): repaired += 1
    case (.content, .new): added += 1
    case (.content, .changed), (.content, .unsettled), (.content, .unusable): updated += 1
    }
  }
}

extension MirrorEvent {
  /// A file was moved to the displaced ones.
  static func displaced(_ moved: MovedAway) -> MirrorEvent {
    .displaced(key: moved.key.description, to: CatalogKey(bytes: moved.name).description)
  }
}

extension MovedAway {
  /// The note that the index keeps of it.
  func quarantined(at seconds: Double, of item: IndexedItem?) -> QuarantinedFile {
    QuarantinedFile(
      name: CatalogKey(bytes: name).description, key: key, size: item?.content?.size ?? 0,
      removedNanoseconds: Int64(nanosecondsOf: seconds))
  }
}
