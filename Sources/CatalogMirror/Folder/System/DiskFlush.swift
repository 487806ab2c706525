#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CSyncSystem

/// How bytes get from memory onto the disk: a seam, since a test can't make a real disk fail.
///
/// Called on the store's queue, or by ``StagedFile/finish(modified:)`` on the thread of its user.
protocol DiskFlush: Sendable {
  /// Makes one file or directory durable.
  func flush(_ descriptor: Descriptor) throws(Errno)
  /// Makes everything durable that was written to the descriptor's file system.
  func flushFileSystem(_ descriptor: Descriptor) throws(Errno)
}

/// The system's own calls.
struct SystemDiskFlush: DiskFlush {
  func flush(_ descriptor: Descriptor) throws(Errno) {
    #if os(Linux)
      _ = try retrying { fsync(descriptor.raw) }
    #else
      // Apple's fsync stops at the drive's own memory: fcntl(2), F_FULLFSYNC.
      _ = try retrying { fcntl(descriptor.raw, F_FULLFSYNC) }
    #endif
  }

  func flushFileSystem(_ descriptor: Descriptor) throws(Errno) {
    #if os(Linux)
      _ = try retrying { csync_syncfs(descriptor.raw) }
    #else
      // There is no syncfs: files are flushed one by one (see `Durability.effective`), and this is
      // asked for directories only, which one full flush of the volume covers.
      _ = try retrying { fcntl(descriptor.raw, F_FULLFSYNC) }
    #endif
  }
}
