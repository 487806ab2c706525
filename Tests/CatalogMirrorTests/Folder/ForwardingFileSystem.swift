@testable import CatalogMirror

/// A file system that hands every call to another one, but those that it answers itself.
protocol ForwardingFileSystem: FileSystem {
  var base: any FileSystem { get }
}

extension ForwardingFileSystem {
  func open(userPath path: String, _ flags: OpenFlags) throws(Errno) -> Int32 {
    try base.open(userPath: path, flags)
  }

  func makeDirectory(userPath path: String) throws(Errno) {
    try base.makeDirectory(userPath: path)
  }

  func checkMayWrite(userPath path: String) throws(Errno) {
    try base.checkMayWrite(userPath: path)
  }

  func open(
    _ name: [UInt8], in directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    try base.open(name, in: directory, flags, mode: mode)
  }

  func open(
    path: [UInt8], beneath directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    try base.open(path: path, beneath: directory, flags, mode: mode)
  }

  func close(_ descriptor: Int32) {
    base.close(descriptor)
  }

  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try base.read(descriptor, into: buffer)
  }

  func readStart(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try base.readStart(descriptor, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Errno) -> Int {
    try base.write(bytes, to: descriptor)
  }

  func rewind(_ descriptor: Int32) throws(Errno) {
    try base.rewind(descriptor)
  }

  func truncate(_ descriptor: Int32, to length: Int64) throws(Errno) {
    try base.truncate(descriptor, to: length)
  }

  func setModified(_ descriptor: Int32, nanoseconds: Int64) throws(Errno) {
    try base.setModified(descriptor, nanoseconds: nanoseconds)
  }

  func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
    try base.status(descriptor)
  }

  func status(of name: [UInt8], in directory: Int32) throws(Errno) -> FileStatus {
    try base.status(of: name, in: directory)
  }

  func entries(of directory: Int32) throws(Errno) -> [DirectoryEntry] {
    try base.entries(of: directory)
  }

  func space(_ descriptor: Int32) throws(Errno) -> DiskSpace {
    try base.space(descriptor)
  }

  func makeDirectory(_ name: [UInt8], in directory: Int32, mode: UInt32) throws(Errno) {
    try base.makeDirectory(name, in: directory, mode: mode)
  }

  func unlink(_ name: [UInt8], in directory: Int32) throws(Errno) {
    try base.unlink(name, in: directory)
  }

  func removeDirectory(_ name: [UInt8], in directory: Int32) throws(Errno) {
    try base.removeDirectory(name, in: directory)
  }

  func rename(
    _ name: [UInt8], in directory: Int32, to newName: [UInt8], in target: Int32, _ rule: RenameRule
  ) throws(Errno) {
    try base.rename(name, in: directory, to: newName, in: target, rule)
  }

  func lock(_ descriptor: Int32, shared: Bool) throws(Errno) {
    try base.lock(descriptor, shared: shared)
  }

  func flush(_ descriptor: Int32) throws(Errno) {
    try base.flush(descriptor)
  }

  func flushFileSystem(_ descriptor: Int32) throws(Errno) {
    try base.flushFileSystem(descriptor)
  }

  func startWriteBack(_ descriptor: Int32, from offset: Int64, count: Int64) {
    base.startWriteBack(descriptor, from: offset, count: count)
  }
}
