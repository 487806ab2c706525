import SyncFiles
import SyncFolder
import SyncText

/// While items are fetched.
extension MirrorPass {
  /// The server vouched for what is held.
  ///
  /// - Returns: whether anything is held.
  mutating func confirmed(_ entry: CatalogEntry, version: ItemVersion) -> Bool {
    guard var content = held(.key(entry.key))?.content else { return false }
    content.version = version
    unrecorded.changes.append(.content(entry, content))
    report.confirmed += 1
    return true
  }

  /// A file that stood at an item's place was taken for the item.
  mutating func adopted(_ entry: CatalogEntry, _ found: IndexedContent, version: ItemVersion) {
    var content = found
    content.version = version
    unrecorded.changes.append(.content(entry, content))
    unrecorded.owesFlush = true
    report.adopted += 1
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
      report.removed += 1
    }
    report.displaced += away.count { $0.area == .displaced }
    return placed.map { placed in
      // A preview under a new name (another extension) leaves the old file behind.
      if case .preview(_, let name) = placed.payload.what {
        previews.release(held(placed.payload.id)?.preview?.name)
        previews.take(name)
      }
      let effect = PlacedEffect(placed, held: held(placed.payload.id)?.content)
      report.count(effect, bytes: placed.payload.received)
      if placed.payload.source != nil { report.count(copied: placed.stamp.size, effect) }
      return effect
    }
  }

  /// Everything is in its place and recorded; of these previews nothing is held any more.
  ///
  /// - Parameter wasCutShort: Whether an error has ended the run meanwhile.
  /// - Returns: what is to be done with what comes last; `nil` where nothing does.
  @discardableResult
  mutating func committed(
    letGo dropped: [String], wasCutShort: Bool = false
  ) -> LastItems.Verdict? {
    for name in dropped { previews.release(name) }
    go(to: .placed)
    guard !last.isNone else { return nil }
    return wasCutShort && last.verdict == .place ? .drop : last.verdict
  }
}

/// What vanished.
extension MirrorPass {
  /// Whether so many items that vanished are removed; if not, they are counted as kept.
  mutating func mayRemove(_ count: Int) -> Bool {
    if !last.allowRemoval { report.kept += count }
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
      return view.isDamaged(item.key) ? (item, .never) : nil
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
    report.removed += held.count
    report.displaced += displaced
    return held
  }
}

/// What the index is told of a file once it is in its place.
///
/// By reference, as it goes through many hands and never changes.
final class CommitRecord: Sendable {
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
  /// What it was made of instead.
  let source: CopySource?
  let reason: ItemNeed.Reason

  init(
    id: MirrorItem.ID, entry: CatalogEntry, what: What, digest: SHA256Digest, received: Int64,
    source: CopySource? = nil, reason: ItemNeed.Reason
  ) {
    self.id = id
    self.entry = entry
    self.what = what
    self.digest = digest
    self.received = received
    self.source = source
    self.reason = reason
  }

  /// The key under which it is marked while it is placed.
  var markedKey: CatalogKey? {
    switch what {
    case .content: entry.key
    case .preview: nil
    }
  }

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

/// What a file that was placed means for its item.
enum PlacedEffect: Equatable, Sendable {
  /// A file that was there already is the item's.
  case adopted
  case added
  case updated
  /// What had been edited is as it should be again.
  case repaired
  /// What had been deleted is there again.
  case restored
  /// The item was fetched again and has the same bytes as before.
  case confirmed
  case preview

  /// What it means where `held` is what the index had of the content before.
  init(_ placed: Placed<CommitRecord>, held: IndexedContent?) {
    let record = placed.payload
    switch (record.what, record.reason) {
    case _ where placed.adopted: self = .adopted
    case (.preview, _): self = .preview
    case (.content, .new): self = .added
    case (.content, .damaged): self = .repaired
    case (.content, .deleted): self = .restored
    case (.content, .changed), (.content, .unsettled), (.content, .unusable):
      self = held?.sha256 == record.digest ? .confirmed : .updated
    }
  }

  /// Why it was fetched, as events tell it; `nil` for a preview, which has reasons of its own.
  var word: String? {
    switch self {
    case .added: "new"
    case .updated: "changed"
    case .repaired: "damaged"
    case .restored: "deleted"
    case .confirmed: "equal"
    case .adopted, .preview: nil
    }
  }
}

extension MirrorReport {
  /// Counts a file that is in its place and recorded, and what came of it in this run.
  mutating func count(_ effect: PlacedEffect, bytes received: Int64) {
    bytes = bytes.addingSaturated(received)
    switch effect {
    case .adopted: adopted += 1
    case .added: added += 1
    case .updated: updated += 1
    case .repaired, .restored: repaired += 1
    case .confirmed: (confirmed, equal) = (confirmed + 1, equal + 1)
    case .preview: previews += 1
    }
  }

  /// Counts a file that was made of bytes that were here, unless it turned out to be there already.
  mutating func count(copied bytes: Int64, _ effect: PlacedEffect) {
    guard effect != .adopted else { return }
    copied += 1
    copiedBytes = copiedBytes.addingSaturated(bytes)
  }

  /// Takes over what came in packs.
  mutating func count(_ packs: PackTally) {
    (packed, packRequests, packsGivenUp) = (packs.files, packs.requests, packs.givenUp)
  }

  /// Contents and previews that are new or other than before.
  var changed: Int { added + updated + repaired + adopted + previews }

  var downloaded: Int { added + updated + repaired + equal + previews }
}

/// The preview files that the index has let go of in a run: they are removed when it ends, unless
/// the same name was taken again.
struct OrphanedPreviews: Equatable, Sendable {
  private(set) var names: Set<String> = []

  mutating func release(_ name: String?) {
    if let name { names.insert(name) }
  }

  mutating func take(_ name: String) {
    names.remove(name)
  }
}

extension CatalogEntry.Preview {
  /// What a held preview is told apart by: its version; where the catalog gives none, its URL.
  var ownVersion: ItemVersion {
    version == .unknown ? .revision("url \(locator)") : version
  }
}
