import SyncLock
import SyncFiles
import SyncFolder
import SyncText

/// The index's part in the write protocol; called on the disk's queue.
struct CommitRecorder: Sendable {
  let index: MirrorIndex
  let pass: Locked<MirrorPass>
  let observer: MirrorObserver
  let startedAt: Double
  /// What is marked, once somebody asked; whole directories of files may be asked for. Emptied
  /// before each change of the marks: all three of the committer's calls come one after the other.
  private let marked = Locked<Set<CatalogKey>?>(nil)

  /// Whose a file is that stands where a directory has to be, or the reverse. One of ours may
  /// go only under the rules of removal: a complete listing that lacks it, and a mark before the
  /// move. The removal limit was checked before the first download.
  func owner(of key: CatalogKey) throws -> Ownership {
    let vanished = pass.withLock { $0.vanished }
    let name = "\(UTCStamp.text(startedAt))/\(key)"
    return try index.writeAndWait { writer in
      // Of this very batch, and not recorded yet.
      let placing = try marked.withLock { $0 } ?? writer.placingKeys()
      marked.withLock { $0 = placing }
      guard !placing.contains(key) else { throw ItemError.inTheWay(key.description) }
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
    marked.withLock { $0 = nil }
    try index.writeAndWait { writer in
      var marks: [PlacementMark] = []
      for change in changes {
        switch change {
        case .content(let entry, let content):
          marks.append(
            PlacementMark(key: entry.key, locator: entry.locators.first, content: content))
        case .preview(let entry, _):
          try writer.record([.previewLost(entry.key)])
        case .entry, .touched, .contentLost, .previewLost:
          preconditionFailure("a file that is placed is a content or a preview")
        }
      }
      try writer.markPlacing(marks)
    }
  }

  /// Has the index record what was placed, by the statements of ``ItemTable``.
  func record(_ placed: [Placed<CommitRecord>]) throws {
    let changes = placed.map { $0.payload.change($0.stamp) }
    marked.withLock { $0 = nil }
    let quarantined = placed.flatMap(\.movedAway).filter { $0.area == .quarantine }
    let rows = pass.withLock { pass in quarantined.map { ($0, pass.view.rows[$0.key]) } }
    try index.writeAndWait { writer in
      try writer.finishRemoval(
        of: rows.map(\.0.key), quarantined: rows.map { $0.quarantined(at: startedAt, of: $1) })
      try writer.record(changes)
      // Only of these: what was placed and couldn't be recorded stays marked for the next run.
      try writer.forgetPlacing(of: placed.compactMap(\.payload.markedKey))
    }
    tell(placed, pass.withLock { $0.placed(placed) })
  }

  private func tell(_ placed: [Placed<CommitRecord>], _ effects: [PlacedEffect]) {
    for moved in placed.flatMap(\.movedAway) {
      switch moved.area {
      case .quarantine: observer.publish(.removed(key: moved.key.description))
      case .displaced: observer.publish(.displaced(moved))
      }
    }
    for (placed, effect) in zip(placed, effects) { tell(of: placed, effect) }
  }

  private func tell(of placed: Placed<CommitRecord>, _ effect: PlacedEffect) {
    let record = placed.payload
    let (size, reason) = (placed.stamp.size, effect.word ?? record.reason.rawValue)
    if effect == .adopted {
      observer.publish(.adopted(key: record.id.description))
    } else if let source = record.source {
      observer.publish(
        .copied(
          key: record.id.description, from: source, transfer: record.transfer, bytes: size,
          reason: reason))
    } else {
      observer.publish(
        .fetched(
          key: record.id.description, transfer: record.transfer, bytes: size, reason: reason))
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

extension MirrorEvent {
  static func displaced(_ moved: MovedAway) -> MirrorEvent {
    .displaced(key: moved.key.description, to: CatalogKey(bytes: moved.name).description)
  }
}

extension MovedAway {
  func quarantined(at seconds: Double, of item: IndexedItem?) -> QuarantinedFile {
    QuarantinedFile(
      name: CatalogKey(bytes: name).description, key: key, size: item?.content?.size ?? 0,
      removedNanoseconds: Int64(nanosecondsOf: seconds), sha256: item?.content?.sha256)
  }
}
