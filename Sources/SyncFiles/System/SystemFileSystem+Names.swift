import CSyncSystem
import SyncSystem

extension SystemFileSystem {
  package func makeDirectory(
    _ name: [UInt8], in directory: Int32, mode: UInt32
  ) throws(Errno) {
    _ = try retrying { withTerminated(name) { mkdirat(directory, $0, mode_t(mode)) } }
  }

  package func unlink(_ name: [UInt8], in directory: Int32) throws(Errno) {
    _ = try retrying { withTerminated(name) { unlinkat(directory, $0, 0) } }
  }

  package func removeDirectory(_ name: [UInt8], in directory: Int32) throws(Errno) {
    _ = try retrying { withTerminated(name) { unlinkat(directory, $0, AT_REMOVEDIR) } }
  }

  package func rename(
    _ name: [UInt8], in directory: Int32, to newName: [UInt8], in target: Int32, _ rule: RenameRule
  ) throws(Errno) {
    _ = try retrying {
      withTerminated(name) { old in
        withTerminated(newName) { new in Self.rename(directory, old, target, new, rule) }
      }
    }
  }

  private static func rename(
    _ from: Int32, _ old: UnsafePointer<CChar>, _ to: Int32, _ new: UnsafePointer<CChar>,
    _ rule: RenameRule
  ) -> Int32 {
    #if os(Linux)
      switch rule {
      case .replacing: renameat(from, old, to, new)
      case .intoEmptyPlace: csync_renameat2(from, old, to, new, CSYNC_RENAME_NOREPLACE)
      case .exchanging: csync_renameat2(from, old, to, new, CSYNC_RENAME_EXCHANGE)
      }
    #else
      switch rule {
      case .replacing: renameat(from, old, to, new)
      case .intoEmptyPlace: renameatx_np(from, old, to, new, UInt32(RENAME_EXCL))
      case .exchanging: renameatx_np(from, old, to, new, UInt32(RENAME_SWAP))
      }
    #endif
  }

  package func entries(of directory: Int32) throws(Errno) -> [DirectoryEntry] {
    let copy = try retrying { fcntl(directory, F_DUPFD_CLOEXEC, 0) }
    guard let stream = fdopendir(copy) else {
      let failure = Errno.current
      close(copy)
      throw failure
    }
    defer { closedir(stream) }
    var result: [DirectoryEntry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .current }
        return result
      }
      let name = Self.name(of: entry)
      if name == [UInt8(ascii: ".")] || name == Array("..".utf8) { continue }
      if let kind = try kind(of: name, entry, in: directory) {
        result.append(DirectoryEntry(name: name, kind: kind))
      }
    }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      preconditionFailure("d_name is a stored field")
    }
    let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    return UnsafeRawBufferPointer(start: start, count: strlen(start)).map { $0 }
  }

  // `nil` when the name vanished meanwhile.
  private func kind(
    of name: [UInt8], _ entry: UnsafeMutablePointer<dirent>, in directory: Int32
  ) throws(Errno) -> FileStatus.Kind? {
    switch Int(entry.pointee.d_type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .directory
    case Int(DT_LNK): return .symbolicLink
    case Int(DT_UNKNOWN):
      do {
        return try status(of: name, in: directory).kind
      } catch .absent {
        return nil
      }
    case Int(DT_FIFO): return .special(.fifo)
    case Int(DT_SOCK): return .special(.socket)
    default: return .special(.device)
    }
  }
}
