import SyncSystem

/// An open file or directory, closed when the last owner lets go of it.
///
/// Shared ownership lets a bounded cache drop a directory that a caller still works in.
package final class Descriptor: Sendable {
  package let raw: Int32
  package let fileSystem: any FileSystem

  init(_ raw: Int32, of fileSystem: any FileSystem) {
    self.raw = raw
    self.fileSystem = fileSystem
  }

  deinit { fileSystem.close(raw) }

  package static var currentProcess: Int32 { getpid() }

  /// Opens a path of the user's own, whose links are followed as anywhere else.
  package static func open(
    userPath path: String, _ flags: OpenFlags, in fileSystem: any FileSystem
  ) throws(Errno) -> Descriptor {
    Descriptor(try fileSystem.open(userPath: path, flags), of: fileSystem)
  }

  /// Opens one name in this directory, never through a link.
  package func open(name: [UInt8], _ flags: OpenFlags, mode: UInt32 = 0) throws(Errno) -> Descriptor
  {
    Descriptor(try fileSystem.open(name, in: raw, flags, mode: mode), of: fileSystem)
  }

  package func status() throws(Errno) -> FileStatus { try fileSystem.status(raw) }

  /// The bytes that this file system still has for us; those without a size of their own (some in
  /// memory or over a network) have no end.
  package func freeSpace() throws(Errno) -> Int64 { try fileSystem.space(raw).free }

  /// All the bytes that this file system has; one without a size has no end.
  package func capacity() throws(Errno) -> Int64 { try fileSystem.space(raw).total }

  /// Takes a lock of the whole file that belongs to this open file: it goes when the last
  /// descriptor of it is closed, at the latest with the process. ``Errno/wouldBlock`` when another
  /// open file holds it.
  package func lock(shared: Bool) throws(Errno) { try fileSystem.lock(raw, shared: shared) }

  /// Makes sure that the file system keeps the locks that SQLite takes.
  package func checkRecordLocks() throws(Errno) { try fileSystem.checkRecordLocks(raw) }

  package func flush() throws(Errno) { try fileSystem.flush(raw) }

  /// Makes everything durable that was written to the file system.
  package func flushFileSystem() throws(Errno) { try fileSystem.flushFileSystem(raw) }
}
