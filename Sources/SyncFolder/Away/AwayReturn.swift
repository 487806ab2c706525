import SyncFiles
package import SyncText

/// Brings files back into the tree that were moved out of it.
///
/// Each goes in one step, a rename, to where it was, or beside it if something stands there;
/// nothing is written over or moved away for it. A crash leaves each file either where it lay or
/// where it was to go. Only under the folder's lock; all calls block.
package struct AwayReturn: Sendable {
  private let folder: MirrorFolder

  /// For a folder that is held open and locked.
  package init(_ folder: MirrorFolder) {
    self.folder = folder
  }

  /// What became of a file that was to come back.
  package enum Outcome: Equatable, Sendable {
    /// It stands there now: at its own path, or at one beside it.
    case back(at: ByteString)
    /// It lay there no longer.
    case gone
    /// It lies where it lay.
    case failed(FolderError)
  }

  /// Brings files back, makes that durable, and gives what became of each, in their order.
  ///
  /// - Throws: ``FolderError``, when the folder was unmounted or replaced, and nothing was moved;
  ///   or when the disk couldn't keep what was done.
  package func bringBack(_ files: [AwayFile]) throws -> [Outcome] {
    try folder.checkMarker()
    let editor = TreeEditor(folder, batch: "")
    let outcomes = files.map { Self.bringBack($0, with: editor) }
    // Before the places where they lay: a file is never known to be gone here and not yet there.
    try editor.makeDurable()
    var emptied: Set<BeneathPath> = []
    for directory in files.map(\.place.parent) where emptied.insert(directory).inserted {
      try editor.removeEmptyDirectories(upFrom: directory)
    }
    try editor.makeDurable()
    return outcomes
  }

  private static func bringBack(_ file: AwayFile, with editor: TreeEditor) -> Outcome {
    let path = BeneathPath(checked: file.key.bytes)
    do {
      guard path.top != .control || path == .control else {
        return .failed(FolderError(.controlFolder, path.description))
      }
      for target in ReturnName.candidates(for: path, of: file.batch) {
        switch try move(file, to: target, with: editor) {
        case .exists: continue
        case .absent: return .gone
        case nil: return .back(at: ByteString(bytes: target.bytes))
        case let errno?: throw FolderError.making(errno, target)
        }
      }
      return .failed(FolderError(.contested, path.description))
    } catch let error as FolderError {
      return .failed(error)
    } catch {
      return .failed(FolderError(.failed, path.description, reason: "\(error)"))
    }
  }

  /// `nil` when it went well.
  private static func move(
    _ file: AwayFile, to target: BeneathPath, with editor: TreeEditor
  ) throws -> Errno? {
    try editor.requireOwn(target.parent)
    let parent = try editor.makeDirectory(target.parent, clearing: false)
    do throws(Errno) {
      let source = try editor.cache.directory(file.place.parent)
      try source.rename(file.place.name, to: parent, target.name, .intoEmptyPlace)
      editor.touched.insert(parent, at: target.parent)
      editor.touched.insert(source, at: file.place.parent)
      return nil
    } catch {
      return error
    }
  }
}
