import SyncFiles
import SyncFolder
import SyncLock
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
  let pass: Locked<MirrorPass>

  /// The file at an item's place, if it can be told to be the item's.
  func find(_ entry: PlaceableEntry) async throws -> Found? {
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
    // What the index knows was lost or found wrong: no date says that it is right again.
    guard rule == .sizeAndDate, pass.withLock({ $0.view.rows[entry.key] }) == nil,
      entry.size != nil, let modified = entry.modified,
      Int64(exactly: (modified * 1_000_000_000).rounded(.down)) == status.modifiedNanoseconds
    else { return nil }
    return Found(stamp: status.stamp, sha256: nil)
  }
}
