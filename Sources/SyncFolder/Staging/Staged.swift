import SyncLock
package import SyncFiles
package import SyncText

/// A file in the staging area whose bytes are all there and known by their digest.
package struct Staged: Sendable {
  /// Its name in the staging area.
  package let name: String
  package let size: Int64
  package let digests: FileDigests
  /// Its number on the file system, which it keeps in its final place.
  package let inode: UInt64
  /// Its modification time, as the file system keeps it: nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// What still has to be done before its bytes are on the disk.
  let flushOwed: FlushOwed

  package var sha256: SHA256Digest { digests.sha256 }

  /// What tells this state of the file from another.
  package var stamp: FileStamp {
    FileStamp(size: size, modifiedNanoseconds: modifiedNanoseconds, inode: inode)
  }

  /// What is owed to a staged file before it may be renamed into place.
  enum FlushOwed: Sendable {
    /// Nothing: it was flushed, or durability isn't asked for.
    case nothing
    /// A flush of its own, through the descriptor that it was written by: only that one is sure to
    /// be told of a failed write-back.
    case ownFlush(UnflushedFile)
    /// The batch's flush.
    case sharedFlush
  }
}

/// A finished file whose descriptor is kept open until its flush.
final class UnflushedFile: Sendable {
  let descriptor: Descriptor
  private let folder: MirrorFolder
  /// Few, so that a run has at most two descriptors a download and 32 more.
  private static let limit = 4

  /// `nil` when as many files as are allowed are held already.
  init?(_ descriptor: Descriptor, in folder: MirrorFolder) {
    let granted = folder.unflushedFiles.withLock { held in
      guard held < Self.limit else { return false }
      held += 1
      return true
    }
    guard granted else { return nil }
    self.descriptor = descriptor
    self.folder = folder
  }

  deinit { folder.unflushedFiles.withLock { $0 -= 1 } }
}
