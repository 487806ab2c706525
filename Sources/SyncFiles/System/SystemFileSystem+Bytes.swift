import CSyncSystem
import SyncSystem

extension SystemFileSystem {
  package func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try retrying {
      SyncSystem.read(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  package func read(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) throws(Errno) -> Int {
    try retrying {
      SyncSystem.write(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
  ) throws(Errno) -> Int {
    try retrying { pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
  }

  package func rewind(_ descriptor: Int32) throws(Errno) {
    _ = try retrying { lseek(descriptor, 0, SEEK_SET) }
  }

  package func clone(_ source: Int32, into descriptor: Int32) throws(Errno) {
    #if os(Linux)
      _ = try retrying { csync_clone(source, descriptor) }
    #else
      throw .notSupported
    #endif
  }

  package func truncate(_ descriptor: Int32, to length: Int64) throws(Errno) {
    _ = try retrying { ftruncate(descriptor, off_t(length)) }
  }

  package func setModified(_ descriptor: Int32, nanoseconds: Int64) throws(Errno) {
    var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    let unchanged = timespec(tv_sec: 0, tv_nsec: omittedTime)
    let times = [unchanged, timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))]
    _ = try retrying { futimens(descriptor, times) }
  }

  package func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) {
    _ = try retrying { fchmod(descriptor, mode_t(mode & 0o7777)) }
  }

  package func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
    var result = stat()
    _ = try retrying { fstat(descriptor, &result) }
    return FileStatus(result)
  }

  package func status(of name: [UInt8], in directory: Int32) throws(Errno) -> FileStatus {
    var result = stat()
    _ = try retrying {
      withTerminated(name) { fstatat(directory, $0, &result, AT_SYMLINK_NOFOLLOW) }
    }
    return FileStatus(result)
  }
}

// `UTIME_OMIT` is a macro that Swift doesn't import on every system: utimensat(2).
#if canImport(Darwin)
  private let omittedTime = -2
#else
  private let omittedTime = (1 << 30) - 2
#endif
