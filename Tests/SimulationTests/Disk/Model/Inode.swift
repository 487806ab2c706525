import CatalogMirror
@testable import SyncFiles

/// A file, directory or symbolic link of a ``ModelDisk``; only under the disk's lock.
final class Inode {
  let number: UInt64
  let kind: FileStatus.Kind
  let mode: UInt32
  /// Nanoseconds since 1970: as processes see it, and as it is on the disk.
  var modified: Int64
  var flushedModified: Int64
  /// A file's bytes.
  var bytes = FileBytes()
  /// Where a link leads.
  let target: [UInt8]
  /// A directory's names, as processes see them and as they are on the disk.
  var names: [[UInt8]: Entry] = [:]
  var flushedNames: [[UInt8]: Entry] = [:]
  /// The directory that a directory stands in; `nil` for the root and for what was removed.
  weak var parent: Inode?
  /// Whether it stands under a name.
  var isNamed = false
  /// How many descriptors are open of it.
  var opened = 0
  /// The locks of whole files, by descriptor.
  var locks: [Int32: LockKind] = [:]
  /// What SQLite's connections hold of it.
  var database = DatabaseLocks()

  struct Entry {
    let inode: Inode
    /// Directories are listed in the order in which names came to be in them: random names must
    /// not make two runs differ.
    let order: Int
  }

  enum LockKind {
    case shared
    case exclusive
  }

  init(
    number: UInt64, kind: FileStatus.Kind, mode: UInt32, modified: Int64, target: [UInt8] = []
  ) {
    self.number = number
    self.kind = kind
    self.mode = mode
    self.modified = modified
    self.target = target
    flushedModified = modified
  }

  /// The blocks that it takes on the disk.
  var blocks: Int { kind == .file ? bytes.blocks : 1 }

  var status: FileStatus {
    let size = kind == .file ? bytes.count : kind == .symbolicLink ? target.count : FileBytes.block
    return FileStatus(
      kind: kind, size: Int64(size), modifiedNanoseconds: modified, inode: number, device: 1,
      mode: mode)
  }

  func flushBytes() {
    bytes.flush()
    flushedModified = modified
  }

  /// Takes a lock unless another descriptor has one that doesn't go with it. One that can't be
  /// had costs the one that was held (Linux, flock(2): a conversion is not one step).
  func lock(_ kind: LockKind, for descriptor: Int32) -> Bool {
    locks[descriptor] = nil
    guard kind == .shared ? !locks.values.contains(.exclusive) : locks.isEmpty else {
      return false
    }
    locks[descriptor] = kind
    return true
  }
}
