package import SyncFiles
package import SyncText

/// What the index knows of one item: what the catalog said of it, and what of it is on disk.
///
/// `content` and `preview` are independent: an item may have either, both, or neither. With
/// neither, the entry alone is kept, so that the item can be fetched without a new listing.
package struct IndexedItem: Hashable, Sendable {
  /// What the catalog said when anything of the item was last recorded, whole.
  package var entry: CatalogEntry
  /// The bytes that lie at the item's path; `nil` when there are none of ours.
  package var content: IndexedContent?
  /// The preview that is held; `nil` when there is none.
  package var preview: IndexedPreview?
  package var state = State.present

  package var key: CatalogKey { entry.key }

  /// Whether a removal of the item has begun.
  package enum State: Hashable, Sendable {
    case present
    /// It is being moved into quarantine under this name. Whether it has arrived, only the disk
    /// knows; see ``IndexAccess/unfinishedRemovals()``.
    case removing(to: String)
  }
}

/// The bytes of an item as they lie in the folder.
package struct IndexedContent: Hashable, Sendable {
  /// The version that these bytes are of. Not the entry's, once the catalog has moved on.
  package var version: ItemVersion
  package var size: Int64
  /// The modification time on disk as we left it, in nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  /// The inode on disk as we left it.
  package var inode: UInt64
  /// The digest of the bytes on disk. Always known for bytes that we wrote; `nil` for a file that
  /// was adopted by its size and date.
  package var sha256: SHA256Digest?
  /// The validators that the server sent with the bytes, for asking whether they still hold.
  package var etag: String?
  package var lastModified: String?

  package init(
    version: ItemVersion, size: Int64, modifiedNanoseconds: Int64, inode: UInt64,
    sha256: SHA256Digest?, etag: String? = nil, lastModified: String? = nil
  ) {
    self.version = version
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.inode = inode
    self.sha256 = sha256
    self.etag = etag
    self.lastModified = lastModified
  }
}

/// The preview of an item as it lies in the previews' folder.
package struct IndexedPreview: Hashable, Sendable {
  package var version: ItemVersion
  package var name: String
  package var size: Int64
  /// The modification time on disk as we left it, in nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  package var sha256: SHA256Digest

  /// A preview from what a look at its file gave.
  package init(
    version: ItemVersion, name: String, size: Int64, modifiedNanoseconds: Int64,
    sha256: SHA256Digest
  ) {
    self.version = version
    self.name = name
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.sha256 = sha256
  }
}

/// One thing to record of an item. Each says one fact and leaves the others as they are.
package enum IndexChange: Hashable, Sendable {
  /// The catalog says this of the item now; what is held stays.
  case entry(CatalogEntry)
  /// These bytes lie at the item's path, durably. A removal that had begun is off.
  case content(CatalogEntry, IndexedContent)
  /// The bytes that are held lie in a file of this state now. No row, no change.
  case touched(CatalogKey, FileStamp)
  /// This preview is held, durably.
  case preview(CatalogEntry, IndexedPreview)
  /// No bytes of ours lie at the item's path any more; the entry stays. No row, no change.
  case contentLost(CatalogKey)
  /// No preview is held any more; the entry stays. No row, no change.
  case previewLost(CatalogKey)
}

extension IndexedPreview {
  /// What tells the state that we left the file in.
  var stamp: FileStamp {
    FileStamp(size: size, modifiedNanoseconds: modifiedNanoseconds, inode: nil)
  }
}

extension IndexedContent {
  /// A file that stands at an item's place, of which nothing else is known yet.
  init(_ stamp: FileStamp, sha256: SHA256Digest? = nil) {
    self.init(
      version: .unknown, size: stamp.size, modifiedNanoseconds: stamp.modifiedNanoseconds,
      inode: stamp.inode ?? 0, sha256: sha256)
  }

  /// What tells the state that we left the file in.
  var stamp: FileStamp {
    get { FileStamp(size: size, modifiedNanoseconds: modifiedNanoseconds, inode: inode) }
    set {
      size = newValue.size
      modifiedNanoseconds = newValue.modifiedNanoseconds
      inode = newValue.inode ?? inode
    }
  }
}
