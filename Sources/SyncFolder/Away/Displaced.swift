import SyncFiles
import SyncText

/// Moves files away that are somebody's: a file that was edited, or one in an item's way.
///
/// They keep their paths below `.mirror/displaced/<time of the run>/`, which is never emptied.
/// Calls block; they belong on the store's queue.
package struct Displaced: Sendable {
  private let folder: MirrorFolder
  private let batch: String

  /// The displaced files of a run that began at `startedAt`, in seconds since 1970.
  package init(_ folder: MirrorFolder, startedAt: Double) {
    self.folder = folder
    batch = UTCStamp.text(startedAt)
  }

  /// Moves what stands at each of `paths`, unless it is a directory, and makes it durable; gives
  /// what was moved.
  package func displace(_ paths: [RelativePath]) throws -> [MovedAway] {
    try folder.checkMarker()
    let editor = TreeEditor(folder, batch: batch)
    for path in paths.map(BeneathPath.init) {
      guard let status = try editor.status(path), status.kind != .directory else { continue }
      try editor.moveAway(path, to: .displaced)
    }
    try editor.makeDurable()
    return editor.movedAway
  }
}
