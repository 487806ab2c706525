#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CSyncSystem

/// One name of a directory.
struct DirectoryEntry: Equatable {
  let name: [UInt8]
  let kind: FileStatus.Kind
}

/// What becomes of a thing that stands where something is renamed to.
enum RenameRule {
  /// It is replaced.
  case replacing
  /// Nothing may stand there: ``Errno/exists``.
  case intoEmptyPlace
  /// It takes the other's place; both exist before and after.
  case exchanging
}

extension Descriptor {
  /// Makes a directory; ``Errno/exists`` when the name is taken, by whatever.
  func makeDirectory(_ name: [UInt8], mode: UInt32 = 0o755) throws(Errno) {
    _ = try retrying { withTerminated(name) { mkdirat(raw, $0, mode_t(mode)) } }
  }

  /// Removes a name that isn't a directory.
  func unlink(_ name: [UInt8]) throws(Errno) {
    _ = try retrying { withTerminated(name) { unlinkat(raw, $0, 0) } }
  }

  /// Removes a directory, only if it is empty.
  func removeDirectory(_ name: [UInt8]) throws(Errno) {
    _ = try retrying { withTerminated(name) { unlinkat(raw, $0, AT_REMOVEDIR) } }
  }

  /// Gives `name` another place and name, as one step. Links are renamed, not followed.
  func rename(
    _ name: [UInt8], to target: Descriptor, _ newName: [UInt8], _ rule: RenameRule
  ) throws(Errno) {
    do {
      _ = try retrying {
        withTerminated(name) { old in
          withTerminated(newName) { new in Self.rename(raw, old, target.raw, new, rule) }
        }
      }
    } catch  where [.invalid, .noSuchCall, .notSupported].contains(error) && rule != .replacing {
      // Some file systems (FUSE, older NFS) know the plain call only. A look and a plain rename
      // come close: what is lost is the guard against a file that appears between the two.
      if rule == .intoEmptyPlace, try target.status(of: newName) != nil { throw .exists }
      try rename(name, to: target, newName, .replacing)
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

  /// The names in this directory but `.` and `..`, in no order. The descriptor must be a fresh
  /// one: reading moves its place.
  func entries() throws(Errno) -> [DirectoryEntry] {
    let copy = try retrying { fcntl(raw, F_DUPFD_CLOEXEC, 0) }
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
      if let kind = try kind(of: name, entry) {
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
    of name: [UInt8], _ entry: UnsafeMutablePointer<dirent>
  ) throws(Errno) -> FileStatus.Kind? {
    switch Int(entry.pointee.d_type) {
    case Int(DT_REG): .file
    case Int(DT_DIR): .directory
    case Int(DT_LNK): .symbolicLink
    case Int(DT_UNKNOWN): try status(of: name)?.kind
    default: .special
    }
  }
}
