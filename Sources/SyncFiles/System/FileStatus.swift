import SyncSystem

/// What the file system says of one name; a symbolic link is described itself, never its target.
package struct FileStatus: Hashable, Sendable {
  package let kind: Kind
  /// Bytes; meaningful for regular files.
  package let size: Int64
  /// When its bytes were last changed: nanoseconds since 1970, as precise as the file system is.
  package let modifiedNanoseconds: Int64
  package let inode: UInt64
  /// The file system's number.
  package let device: UInt64
  package let mode: UInt32
  /// When anything of it was last changed, its bytes, rights or links: nanoseconds since 1970.
  /// Nobody can set it back, as one can ``modifiedNanoseconds``. Not compared by `==`: whoever
  /// gives a file another name has not changed it.
  package let changedNanoseconds: Int64
  /// How many bytes of the disk it takes, which are fewer than ``size`` where it has holes. Not
  /// compared by `==`: the disk may store the same bytes in another way.
  package let allocated: Int64

  /// The kinds of things that stand in a directory.
  package enum Kind: Hashable, Sendable {
    case file
    case directory
    case symbolicLink
    case special(Special)
  }

  /// What is neither a file nor a directory nor a link.
  package enum Special: Hashable, Sendable {
    case fifo
    case socket
    /// A device of blocks or characters, or something rarer.
    case device
  }

  /// What tells this state of a file from another without reading it.
  package var stamp: FileStamp {
    FileStamp(size: size, modifiedNanoseconds: modifiedNanoseconds, inode: inode)
  }

  package init(
    kind: Kind, size: Int64, modifiedNanoseconds: Int64, inode: UInt64, device: UInt64,
    mode: UInt32, changedNanoseconds: Int64 = 0, allocated: Int64? = nil
  ) {
    self.kind = kind
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.inode = inode
    self.device = device
    self.mode = mode
    self.changedNanoseconds = changedNanoseconds
    self.allocated = allocated ?? size
  }

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .special(.fifo)
      case S_IFSOCK: .special(.socket)
      default: .special(.device)
      }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    size = Int64(status.st_size)
    // In units of 512 bytes, whatever the blocks of the disk are (POSIX leaves that open; Linux,
    // macOS and the BSDs have it so).
    allocated = Int64(status.st_blocks) * 512
    modifiedNanoseconds = Self.nanoseconds(modified)
    changedNanoseconds = Self.nanoseconds(changed)
    inode = UInt64(status.st_ino)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    mode = UInt32(status.st_mode & 0o7777)
  }

  // A date past the year 2262 doesn't fit and stays at the edge: still comparable, never a trap.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return time.tv_sec < 0 ? .min : .max }
    let (sum, carried) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
    return carried ? .max : sum
  }

  package static func == (one: FileStatus, other: FileStatus) -> Bool {
    one.kind == other.kind && one.stamp == other.stamp && one.device == other.device
      && one.mode == other.mode
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(stamp)
    hasher.combine(device)
    hasher.combine(mode)
  }
}

/// What tells one state of a file from another without reading it: what the index remembers of a
/// file of ours.
package struct FileStamp: Hashable, Sendable {
  package let size: Int64
  /// Nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// The file's number; `nil` when it isn't known or not to be relied on (a restored folder).
  package let inode: UInt64?

  package init(size: Int64, modifiedNanoseconds: Int64, inode: UInt64?) {
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.inode = inode
  }

  package static let never = FileStamp(size: -1, modifiedNanoseconds: 0, inode: nil)

  /// Whether `status` is a regular file in this very state.
  package func matches(_ status: FileStatus) -> Bool {
    status.kind == .file && status.size == size
      && status.modifiedNanoseconds == modifiedNanoseconds
      && (inode ?? status.inode) == status.inode
  }
}
