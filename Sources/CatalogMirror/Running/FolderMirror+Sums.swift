import SyncText

/// The SHA-256 digests of a mirror's files, as its index has them.
public struct MirrorSums: Sendable {
  /// Whether the folder is a mirror.
  public var isMirror = false
  /// The files of which a digest is known, in the byte order of their keys.
  public var files: [Sum] = []
  /// The keys of files of which none is known, escaped: they were adopted by size and date.
  public var undigested: [String] = []
  private var keys = SortedKeys()

  /// The digest of one file.
  public struct Sum: Sendable, Equatable {
    /// The key, which is the path below the folder.
    public var key: CatalogKey
    /// The digest of the bytes that were fetched, or found there.
    public var sha256: SHA256Digest

    /// The line that `sha256sum` would write of the file, without its end: `sha256sum --check`
    /// reads it, and so does a mirror, as a catalog.
    public var line: String { ChecksumLine.text(of: sha256, key.bytes) }
  }

  /// Whether the mirror has an item of this key, held or not: its place is the item's.
  public func hasItem(_ key: String) -> Bool { keys.contains(CatalogKey(key)) }

  fileprivate mutating func add(_ item: IndexedItem) {
    keys.append(item.key)
    guard let content = item.content else { return }
    if let sha256 = content.sha256 {
      files.append(Sum(key: item.key, sha256: sha256))
    } else {
      undigested.append(item.key.description)
    }
  }
}

extension FolderMirror {
  /// Reads the digests of the files that are held from the index. No file is looked at, so that
  /// nothing is said of whether it is still what it was; ``verify()`` finds that out.
  ///
  /// - Throws: ``MirrorError``, when the folder can't be looked at or is in use.
  public func sums() async throws -> MirrorSums {
    do {
      return try await FolderInspection.look(at: options, in: environment, observer: observer) {
        let sums = try await $0.requireIndex()?.read { reader in
          var sums = MirrorSums()
          sums.isMirror = true
          try reader.forEachItem { sums.add($0) }
          return sums
        }
        return sums ?? MirrorSums()
      }
    } catch {
      throw error is CancellationError ? error : MirrorError(opening: error)
    }
  }
}
