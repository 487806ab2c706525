import SyncDatabase
import SyncEssentials
import SyncFiles
import SyncSystem

/// A copy of a database that SQLite can't read where it is.
///
/// In write-ahead mode SQLite reads a file only with a second one beside it (`-shm`), in which
/// readers and writers tell each other what they do. Where that can't be made, and nobody else has
/// made it, the file and its log are copied, byte by byte. Meanwhile it is locked as SQLite's
/// readers do: who has it alone then doesn't write, and whoever else begins to write leaves that
/// second file behind, since closing it for good needs that lock. So a copy is good if there is
/// none at its end.
///
/// In the other mode the same is done where a journal is left of a program that was killed: it has
/// to be undone first, which needs writing. Nobody writes to a file that is locked so.
struct UnsharedCopy {
  private let path: String
  private let options: StoreOptions

  init(of path: String, _ options: StoreOptions) {
    self.path = path
    self.options = options
  }

  var isNeeded: Bool {
    // First, since to close the file lets go of all locks that this process has on it.
    guard !exists("-shm") else { return false }
    let file = try? Descriptor.open(userPath: path, .reading, in: SystemFileSystem())
    // Its version for who reads it: 2 with a log (sqlite.org, "Database File Format").
    guard let header = try? file?.readStart(limit: 20), header.count == 20 else { return false }
    return header[19] == 2 || exists("-journal")
  }

  func connection() throws -> Connection {
    do {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      try copyFiles(to: folder.path, named: "copy.sqlite")
      return try connection(to: folder.path + "/copy.sqlite")
    } catch let error as Errno {
      throw RecordError.opening(.noRoomForCopy(error.text))
    } catch var error as DatabaseError {
      if error.code == .full { throw RecordError.opening(.noRoomForCopy(error.message)) }
      error.path = path
      throw error
    }
  }

  /// Takes the copied file into a database that needs no folder.
  private func connection(to copy: String) throws -> Connection {
    var own = options.connection
    own.locksExclusively = true
    let connection = try Connection(path: copy, options: own)
      .copy(in: .temporaryFile, named: path, options: options.connection)
    try connection.forbidWriting()
    return connection
  }

  private func copyFiles(to folder: String, named name: String) throws {
    let system = SystemFileSystem()
    let file = try Descriptor.open(userPath: path, .reading, in: system)
    let isChanging = RecordError.opening(.changing(path))
    guard file.isLockedAsByReaders(), !exists("-shm") else { throw isChanging }
    let logs = ["-wal", "-journal"].map { suffix in
      (suffix, try? Descriptor.open(userPath: path + suffix, .reading, in: system))
    }
    let size = try logs.reduce(file.status().size) { try $0 + ($1.1?.status().size ?? 0) }
    guard size <= options.copyLimit else {
      throw RecordError.opening(.tooLargeToCopy(bytes: size, limit: options.copyLimit))
    }
    let place = try Descriptor.open(userPath: folder, [.reading, .directory], in: system)
    for (suffix, from) in [("", file)] + logs {
      guard let from else { continue }
      let copy = try place.open(
        name: Array((name + suffix).utf8), [.writing, .creating, .exclusively], mode: 0o600)
      try copy.write(all: from)
    }
    // The lock goes with the descriptor.
    let isWhole = withExtendedLifetime(file) {
      !exists("-shm") && logs.allSatisfy { $0.1 != nil || !exists($0.0) }
    }
    guard isWhole else { throw isChanging }
  }

  private func exists(_ suffix: String) -> Bool {
    FileManager.default.fileExists(atPath: path + suffix)
  }
}

extension Descriptor {
  /// Takes the lock of SQLite's readers, until the process closes the file for the first time
  /// (POSIX has it so); `false` where somebody has the file alone.
  fileprivate func isLockedAsByReaders() -> Bool {
    var lock = flock()
    lock.l_type = Int16(F_RDLCK)
    lock.l_whence = Int16(SEEK_SET)
    // The bytes that SQLite locks (its os.h: SHARED_FIRST, SHARED_SIZE).
    (lock.l_start, lock.l_len) = (0x4000_0002, 510)
    return fcntl(raw, F_SETLK, &lock) == 0
  }
}

/// A folder of our own, which nobody else may enter.
private struct TemporaryFolder {
  let path: String

  init() throws(Errno) {
    path = try TemporaryPlaces.first { place, directory throws(Errno) in
      let name = TemporaryPlaces.name(of: "records")
      try directory.makeDirectory(Array(name.utf8), mode: 0o700)
      return "\(place)/\(name)"
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
