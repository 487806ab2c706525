/// The calls by which a folder is worked on: the one seam between the mirror and a disk.
///
/// ``SystemFileSystem`` is the system's own; a test gives another that fails on demand, or that
/// has only memory below it. An open file or directory is a number that the file system gave, as
/// in POSIX; ``Descriptor`` owns it and is what everything else uses.
///
/// Contract: calls may come from any thread, each blocks until it is done, and none ends with
/// ``Errno/interrupted``. A name is one component and never a path; a link is never followed, but
/// in the paths of the user's own. What is opened isn't inherited by child processes.
package protocol FileSystem: Sendable {
  /// Opens a path of the user's own, whose links are followed as anywhere else.
  func open(userPath path: String, _ flags: OpenFlags) throws(Errno) -> Int32
  /// Makes a directory at a path of the user's own; ``Errno/exists`` when the name is taken.
  func makeDirectory(userPath path: String) throws(Errno)
  /// A path of the user's own to something that is there, absolute and without links, `.` and `..`.
  /// Default: the path as it is.
  func resolved(userPath path: String) throws(Errno) -> String
  /// Makes sure that this user may make names in the directory at a path of the user's own.
  func checkMayWrite(userPath path: String) throws(Errno)

  /// Opens one name in a directory. `mode` holds the rights of a file that is made.
  func open(
    _ name: [UInt8], in directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32
  /// Opens a path beneath a directory in one step, through no link and onto no other file system;
  /// ``Errno/noSuchCall`` where that can't be done in one step.
  func open(
    path: [UInt8], beneath directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32
  /// Gives a number back. Called once for each.
  func close(_ descriptor: Int32)

  /// Reads at the current place, at most what `buffer` holds; 0 at the end.
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  /// Reads so many bytes behind the start; the current place stays.
  func read(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int
  /// Writes at the current place and says how much: maybe not all of `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Errno) -> Int
  /// Writes so many bytes behind the start, also past the end, and says how much: maybe not all of
  /// `bytes`. The current place stays.
  func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
  ) throws(Errno) -> Int
  /// Makes the start the current place.
  func rewind(_ descriptor: Int32) throws(Errno)
  /// Gives an empty file all bytes of another one; they share their place on the disk until either
  /// is written to. ``Errno/notSupported`` where the disk can't do that. Default: it can't.
  func clone(_ source: Int32, into descriptor: Int32) throws(Errno)
  /// Sets the length; the current place stays.
  func truncate(_ descriptor: Int32, to length: Int64) throws(Errno)
  /// Sets the modification time, in nanoseconds since 1970; the access time stays.
  func setModified(_ descriptor: Int32, nanoseconds: Int64) throws(Errno)

  /// Sets who may do what with an open file, as `mode` of ``open(_:in:_:mode:)`` says it, but
  /// without regard to the umask. Default: ``Errno/notSupported``.
  func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno)

  /// What stands open here.
  func status(_ descriptor: Int32) throws(Errno) -> FileStatus
  func status(of name: [UInt8], in directory: Int32) throws(Errno) -> FileStatus
  /// The names in a directory but `.` and `..`, in no order, read from the current place on.
  func entries(of directory: Int32) throws(Errno) -> [DirectoryEntry]
  func space(_ descriptor: Int32) throws(Errno) -> DiskSpace

  /// Makes a directory; ``Errno/exists`` when the name is taken, by whatever.
  func makeDirectory(_ name: [UInt8], in directory: Int32, mode: UInt32) throws(Errno)
  /// Removes a name that isn't a directory.
  func unlink(_ name: [UInt8], in directory: Int32) throws(Errno)
  /// Removes a directory, only if it is empty.
  func removeDirectory(_ name: [UInt8], in directory: Int32) throws(Errno)
  /// Gives a name another place, as one step. ``Errno/invalid``, ``Errno/noSuchCall`` or
  /// ``Errno/notSupported`` where only ``RenameRule/replacing`` is known.
  func rename(
    _ name: [UInt8], in directory: Int32, to newName: [UInt8], in target: Int32, _ rule: RenameRule
  ) throws(Errno)

  /// Locks a whole file for this open file; ``Errno/wouldBlock`` when another one holds it.
  func lock(_ descriptor: Int32, shared: Bool) throws(Errno)
  /// Asks whether the file system keeps locks of parts of files, which SQLite takes, and takes
  /// none. Default: it does.
  func checkRecordLocks(_ descriptor: Int32) throws(Errno)
  /// Makes one file or directory durable. A failure is told once: what it was about is lost.
  func flush(_ descriptor: Int32) throws(Errno)
  /// Makes everything durable that was written to the descriptor's file system.
  func flushFileSystem(_ descriptor: Int32) throws(Errno)
  /// Begins to write a range back, without waiting for it: a hint.
  func startWriteBack(_ descriptor: Int32, from offset: Int64, count: Int64)
}

extension FileSystem {
  package func clone(_ source: Int32, into descriptor: Int32) throws(Errno) { throw .notSupported }
  package func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) { throw .notSupported }
  package func checkRecordLocks(_ descriptor: Int32) throws(Errno) {}
  package func resolved(userPath path: String) throws(Errno) -> String { path }
}

/// How something is opened; always close-on-exec, so that no child process inherits it.
package struct OpenFlags: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

package struct DirectoryEntry: Equatable, Sendable {
  package let name: [UInt8]
  package let kind: FileStatus.Kind
}

/// What becomes of a thing that stands where something is renamed to.
package enum RenameRule: Sendable {
  case replacing
  /// Nothing may stand there: ``Errno/exists``.
  case intoEmptyPlace
  /// It takes the other's place; both exist before and after.
  case exchanging
}

/// The room on a file system, in bytes; one without a size of its own (some in memory or over a
/// network) has no end.
package struct DiskSpace: Equatable, Sendable {
  /// What this user may still fill.
  package let free: Int64
  /// All of it, used or free.
  package let total: Int64

  /// Room without an end.
  package static let endless = DiskSpace(free: .max, total: .max)
}
