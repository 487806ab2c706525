import SyncFiles
import SyncFolder
import SyncText

/// What the index is told of a file once it is in its place.
///
/// By reference, as it goes through many hands and never changes.
final class CommitRecord: Sendable {
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

  init(
    id: MirrorItem.ID, entry: CatalogEntry, what: What, digest: SHA256Digest, received: Int64,
    reason: ItemNeed.Reason
  ) {
    self.id = id
    self.entry = entry
    self.what = what
    self.digest = digest
    self.received = received
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
