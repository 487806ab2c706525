import SyncFiles
import SyncLock

extension MirrorFolder {
  /// Makes everything durable that was written to the folder's file system so far.
  ///
  /// The system tells of lost bytes only once, and they may be of any file that was begun before:
  /// whoever gets an error here has to end the run, and no later flush is believed.
  package func flushEverything() throws(FolderError) {
    if let known = lostBytes.withLock({ $0 }) { throw known }
    do { try root.flushFileSystem() } catch { throw lost(error) }
  }

  /// Remembers that a flush of more than one file failed.
  func lost(_ errno: Errno) -> FolderError {
    let error = FolderError.flush(errno, ofFolder: path)
    return lostBytes.withLock { known in
      known = known ?? error
      return error
    }
  }

  /// Whether something that was written may not be on the disk, and nobody knows what.
  package var hasLostBytes: Bool { lostBytes.withLock { $0 != nil } }
}
