#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Descriptor {
  /// Takes a lock of the whole file that belongs to this open file: it goes when the last
  /// descriptor of it is closed, at the latest with the process. ``Errno/wouldBlock`` when another
  /// open file holds it.
  func lock(shared: Bool) throws(Errno) {
    _ = try retrying { flock(raw, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) }
  }

  /// The number of this process.
  static var currentProcess: Int32 { getpid() }
}
