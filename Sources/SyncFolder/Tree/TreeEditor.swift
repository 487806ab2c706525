import SyncFiles
import SyncText

/// Changes names in the folder: makes directories, moves files out of the way, and keeps account
/// of what has to be made durable. For one piece of work on the store's queue.
final class TreeEditor {
  let folder: MirrorFolder
  let cache: DirectoryCache
  /// The name of the batch in the quarantine and among the displaced files.
  let batch: String
  /// Whose a file is. Asked before one of ours is moved, so that it can be marked first.
  let owner: (ByteString) throws -> Ownership
  var touched = TouchedDirectories()
  /// What was moved away since somebody last took it from here.
  var movedAway: [MovedAway] = []

  private var ownDirectories = OwnDirectories()

  /// How often a step is tried against somebody who changes the same place.
  static let attempts = 16

  init(
    _ folder: MirrorFolder, batch: String,
    owner: @escaping (ByteString) throws -> Ownership = { _ in .foreign }
  ) {
    self.folder = folder
    self.batch = batch
    self.owner = owner
    cache = DirectoryCache(folder)
  }

  /// Makes everything durable that was changed so far.
  func makeDurable() throws(FolderError) { try touched.makeDurable(in: folder) }

  /// What stands at `path`, whose parent may be missing.
  func status(_ path: BeneathPath) throws -> FileStatus? {
    do {
      return try cache.directory(path.parent).status(of: path.name)
    } catch  where error.meansNoWay {
      return nil
    } catch { throw FolderError(error, path) }
  }

  /// Makes sure that no directory on the way to what stands in `path` is the folder of another
  /// mirror: the two would take each other's files for strangers'.
  /// - Throws: ``FolderError/Code/otherMirror``.
  func requireOwn(_ path: BeneathPath) throws {
    try ownDirectories.require(path, of: folder, cache)
  }

  /// The directory at `path`, made where it is missing. A file in its way is moved away when
  /// `clearing`; anything else in its way is ``FolderError/Code/blocked``.
  func makeDirectory(_ path: BeneathPath, clearing: Bool) throws -> Descriptor {
    do {
      return try cache.directory(path)
    } catch {
      // A link or a file may be anywhere on the way: the recursion finds where.
      let climbs = error.meansNoWay && error != .otherFileSystem && !path.isRoot
      guard climbs else { throw FolderError(error, path) }
    }
    let parent = try makeDirectory(path.parent, clearing: clearing)
    for _ in 0..<Self.attempts {
      do {
        try parent.makeDirectory(path.name)
        touched.insert(parent, at: path.parent)
      } catch .exists {
        try clear(path, in: parent, clearing: clearing)
      } catch { throw FolderError.making(error, path) }
      if let directory = try open(path, in: parent) { return directory }
    }
    throw FolderError(.contested, path.description)
  }

  // Relative to its parent, since the whole path may be longer than a system call takes. `nil`
  // when it is gone again, or a file that was just moved away.
  private func open(_ path: BeneathPath, in parent: Descriptor) throws -> Descriptor? {
    do {
      let directory = try folder.resolver.open(
        path.name, beneath: parent, [.reading, .directory])
      if path == path.top { try folder.requireTree(path, opened: directory) }
      cache.keep(directory, at: path)
      return directory
    } catch .absent {
      return nil
    } catch { throw FolderError(error, path) }
  }

  private func clear(_ path: BeneathPath, in parent: Descriptor, clearing: Bool) throws {
    let status: FileStatus?
    do {
      status = try parent.status(of: path.name)
    } catch { throw FolderError(error, path) }
    switch status?.kind {
    case nil, .directory: return
    case .file where clearing: try moveAway(path)
    case .file, .symbolicLink, .special: throw FolderError(.blocked, path.description)
    }
  }
}
