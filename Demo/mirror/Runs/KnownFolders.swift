import CatalogMirror
import Console

/// The folders that a watch has seen to be mirrors. From then on none of them is made anew: where
/// one is gone, its disk isn't mounted any more, and what lies below its mount point mustn't be
/// filled.
final class KnownFolders: Sendable {
  private let paths = Locked<Set<String>>([])

  /// Looks at the folder of a mirror before and after each of its runs.
  ///
  /// - Returns: whether it is a mirror, or was one when it was last looked at.
  @discardableResult
  func look(at options: MirrorOptions) async -> Bool {
    let isMirror = await FolderMirror(options).folderIsMirror()
    return paths.withLock { paths in
      if isMirror { paths.insert(options.folder) }
      return paths.contains(options.folder)
    }
  }
}

/// A folder that was a mirror isn't one any more.
struct LostFolder: Error, CustomStringConvertible {
  let folder: String

  /// What an error of a run means whose folder was a mirror before; `nil` for any other error.
  init?(_ error: any Error, of options: MirrorOptions) {
    guard case MirrorError.folder(let problem) = error else { return nil }
    switch problem.code {
    case .missing, .notAMirror, .notAFolder, .linkToNothing: folder = options.folder
    default: return nil
    }
  }

  var description: String {
    """
    '\(folder.escaped)' was a mirror and is none any more; mount its disk. If it was \
    removed on purpose, 'mirror sync' makes it anew
    """
  }
}
