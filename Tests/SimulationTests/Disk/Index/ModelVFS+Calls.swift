import CSyncSQLite
import CatalogMirror
import Foundation
import SyncLock
import TestSupport
@testable import SyncFiles

extension ModelVFS.Core {
  /// The calls of SQLite's that aren't about an open file.
  static var table: sqlite3_vfs {
    var vfs = sqlite3_vfs()
    vfs.iVersion = 2
    vfs.szOsFile = Int32(MemoryLayout<ModelVFSHandle>.size)
    vfs.mxPathname = 1_024
    vfs.xOpen = { vfs, path, file, flags, outFlags in
      ModelVFS.Core.of(vfs).open(path, file, flags, outFlags)
    }
    vfs.xDelete = { vfs, path, syncs in ModelVFS.Core.of(vfs).delete(path, syncs: syncs != 0) }
    vfs.xAccess = { vfs, path, _, result in
      result?.pointee = ModelVFS.Core.of(vfs).isThere(path) ? 1 : 0
      return SQLITE_OK
    }
    vfs.xFullPathname = { _, path, count, out in
      guard let path, let out, strlen(path) < count else { return SQLITE_CANTOPEN }
      strcpy(out, path)
      return SQLITE_OK
    }
    vfs.xRandomness = { vfs, count, out in ModelVFS.Core.of(vfs).fill(out, count) }
    // Nobody is waited for: whoever holds a lock gives it back by a step of the test.
    vfs.xSleep = { _, microseconds in microseconds }
    vfs.xCurrentTime = { vfs, out in
      out?.pointee = Double(ModelVFS.Core.of(vfs).julianMilliseconds) / 86_400_000
      return SQLITE_OK
    }
    vfs.xCurrentTimeInt64 = { vfs, out in
      out?.pointee = ModelVFS.Core.of(vfs).julianMilliseconds
      return SQLITE_OK
    }
    vfs.xGetLastError = { _, _, _ in 0 }
    return vfs
  }

  private func open(
    _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file else { return SQLITE_CANTOPEN }
    file.pointee.pMethods = nil
    do {
      let opened = try ModelVFSFile(self, path.map { String(cString: $0) }, flags)
      file.withMemoryRebound(to: ModelVFSHandle.self, capacity: 1) { handle in
        handle.pointee.file = Unmanaged.passRetained(opened)
        handle.pointee.base.pMethods = ModelVFSFile.methods
      }
      outFlags?.pointee = flags
      return SQLITE_OK
    } catch .isADirectory {
      return Int32(SQLITE_CANTOPEN | (2 << 8))
    } catch {
      return SQLITE_CANTOPEN
    }
  }

  private func delete(_ path: UnsafePointer<CChar>?, syncs: Bool) -> Int32 {
    guard let path else { return SQLITE_IOERR }
    do {
      let (directory, name) = try openDirectory(of: String(cString: path))
      defer { fileSystem.close(directory) }
      do {
        try fileSystem.unlink(name, in: directory)
      } catch .absent {
        return Int32(SQLITE_IOERR | (23 << 8))
      }
      if syncs { try fileSystem.flush(directory) }
      return SQLITE_OK
    } catch {
      return Int32(SQLITE_IOERR | (10 << 8))
    }
  }

  // An empty file counts as none, as for SQLite's own VFS.
  private func isThere(_ path: UnsafePointer<CChar>?) -> Bool {
    guard let path, let (directory, name) = try? openDirectory(of: String(cString: path)) else {
      return false
    }
    defer { fileSystem.close(directory) }
    return (try? fileSystem.status(of: name, in: directory))?.size ?? 0 > 0
  }

  /// The directory that a file stands in, opened, and its name there.
  func openDirectory(of path: String) throws(Errno) -> (directory: Int32, name: [UInt8]) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let name = Array(path[slash...].utf8.dropFirst())
    let directory = try fileSystem.open(
      userPath: "/" + path[..<slash].drop { $0 == "/" }, [.reading, .directory])
    return (directory, name)
  }

  private func fill(_ out: UnsafeMutablePointer<CChar>?, _ count: Int32) -> Int32 {
    guard let out else { return 0 }
    random.withLock { random in
      for place in 0..<Int(count) { out[place] = .random(in: .min ... .max, using: &random) }
    }
    return count
  }

  // Milliseconds since noon of November 24, 4714 BC.
  private var julianMilliseconds: Int64 {
    fileSystem.disk.now() / 1_000_000 + 210_866_760_000_000
  }
}
