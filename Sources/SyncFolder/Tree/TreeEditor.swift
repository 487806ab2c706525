import SyncFiles
import SyncText

/// Changes names in the folder: makes directories, moves files out of the way, and keeps account
/// of what has to be made durable. For one piece of work on the store's queue.
final class TreeEditor {
  let folder: MirrorFolder
  let cache: DirectoryCache
  /// The name of the batch in the quarantine and among the displaced files.
  let batch: String
  /// Whose a file is, as the mirror's `CommitRecorder` says. Asked before one of ours is moved, so
  /// that it can be marked first.
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

  func makeDurable() throws(FolderError) { try touched.makeDurable(in: folder) }

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

/// Tells the directories of the tree apart that are, or stand in, the folder of another mirror. For
/// one piece of work: what was found once isn't looked at again.
struct OwnDirectories {
  private var own: Set<BeneathPath> = []

  /// Makes sure that no directory on the way to what stands in `path` is another mirror's.
  /// - Throws: ``FolderError/Code/otherMirror``.
  mutating func require(
    _ path: BeneathPath, of folder: MirrorFolder, _ cache: DirectoryCache
  ) throws {
    guard !path.isRoot, !own.contains(path) else { return }
    try require(path.parent, of: folder, cache)
    do {
      guard try !MirrorFolder.holdsMirror(try cache.directory(path)) else {
        throw FolderError(.otherMirror, path.description)
      }
    } catch let error as Errno {
      // What isn't there, or is none, is nobody's; whoever goes there is told what it is.
      guard error.meansNoWay else { throw FolderError(error, path) }
      return
    }
    own.insert(path)
  }
}

extension MirrorFolder {
  /// Which of these paths lie in the folder of another mirror, which stands in this one, by their
  /// places in the list. What can't be looked at is told when it is worked on.
  package func pathsOfOtherMirrors(among paths: [RelativePath]) -> [Int: FolderError] {
    let cache = DirectoryCache(self)
    var own = OwnDirectories()
    // Also of a directory that isn't there, one look tells.
    var known: [BeneathPath: FolderError?] = [:]
    var found: [Int: FolderError] = [:]
    for (place, path) in paths.enumerated() {
      let directory = BeneathPath(path).parent
      if let problem = known[directory] {
        found[place] = problem
        continue
      }
      do {
        try own.require(directory, of: self, cache)
        known[directory] = .some(nil)
      } catch {
        let problem = (error as? FolderError).flatMap { $0.code == .otherMirror ? $0 : nil }
        known[directory] = .some(problem)
        found[place] = problem
      }
    }
    return found
  }
}

/// The directories whose names were changed and have to be made durable.
struct TouchedDirectories {
  /// From this many on, one flush of the file system is cheaper than one of each.
  static let limit = 8

  // In the order in which they were touched: a run that is replayed flushes them in the same one.
  private var few: [(path: BeneathPath, directory: Descriptor)] = []
  private var many = false

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

  mutating func makeDurable(in folder: MirrorFolder) throws(FolderError) {
    defer { self = TouchedDirectories() }
    guard !many else { return try folder.flushEverything() }
    do {
      for touched in few { try touched.directory.flush() }
    } catch { throw folder.lost(error) }
  }
}

extension MirrorFolder {
  /// Those of some paths at which nothing stands, and could.
  package func missingDirectories(of paths: [RelativePath]) -> [RelativePath] {
    zip(paths, look(at: paths)).compactMap { path, look in
      guard case .success(nil) = look else { return nil }
      return path
    }
  }

  /// Makes directories with those above them, removes others that are empty with those above that
  /// this empties, and makes it durable. Where something is in the way, it stays, and so does what
  /// isn't empty.
  package func changeDirectories(
    making made: [RelativePath], removing removed: [RelativePath]
  ) throws {
    try checkMarker()
    let editor = TreeEditor(self, batch: "")
    for path in made {
      do {
        let path = BeneathPath(path)
        try editor.requireOwn(path.parent)
        _ = try editor.makeDirectory(path, clearing: false)
      } catch let error as FolderError where !error.isFatal {
        continue
      }
    }
    for path in removed { try editor.removeEmptyDirectories(upFrom: BeneathPath(path)) }
    try editor.makeDurable()
  }
}
