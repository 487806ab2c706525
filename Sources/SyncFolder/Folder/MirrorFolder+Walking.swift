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

  package func isEmpty() throws -> Bool {
    do {
      return try list(.root).allSatisfy { BeneathPath.root.appending($0.name) == .control }
    } catch { throw FolderError(error, .root) }
  }

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

  /// Removes a directory of `.mirror/` with everything in it, following no link and onto no other
  /// file system.
  ///
  /// What is deep is first brought up, so that a tree of any depth goes with two directories open,
  /// and a crash leaves a smaller one.
  func removeTree(_ path: BeneathPath) throws(Errno) {
    let parent = try open(path.parent, [.reading, .directory])
    let top = try resolver.open(path.name, beneath: parent, [.reading, .directory])
    var names = try Self.clear(top, raisingInto: top)
    while let name = names.popLast() {
      let directory = try resolver.open(name, beneath: top, [.reading, .directory])
      names += try Self.clear(directory, raisingInto: top)
      try top.removeDirectory(name)
    }
    try parent.removeDirectory(path.name)
  }

  // Unlinks the files of a directory, moves its directories to `top`, and gives their names there.
  private static func clear(
    _ directory: Descriptor, raisingInto top: Descriptor
  ) throws(Errno) -> [[UInt8]] {
    var raised: [[UInt8]] = []
    for entry in try directory.entries() {
      guard entry.kind == .directory else {
        do { try directory.unlink(entry.name) } catch .absent {}
        continue
      }
      let name = Array(RandomName.make().utf8)
      try directory.rename(entry.name, to: top, name, .intoEmptyPlace)
      raised.append(name)
    }
    return raised
  }
}

/// Directories of the folder that are held open while many names in them are worked on: each is
/// resolved once, not once a name.
///
/// For one short piece of work by one user (a batch, a look): a directory that is moved meanwhile
/// is still worked in, wherever it went beneath the folder.
final class DirectoryCache {
  private let folder: MirrorFolder
  private let capacity: Int
  private var opened: [BeneathPath: Use] = [:]
  private var moment = 0
  private var latest: (path: BeneathPath, descriptor: Descriptor)?

  private struct Use {
    let descriptor: Descriptor
    var moment: Int
  }

  /// A cache of at most `capacity` descriptors. Few do: names come in the order of their paths.
  init(_ folder: MirrorFolder, capacity: Int = 4) {
    self.folder = folder
    self.capacity = capacity
  }

  func directory(_ path: BeneathPath) throws(Errno) -> Descriptor {
    if path.isRoot { return folder.root }
    if let latest, latest.path == path { return latest.descriptor }
    if let use = opened[path] {
      keep(use.descriptor, at: path)
      return use.descriptor
    }
    let descriptor = try folder.open(path, [.reading, .directory])
    keep(descriptor, at: path)
    return descriptor
  }

  /// Remembers a directory that was opened otherwise; the one unused for longest makes room.
  func keep(_ descriptor: Descriptor, at path: BeneathPath) {
    moment += 1
    if opened[path] == nil, opened.count >= capacity,
      let oldest = opened.min(by: { $0.value.moment < $1.value.moment })
    {
      opened[oldest.key] = nil
    }
    opened[path] = Use(descriptor: descriptor, moment: moment)
    latest = (path, descriptor)
  }

  /// Closes all: needed when directories were moved or removed.
  func forget() {
    opened = [:]
    latest = nil
  }
}
