package import SyncFiles

/// A file system that hands every call to another one, but those that it answers itself.
package protocol ForwardingFileSystem: FileSystem {
  var base: any FileSystem { get }
}

extension ForwardingFileSystem {
  package func open(userPath path: String, _ flags: OpenFlags) throws(Errno) -> Int32 {
    try base.open(userPath: path, flags)
  }

  package func makeDirectory(userPath path: String) throws(Errno) {
    try base.makeDirectory(userPath: path)
  }

  package func resolved(userPath path: String) throws(Errno) -> String {
    try base.resolved(userPath: path)
  }

  package func checkMayWrite(userPath path: String) throws(Errno) {
    try base.checkMayWrite(userPath: path)
  }

  package func open(
    _ name: [UInt8], in directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    try base.open(name, in: directory, flags, mode: mode)
  }

  package func open(
    path: [UInt8], beneath directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    try base.open(path: path, beneath: directory, flags, mode: mode)
  }

  package func close(_ descriptor: Int32) {
    base.close(descriptor)
  }

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno)
    -> Int
  {
    try base.read(descriptor, into: buffer)
  }

  package func read(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try base.read(descriptor, at: offset, into: buffer)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Errno) -> Int {
    try base.write(bytes, to: descriptor)
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
  ) throws(Errno) -> Int {
    try base.write(bytes, to: descriptor, at: offset)
  }

  package func rewind(_ descriptor: Int32) throws(Errno) {
    try base.rewind(descriptor)
  }

  package func clone(_ source: Int32, into descriptor: Int32) throws(Errno) {
    try base.clone(source, into: descriptor)
  }

  package func truncate(_ descriptor: Int32, to length: Int64) throws(Errno) {
    try base.truncate(descriptor, to: length)
  }

  package func setModified(_ descriptor: Int32, nanoseconds: Int64) throws(Errno) {
    try base.setModified(descriptor, nanoseconds: nanoseconds)
  }

  package func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) {
    try base.setMode(descriptor, mode)
  }

  package func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
    try base.status(descriptor)
  }

  package func status(of name: [UInt8], in directory: Int32) throws(Errno) -> FileStatus {
    try base.status(of: name, in: directory)
  }

  package func entries(of directory: Int32) throws(Errno) -> [DirectoryEntry] {
    try base.entries(of: directory)
  }

  package func space(_ descriptor: Int32) throws(Errno) -> DiskSpace {
    try base.space(descriptor)
  }

  package func makeDirectory(_ name: [UInt8], in directory: Int32, mode: UInt32) throws(Errno) {
    try base.makeDirectory(name, in: directory, mode: mode)
  }

  package func unlink(_ name: [UInt8], in directory: Int32) throws(Errno) {
    try base.unlink(name, in: directory)
  }

  package func removeDirectory(_ name: [UInt8], in directory: Int32) throws(Errno) {
    try base.removeDirectory(name, in: directory)
  }

  package func rename(
    _ name: [UInt8], in directory: Int32, to newName: [UInt8], in target: Int32, _ rule: RenameRule
  ) throws(Errno) {
    try base.rename(name, in: directory, to: newName, in: target, rule)
  }

  package func lock(_ descriptor: Int32, shared: Bool) throws(Errno) {
    try base.lock(descriptor, shared: shared)
  }

  package func flush(_ descriptor: Int32) throws(Errno) {
    try base.flush(descriptor)
  }

  package func flushFileSystem(_ descriptor: Int32) throws(Errno) {
    try base.flushFileSystem(descriptor)
  }

  package func startWriteBack(_ descriptor: Int32, from offset: Int64, count: Int64) {
    base.startWriteBack(descriptor, from: offset, count: count)
  }
}
