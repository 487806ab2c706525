import SyncFolder
import SyncText
import SyncFiles

/// While items are fetched.
extension MirrorPass {
  /// The server vouched for what is held.
  ///
  /// - Returns: whether anything is held.
  mutating func confirmed(_ entry: CatalogEntry, version: ItemVersion) -> Bool {
    guard var content = held(.key(entry.key))?.content else { return false }
    content.version = version
    unrecorded.changes.append(.content(entry, content))
    tally.confirmed += 1
    return true
  }

  /// A file that stood at an item's place was taken for the item.
  mutating func adopted(
    _ entry: CatalogEntry, _ stamp: FileStamp, version: ItemVersion, sha256: SHA256Digest?
  ) {
    let content = IndexedContent(
      version: version, size: stamp.size, modifiedNanoseconds: stamp.modifiedNanoseconds,
      inode: stamp.inode ?? 0, sha256: sha256)
    unrecorded.changes.append(.content(entry, content))
    unrecorded.owesFlush = true
    tally.adopted += 1
  }

  /// What was fetched is in its place and recorded, and what was in its way is in quarantine or
  /// among the displaced files.
  ///
  /// - Returns: what each means for its item.
  @discardableResult
  mutating func placed(_ placed: [Placed<CommitRecord>]) -> [PlacedEffect] {
    let away = placed.flatMap(\.movedAway)
    for moved in away where moved.area == .quarantine {
      previews.release(forget(moved.key)?.preview?.name)
      tally.removed += 1
    }
    tally.displaced += away.count { $0.area == .displaced }
    return placed.map { placed in
      // A preview under a new name (another extension) leaves the old file behind.
      if case .preview(_, let name) = placed.payload.what {
        previews.release(held(placed.payload.id)?.preview?.name)
        previews.take(name)
      }
      let effect = PlacedEffect(placed, held: held(placed.payload.id)?.content)
      tally.count(effect, bytes: placed.payload.received)
      return effect
    }
  }

  /// Everything is in its place and recorded; of these previews nothing is held any more.
  mutating func committed(letGo dropped: [String]) {
    for name in dropped { previews.release(name) }
    go(to: .placed)
  }
}

/// What vanished.
extension MirrorPass {
  /// Whether so many items that vanished are removed; if not, they are counted as kept.
  mutating func mayRemove(_ count: Int) -> Bool {
    if !last.allowRemoval { tally.kept += count }
    return last.allowRemoval
  }

  /// What the index has of items that are to be removed, in the order of their keys.
  func rows(of keys: Set<MirrorItem.ID>) -> [IndexedItem] {
    keys.compactMap(\.key).sorted().compactMap { view.rows[$0] }
  }

  /// The items of these whose files are to be moved away, each with the state in which its file is
  /// ours.
  ///
  /// A file that is now that of a listed key stays, since the file system holds the two for one
  /// name: a catalog that only changed the case of a key takes no file away.
  func leaving(
    _ items: [IndexedItem], folding: NameFolding
  ) -> [(item: IndexedItem, stamp: FileStamp)] {
    let listed = folding == .none ? [] : listedNames(folding)
    return items.compactMap { item in
      guard folding == .none || !listed.contains(folding.fold(item.key.bytes)) else { return nil }
      if let content = item.content { return (item, content.stamp) }
      // What stands there was edited: no state of ours, so that it goes to the displaced files.
      return view.damaged.contains(item.key) ? (item, .never) : nil
    }
  }

  /// Nothing is known where names are folded: every key stands in the listing.
  private func listedNames(_ folding: NameFolding) -> Set<[UInt8]> {
    guard let listing = fetched?.listing else { return [] }
    let paths = listing.entries.map(\.path) + listing.unusable.compactMap(\.path)
    return Set(paths.map { folding.fold($0.bytes) })
  }

  /// Nothing of these items is held any more, and so many edited files were moved out of the way.
  ///
  /// - Returns: those of which anything was there.
  mutating func removed(_ items: [IndexedItem], displaced: Int) -> [IndexedItem] {
    let held = items.filter(view.hasSomething)
    for item in items {
      forget(item.key)
      previews.release(item.preview?.name)
    }
    tally.removed += held.count
    tally.displaced += displaced
    return held
  }
}
