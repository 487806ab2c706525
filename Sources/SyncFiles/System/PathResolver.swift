/// How a path is opened beneath a directory, through no symbolic link and onto no other file
/// system, whatever anybody does to the tree meanwhile.
package enum PathResolver: Sendable {
  /// By the kernel, in one call: openat2(2).
  case kernel
  /// Name by name, each opened in the directory before it without following a link; for systems
  /// and sandboxes without openat2.
  case walking

  /// The best that works for `directory`.
  package static func best(for directory: Descriptor) -> PathResolver {
    let answer = try? openInKernel(
      Array(".".utf8), directory, [.reading, .directory], 0)
    return answer == nil ? .walking : .kernel
  }

  /// Opens `path`, whose components hold neither `.` nor `..`, beneath `directory`.
  ///
  /// ``Errno/link`` or ``Errno/notADirectory`` when a link is in the way,
  /// ``Errno/otherFileSystem`` at a mount point.
  package func open(
    _ path: [UInt8], beneath directory: Descriptor, _ flags: OpenFlags, mode: UInt32 = 0
  ) throws(Errno) -> Descriptor {
    switch self {
    case .kernel: try Self.openInKernel(path, directory, flags, mode)
    case .walking: try Self.openByWalking(path, directory, flags, mode)
    }
  }

  // The kernel answers EAGAIN when a rename somewhere on the system kept it from proving that
  // the path stayed beneath; so many in a row only come from somebody who tries.
  private static func openInKernel(
    _ path: [UInt8], _ directory: Descriptor, _ flags: OpenFlags, _ mode: UInt32
  ) throws(Errno) -> Descriptor {
    let fileSystem = directory.fileSystem
    var failure = Errno.again
    for _ in 0..<256 {
      do {
        let opened = try fileSystem.open(path: path, beneath: directory.raw, flags, mode: mode)
        return Descriptor(opened, of: fileSystem)
      } catch {
        guard error == .again else { throw error }
        failure = error
      }
    }
    throw failure
  }

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
