#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CSyncSystem

/// How a path is opened beneath a directory, through no symbolic link and onto no other file
/// system, whatever anybody does to the tree meanwhile.
enum PathResolver: Sendable {
  /// By the kernel, in one call: openat2(2).
  case kernel
  /// Name by name, each opened in the directory before it without following a link; for systems
  /// and sandboxes without openat2.
  case walking

  /// The best that works for `directory`.
  static func best(for directory: Descriptor) -> PathResolver {
    #if os(Linux)
      let answer = csync_openat2(
        directory.raw, ".", UInt64(O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0, CSYNC_RESOLVE_CONTAINED)
      guard answer >= 0 else { return .walking }
      close(answer)
      return .kernel
    #else
      return .walking
    #endif
  }

  /// Opens `path`, whose components hold neither `.` nor `..`, beneath `directory`.
  ///
  /// ``Errno/link`` or ``Errno/notADirectory`` when a link is in the way,
  /// ``Errno/otherFileSystem`` at a mount point.
  func open(
    _ path: [UInt8], beneath directory: Descriptor, _ flags: OpenFlags, mode: UInt32 = 0
  ) throws(Errno) -> Descriptor {
    switch self {
    case .kernel:
      #if os(Linux)
        try Self.openInKernel(path, directory, flags, mode)
      #else
        try Self.openByWalking(path, directory, flags, mode)
      #endif
    case .walking: try Self.openByWalking(path, directory, flags, mode)
    }
  }

  #if os(Linux)
    // The kernel answers EAGAIN when a rename somewhere on the system kept it from proving that
    // the path stayed beneath; so many in a row only come from somebody who tries.
    private static func openInKernel(
      _ path: [UInt8], _ directory: Descriptor, _ flags: OpenFlags, _ mode: UInt32
    ) throws(Errno) -> Descriptor {
      var failure = Errno.again
      for _ in 0..<256 {
        do {
          return Descriptor(
            try retrying {
              withTerminated(path) {
                csync_openat2(
                  directory.raw, $0, UInt64(UInt32(bitPattern: flags.forSystem)), UInt64(mode),
                  CSYNC_RESOLVE_CONTAINED)
              }
            })
        } catch {
          guard error == .again else { throw error }
          failure = error
        }
      }
      throw failure
    }
  #endif

  private static func openByWalking(
    _ path: [UInt8], _ directory: Descriptor, _ flags: OpenFlags, _ mode: UInt32
  ) throws(Errno) -> Descriptor {
    let names = path.split(separator: UInt8(ascii: "/")).map { Array($0) }
    guard let last = names.last else { throw .absent }
    let device = try directory.status().device
    var here = directory
    for name in names.dropLast() {
      here = try here.open(name: name, [.reading, .directory])
      guard try here.status().device == device else { throw .otherFileSystem }
    }
    let result = try here.open(name: last, flags, mode: mode)
    // Files aren't asked: an overlay file system gives them numbers of the layers below it.
    guard flags.contains(.directory) else { return result }
    guard try result.status().device == device else { throw .otherFileSystem }
    return result
  }
}
