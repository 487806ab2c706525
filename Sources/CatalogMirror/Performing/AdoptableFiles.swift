import SyncFiles
import SyncFolder
import SyncText

/// Files that stand at items' places already: which may be taken for their items without fetching.
struct AdoptableFiles: Sendable {
  /// A file that is the item's.
  struct Found: Sendable {
    var stamp: FileStamp
    /// `nil` when its bytes weren't read.
    var sha256: SHA256Digest?
  }

  let session: MirrorSession
  let rule: MirrorOptions.Adoption

  /// The file at an item's place, if it can be told to be the item's.
  ///
  /// - Parameter isKnown: Whether the index knows the item.
  func find(_ entry: PlaceableEntry, isKnown: Bool) async throws -> Found? {
    let (folder, path) = (session.folder, entry.path)
    guard let status = try await session.fileQueue.run({ try folder.look(at: path) }),
      status.kind == .file, entry.size == nil || entry.size == status.size
    else { return nil }
    if let proof = entry.proof {
      let hashed = try await session.fileQueue.runStoppably { stop in
        try folder.hash(path, by: [proof.algorithm], until: stop)
      }
      return hashed.digests.prove(proof)
        ? Found(stamp: hashed.stamp, sha256: hashed.sha256) : nil
    }
    return rule.trusts(status, as: entry, isKnown: isKnown)
      ? Found(stamp: status.stamp, sha256: nil) : nil
  }
}

extension MirrorOptions.Adoption {
  /// Whether a file is an item's by its size and date, where no digest tells it.
  ///
  /// - Parameter isKnown: Whether the index knows the item. What it knows was lost or found wrong:
  ///   no date says that it is right again.
  func trusts(_ status: FileStatus, as entry: PlaceableEntry, isKnown: Bool) -> Bool {
    guard self == .sizeAndDate, !isKnown, entry.size == status.size, let modified = entry.modified
    else { return false }
    return Int64(exactly: (modified * 1_000_000_000).rounded(.down)) == status.modifiedNanoseconds
  }
}
