#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An open file or directory, closed when the last owner lets go of it.
///
/// Shared ownership lets a bounded cache drop a directory that a caller still works in.
final class Descriptor: Sendable {
  let raw: Int32

  /// Takes over an open descriptor.
  init(_ raw: Int32) {
    self.raw = raw
  }

  // Never called twice, not even when a signal interrupts it: on Linux the number is free by then.
  deinit { close(raw) }
}

/// How something is opened; always close-on-exec, so that no child process inherits it.
struct OpenFlags: OptionSet {
  let rawValue: Int32

  static let reading = OpenFlags(rawValue: O_RDONLY)
  static let writing = OpenFlags(rawValue: O_RDWR)
  static let directory = OpenFlags(rawValue: O_DIRECTORY)
  static let creating = OpenFlags(rawValue: O_CREAT)
  /// Only a name that doesn't exist yet.
  static let exclusively = OpenFlags(rawValue: O_EXCL)
  /// Not waiting for the other end of a FIFO.
  static let withoutWaiting = OpenFlags(rawValue: O_NONBLOCK)

  var forSystem: Int32 { rawValue | O_CLOEXEC | O_NOFOLLOW }
}

extension Descriptor {
  /// Opens a path of the user's own, whose links are followed as anywhere else.
  static func open(userPath path: String, _ flags: OpenFlags) throws(Errno) -> Descriptor {
    let following = flags.rawValue | O_CLOEXEC
    return Descriptor(
      try retrying {
        #if canImport(Darwin)
          Darwin.open(path, following)
        #elseif canImport(Musl)
          Musl.open(path, following)
        #else
          Glibc.open(path, following)
        #endif
      })
  }

  /// Makes a directory at a path of the user's own, unless something stands there.
  static func makeUserDirectory(_ path: String) throws(Errno) {
    do {
      _ = try retrying { mkdir(path, 0o755) }
    } catch .exists {}
  }

  /// Makes sure that this user may make names in a directory.
  static func checkUserMayWrite(_ path: String) throws(Errno) {
    _ = try retrying { access(path, W_OK | X_OK) }
  }

  /// Opens one name in this directory, never through a link.
  func open(name: [UInt8], _ flags: OpenFlags, mode: UInt32 = 0) throws(Errno) -> Descriptor {
    Descriptor(
      try retrying {
        withTerminated(name) { openat(raw, $0, flags.forSystem, mode_t(mode)) }
      })
  }
}
