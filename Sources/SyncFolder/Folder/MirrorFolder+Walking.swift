import SyncFiles
package import SyncText

extension MirrorFolder {
  /// How many files in the folder are none of ours: links and special files count, directories and
  /// what stands in `.mirror/` don't, nor does the folder of another mirror.
  ///
  /// `isOurs` is asked once a file. Another mounted file system counts as one; a directory that
  /// this user can't read is told, and doesn't count.
  package func countForeign(
    isOurs: (ByteString) throws -> Bool, unreadable: (FolderError) -> Void = { _ in }
  ) throws -> Int {
    var count = 0
    try walk(.root) { path, kind in
      guard kind != .directory else {
        return path == .control || isOtherMirror(path) ? .skip : .enter
      }
      if try !isOurs(ByteString(bytes: path.bytes)) { count += 1 }
      return .skip
    } unreadable: { path, errno in
      if errno == .noRights {
        unreadable(FolderError(errno, path))
      } else if !path.isRoot, errno != .controlFolder {
        count += 1
      }
    }
    return count
  }

  private func isOtherMirror(_ path: BeneathPath) -> Bool {
    (try? Self.holdsMirror(open(path, [.reading, .directory]))) ?? false
  }

  /// The paths of all files below a directory that are none of ours; links and special files count.
  ///
  /// A directory that can't be read is passed over.
  package func foreignFiles(
    below path: RelativePath, isOurs: (ByteString) -> Bool
  ) throws -> [ByteString] {
    var found: [ByteString] = []
    try walk(BeneathPath(path)) { path, kind in
      guard kind != .directory else { return .enter }
      let key = ByteString(bytes: path.bytes)
      if !isOurs(key) { found.append(key) }
      return .skip
    } unreadable: { _, _ in
    }
    return found.sorted()
  }

  /// Whether nothing stands in the folder but `.mirror/`.
  package func isEmpty() throws -> Bool {
    do {
      return try list(.root).allSatisfy { BeneathPath.root.appending($0.name) == .control }
    } catch { throw FolderError(error, .root) }
  }

  /// What to do with a directory that was met.
  enum WalkStep {
    case enter
    case skip
  }

  /// Tells everything below `start`, each directory before what stands in it, following no link.
  ///
  /// One directory is open at a time, however deep the tree is.
  func walk(
    _ start: BeneathPath,
    _ visit: (BeneathPath, FileStatus.Kind) throws -> WalkStep,
    unreadable: (BeneathPath, Errno) throws -> Void
  ) throws {
    var waiting = [start]
    while let path = waiting.popLast() {
      let entries: [DirectoryEntry]
      do {
        entries = try list(path)
      } catch {
        try unreadable(path, error)
        continue
      }
      for entry in entries {
        let child = path.appending(entry.name)
        if try visit(child, entry.kind) == .enter { waiting.append(child) }
      }
    }
  }

  func list(_ path: BeneathPath) throws(Errno) -> [DirectoryEntry] {
    // The root's descriptor is shared and reading would move its place: "." is another open file.
    let directory =
      try path.isRoot
      ? root.open(name: Array(".".utf8), [.reading, .directory])
      : open(path, [.reading, .directory])
    return try directory.entries()
  }
}
