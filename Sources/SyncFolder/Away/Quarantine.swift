package import SyncFiles
import SyncText

/// Moves files out of the mirrored tree that the catalog no longer has.
///
/// A removal can be undone until the quarantine is emptied: files keep their paths below
/// `.mirror/quarantine/<time of the run>/`. The caller marks the rows in its index before, and
/// removes them after. All calls block; they belong on the store's queue.
package struct Quarantine: Sendable {
  private let folder: MirrorFolder
  private let batch: String

  /// The quarantine of a run that began at `startedAt`, in seconds since 1970.
  package init(_ folder: MirrorFolder, startedAt: Double) {
    self.folder = folder
    batch = UTCStamp.text(startedAt)
  }

  package struct Removal: Sendable {
    package let path: RelativePath
    /// The state that we left it in: a file in another state was edited and is displaced instead.
    /// `nil` takes it in any state.
    package let stamp: FileStamp?

    package init(path: RelativePath, stamp: FileStamp?) {
      self.path = path
      self.stamp = stamp
    }
  }

  package enum Outcome: Sendable {
    /// It was moved away: to the quarantine, or, edited, to the displaced files.
    case moved(MovedAway)
    /// Nothing stood there, or something that is no file and thus none of ours; it was left alone.
    case notThere
    /// It was moved away, but a power cut may bring it back: where it is, only a later look can
    /// tell.
    case unsettled(MovedAway, FolderError)
    case failed(FolderError)
  }

  /// Moves files to the quarantine, removes the directories that this emptied, and makes it
  /// durable; gives what became of each, in their order.
  ///
  /// Throws only when the folder was unmounted or replaced; then nothing was moved.
  package func remove(_ removals: [Removal]) throws -> [Outcome] {
    try folder.checkMarker()
    let editor = TreeEditor(folder, batch: batch)
    var outcomes = removals.map { Self.remove($0, with: editor) }
    // One after the other as they come, so that two runs that do the same do it in the same order.
    var emptied: Set<BeneathPath> = []
    for directory in removals.map({ BeneathPath($0.path).parent })
    where emptied.insert(directory).inserted {
      try editor.removeEmptyDirectories(upFrom: directory)
    }
    do {
      try editor.makeDurable()
    } catch {
      outcomes = outcomes.map { outcome in
        if case .moved(let moved) = outcome { return .unsettled(moved, error) }
        return outcome
      }
    }
    return outcomes
  }

  private static func remove(_ removal: Removal, with editor: TreeEditor) -> Outcome {
    let path = BeneathPath(removal.path)
    do {
      try editor.requireOwn(path.parent)
      guard let status = try editor.status(path), status.kind == .file else { return .notThere }
      let isOurs = removal.stamp?.matches(status) ?? true
      let moved = try editor.moveAway(path, to: isOurs ? .quarantine : .displaced)
      return moved.map(Outcome.moved) ?? .notThere
    } catch let error as FolderError where error.code == .otherMirror {
      // What has become another mirror's is no longer there for us.
      return .notThere
    } catch let error as FolderError {
      return .failed(error)
    } catch {
      return .failed(FolderError(.failed, path.description, reason: "\(error)"))
    }
  }

  /// Deletes what was moved to the quarantine by runs that began longer than `age` ago, and says
  /// how many runs that were. `now` is in seconds since 1970.
  ///
  /// The time is the one in the name of a run's directory; anything named otherwise stays, and no
  /// link is followed.
  @discardableResult
  package static func purge(
    _ folder: MirrorFolder, olderThan age: Duration, now: Double
  ) throws -> Int {
    let area = AwayArea.quarantine.path
    let limit = now - Double(age.components.seconds)
    var count = 0
    do {
      for entry in try folder.list(area) where entry.kind == .directory {
        let name = String(decoding: entry.name, as: UTF8.self)
        guard let began = UTCStamp.seconds(String(name.prefix(16))), began < limit else { continue }
        try folder.removeTree(area.appending(entry.name))
        count += 1
      }
    } catch .absent {
      return count
    } catch { throw FolderError(error, area) }
    return count
  }
}
