extension Descriptor {
  /// Makes a directory; ``Errno/exists`` when the name is taken, by whatever.
  package func makeDirectory(_ name: [UInt8], mode: UInt32 = 0o777) throws(Errno) {
    try fileSystem.makeDirectory(name, in: raw, mode: mode)
  }

  package func unlink(_ name: [UInt8]) throws(Errno) { try fileSystem.unlink(name, in: raw) }

  package func removeDirectory(_ name: [UInt8]) throws(Errno) {
    try fileSystem.removeDirectory(name, in: raw)
  }

  /// Gives `name` another place and name on the same file system, as one step. Links are renamed,
  /// not followed.
  package func rename(
    _ name: [UInt8], to target: Descriptor, _ newName: [UInt8], _ rule: RenameRule
  ) throws(Errno) {
    do {
      try fileSystem.rename(name, in: raw, to: newName, in: target.raw, rule)
    } catch  where [.invalid, .noSuchCall, .notSupported].contains(error) && rule != .replacing {
      // Some file systems (FUSE, older NFS) know the plain call only. A look and a plain rename
      // come close: what is lost is the guard against a file that appears between the two.
      if rule == .intoEmptyPlace, try target.status(of: newName) != nil { throw .exists }
      try rename(name, to: target, newName, .replacing)
    }
  }

  /// The names in this directory but `.` and `..`, in no order. The descriptor must be a fresh
  /// one: reading moves its place.
  package func entries() throws(Errno) -> [DirectoryEntry] { try fileSystem.entries(of: raw) }

  /// What stands under `name` in this directory; `nil` when nothing does.
  package func status(of name: [UInt8]) throws(Errno) -> FileStatus? {
    do {
      return try fileSystem.status(of: name, in: raw)
    } catch .absent {
      return nil
    }
  }
}
