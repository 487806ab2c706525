import CSyncSQLite
import CatalogMirror
@testable import SyncFiles

/// An open file as SQLite holds it: its own part, and ours behind it.
struct ModelVFSHandle {
  var base: sqlite3_file
  var file: Unmanaged<ModelVFSFile>?
}

/// An open file of a ``ModelVFS``.
///
/// Used by one thread at a time, as SQLite's connections are.
final class ModelVFSFile {
  private let core: ModelVFS.Core
  private let descriptor: Int32
  private let path: String?
  private let goesOnClose: Bool
  /// Whether the first flush has to be one of the directory too: a log or journal that a loss of
  /// power takes the name of is as good as none.
  private var owesDirectory: Bool
  /// Kept until it is closed, whatever becomes of the disk: SQLite has pointers into it.
  private var regions: [SharedRegion] = []

  private var fileSystem: ModelFileSystem { core.fileSystem }

  init(_ core: ModelVFS.Core, _ path: String?, _ flags: Int32) throws(Errno) {
    self.core = core
    self.path = path
    let creates = flags & SQLITE_OPEN_CREATE != 0
    let isJournal = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0
    owesDirectory = creates && isJournal
    goesOnClose = flags & SQLITE_OPEN_DELETEONCLOSE != 0
    guard let path else {
      descriptor = try core.fileSystem.openNameless()
      return
    }
    var how: OpenFlags = flags & SQLITE_OPEN_READWRITE != 0 ? .writing : .reading
    if creates { how.insert(.creating) }
    if flags & SQLITE_OPEN_EXCLUSIVE != 0 { how.insert(.exclusively) }
    descriptor = try core.fileSystem.open(userPath: path, how, mode: 0o644)
  }

  func close() {
    if goesOnClose, let path, let (directory, name) = try? core.openDirectory(of: path) {
      try? fileSystem.unlink(name, in: directory)
      fileSystem.close(directory)
    }
    fileSystem.close(descriptor)
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    guard let count = try? fileSystem.read(descriptor, at: Int64(offset), into: buffer) else {
      return SQLITE_IOERR | (1 << 8)
    }
    guard count < buffer.count else { return SQLITE_OK }
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return SQLITE_IOERR | (2 << 8)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    var (rest, place) = (bytes, offset)
    do {
      while !rest.isEmpty {
        let count = try fileSystem.write(rest, to: descriptor, at: Int64(place))
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        place += count
      }
      return SQLITE_OK
    } catch {
      return error == .noSpace ? SQLITE_FULL : SQLITE_IOERR | (3 << 8)
    }
  }

  func truncate(to length: Int64) -> Int32 {
    do {
      try fileSystem.truncate(descriptor, to: length)
      return SQLITE_OK
    } catch {
      return SQLITE_IOERR | (6 << 8)
    }
  }

  func flush() -> Int32 {
    do {
      try fileSystem.flush(descriptor)
      guard owesDirectory, let path else { return SQLITE_OK }
      owesDirectory = false
      let directory = try core.openDirectory(of: path).directory
      defer { fileSystem.close(directory) }
      // As SQLite's own VFS: a failure is not told.
      try? fileSystem.flush(directory)
      return SQLITE_OK
    } catch {
      return SQLITE_IOERR | (4 << 8)
    }
  }

  func size(_ result: UnsafeMutablePointer<sqlite3_int64>?) -> Int32 {
    guard let status = try? fileSystem.status(descriptor) else { return SQLITE_IOERR | (7 << 8) }
    result?.pointee = status.size
    return SQLITE_OK
  }

  func lock(_ level: Int32) -> Int32 {
    do {
      _ = try fileSystem.disk.begin(.lock, fileSystem.generation, on: descriptor)
      return try withLocks { $0.raise(self.descriptor, to: level) } ? SQLITE_OK : SQLITE_BUSY
    } catch {
      return SQLITE_IOERR | (15 << 8)
    }
  }

  func unlock(_ level: Int32) -> Int32 {
    try? withLocks { $0.lower(self.descriptor, to: level) }
    return SQLITE_OK
  }

  func isReserved(_ result: UnsafeMutablePointer<Int32>?) -> Int32 {
    guard let isReserved = try? withLocks({ $0.isReserved }) else {
      return SQLITE_IOERR | (14 << 8)
    }
    result?.pointee = isReserved ? 1 : 0
    return SQLITE_OK
  }

  /// Shared memory of the log's index: in the heap, for the connections of this disk.
  func region(
    _ number: Int32, size: Int32, extend: Bool,
    _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> Int32 {
    let index = Int(number)
    if regions.count <= index {
      let grown = try? fileSystem.withSharedRegions(descriptor) { shared in
        while extend, shared.count <= index { shared.append(SharedRegion(byteCount: Int(size))) }
      }
      guard let grown else { return SQLITE_IOERR }
      regions = grown
    }
    result?.pointee = index < regions.count ? regions[index].memory.baseAddress : nil
    return SQLITE_OK
  }

  func lockRegion(_ offset: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
    let range = Int(offset)..<Int(offset + count)
    let isGranted = try? withLocks { locks in
      guard flags & SQLITE_SHM_LOCK != 0 else {
        locks.give(range, by: self.descriptor)
        return true
      }
      return locks.take(
        range, exclusively: flags & SQLITE_SHM_EXCLUSIVE != 0, for: self.descriptor)
    }
    return isGranted.map { $0 ? SQLITE_OK : SQLITE_BUSY } ?? SQLITE_IOERR
  }

  func unmapRegions() -> Int32 {
    try? withLocks { $0.unmap(self.descriptor) }
    regions = []
    return SQLITE_OK
  }

  private func withLocks<Answer: Sendable>(
    _ body: (inout DatabaseLocks) -> Answer
  ) throws(Errno) -> Answer {
    try fileSystem.disk.perform(fileSystem.generation) { state throws(Errno) in
      body(&(try state.inode(descriptor)).database)
    }
  }
}
