import SyncFiles

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
