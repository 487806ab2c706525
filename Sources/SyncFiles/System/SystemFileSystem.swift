import CSyncSystem
import SyncSystem

/// The system's own calls, each tried again for as long as a signal interrupts it.
package struct SystemFileSystem: FileSystem {
  package init() {}

  package func open(userPath path: String, _ flags: OpenFlags) throws(Errno) -> Int32 {
    let following = flags.rawValue | O_CLOEXEC
    return try retrying {
      SyncSystem.open(path, following)
    }
  }

  package func makeDirectory(userPath path: String) throws(Errno) {
    _ = try retrying { mkdir(path, 0o777) }
  }

  package func resolved(userPath path: String) throws(Errno) -> String {
    guard let resolved = realpath(path, nil) else { throw .current }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package func checkMayWrite(userPath path: String) throws(Errno) {
    _ = try retrying { access(path, W_OK | X_OK) }
  }

  package func open(
    _ name: [UInt8], in directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    try retrying {
      withTerminated(name) { openat(directory, $0, flags.forSystem, mode_t(mode)) }
    }
  }

  package func open(
    path: [UInt8], beneath directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    #if os(Linux)
      try retrying {
        withTerminated(path) {
          csync_openat2(
            directory, $0, UInt64(UInt32(bitPattern: flags.forSystem)), UInt64(mode),
            CSYNC_RESOLVE_CONTAINED)
        }
      }
    #else
      throw .noSuchCall
    #endif
  }

  // Never called twice, not even when a signal interrupts it: on Linux the number is free by then.
  package func close(_ descriptor: Int32) {
    _ = SyncSystem.close(descriptor)
  }

  package func space(_ descriptor: Int32) throws(Errno) -> DiskSpace {
    var space = statvfs()
    _ = try retrying { fstatvfs(descriptor, &space) }
    guard space.f_blocks > 0 else { return .endless }
    return DiskSpace(
      free: Self.bytes(UInt64(space.f_bavail), of: space),
      total: Self.bytes(UInt64(space.f_blocks), of: space))
  }

  private static func bytes(_ blocks: UInt64, of space: statvfs) -> Int64 {
    let (bytes, overflow) = blocks.multipliedReportingOverflow(by: UInt64(space.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  package func lock(_ descriptor: Int32, shared: Bool) throws(Errno) {
    _ = try retrying { flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) }
  }

  package func checkRecordLocks(_ descriptor: Int32) throws(Errno) {
    var asked = flock()
    asked.l_type = Int16(F_RDLCK)
    asked.l_whence = Int16(SEEK_SET)
    _ = try retrying { withUnsafeMutablePointer(to: &asked) { fcntl(descriptor, F_GETLK, $0) } }
  }

  package func flush(_ descriptor: Int32) throws(Errno) {
    #if os(Linux)
      _ = try retrying { fsync(descriptor) }
    #else
      // Apple's fsync stops at the drive's own memory: fcntl(2), F_FULLFSYNC.
      _ = try retrying { fcntl(descriptor, F_FULLFSYNC) }
    #endif
  }

  package func flushFileSystem(_ descriptor: Int32) throws(Errno) {
    #if os(Linux)
      _ = try retrying { csync_syncfs(descriptor) }
    #else
      // There is no syncfs: files are flushed one by one (see `Durability.effective`), and this is
      // asked for directories only, which one full flush of the volume covers.
      _ = try retrying { fcntl(descriptor, F_FULLFSYNC) }
    #endif
  }

  package func startWriteBack(_ descriptor: Int32, from offset: Int64, count: Int64) {
    #if os(Linux)
      csync_start_write_back(descriptor, offset, count)
    #endif
  }
}

extension OpenFlags {
  package static let reading = OpenFlags(rawValue: O_RDONLY)
  package static let writing = OpenFlags(rawValue: O_RDWR)
  package static let directory = OpenFlags(rawValue: O_DIRECTORY)
  /// Made where it is missing.
  package static let creating = OpenFlags(rawValue: O_CREAT)
  /// Only a name that doesn't exist yet.
  package static let exclusively = OpenFlags(rawValue: O_EXCL)
  /// To be written under a name that doesn't exist yet. Made once, as there are many such files.
  package static let writingAnew: OpenFlags = [.writing, .creating, .exclusively]
  /// Not waiting for the other end of a FIFO.
  package static let withoutWaiting = OpenFlags(rawValue: O_NONBLOCK)

  fileprivate var forSystem: Int32 { rawValue | O_CLOEXEC | O_NOFOLLOW }
}
