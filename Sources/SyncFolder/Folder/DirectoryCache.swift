import SyncFiles

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

  /// The directory at `path`, opened through no link.
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
