import SyncFiles

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
