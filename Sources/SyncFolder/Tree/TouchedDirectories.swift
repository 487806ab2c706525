import SyncFiles

/// The directories whose names were changed and have to be made durable.
struct TouchedDirectories {
  /// From this many on, one flush of the file system is cheaper than one of each.
  static let limit = 8

  // In the order in which they were touched: a run that is replayed flushes them in the same one.
  private var few: [(path: BeneathPath, directory: Descriptor)] = []
  private var many = false

  /// A name in `directory` was changed.
  mutating func insert(_ directory: Descriptor, at path: BeneathPath) {
    guard !many, !few.contains(where: { $0.path == path }) else { return }
    few.append((path, directory))
    guard few.count > Self.limit else { return }
    many = true
    few = []
  }

  /// A directory was removed: what was changed in it went with it, and some file systems (those
  /// that FUSE serves by path) refuse to flush what has no name any more.
  mutating func forget(_ path: BeneathPath) {
    few.removeAll { $0.path == path }
  }

  /// Makes all durable and forgets them.
  mutating func makeDurable(in folder: MirrorFolder) throws(FolderError) {
    defer { self = TouchedDirectories() }
    guard !many else { return try folder.flushEverything() }
    do {
      for touched in few { try touched.directory.flush() }
    } catch { throw folder.lost(error) }
  }
}
