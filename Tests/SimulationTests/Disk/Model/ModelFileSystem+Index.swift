import CatalogMirror
@testable import SyncFiles

/// What SQLite needs beyond the calls of a mirror.
extension ModelFileSystem {
  /// A file without a name, gone when it is closed.
  func openNameless() throws(Errno) -> Int32 {
    _ = try disk.begin(.create, generation)
    let now = disk.now()
    return try disk.perform(generation) { state throws(Errno) in
      let inode = try state.make(.file, mode: 0o600, now: now)
      return state.opened(inode, path: "", isWritable: true)
    }
  }

  /// The memory that the connections of a file share, after `body` has changed it.
  func withSharedRegions(
    _ descriptor: Int32, _ body: (inout [SharedRegion]) -> Void
  ) throws(Errno) -> [SharedRegion] {
    try disk.perform(generation) { state throws(Errno) in
      let inode = try state.inode(descriptor)
      inode.database.sharers.insert(descriptor)
      body(&inode.database.regions)
      return inode.database.regions
    }
  }
}
