package import SyncFiles

extension MirrorFolder {
  /// Gives the file at `path` another modification date, in seconds since 1970, if it is as it was
  /// left.
  ///
  /// - Returns: the state that it is in then; `nil` for a file in another state, and where this
  ///   user or the file system doesn't let a date be set.
  package func setModified(
    _ path: RelativePath, leftAs stamp: FileStamp, to seconds: Double
  ) throws -> FileStamp? {
    // A date that no file system keeps is no date.
    guard let nanoseconds = Int64(exactly: (seconds * 1_000_000_000).rounded(.down)) else {
      return nil
    }
    let path = BeneathPath(path)
    do {
      let file = try open(path, [.reading, .withoutWaiting])
      guard stamp.matches(try file.status()) else { return nil }
      try file.setModified(nanoseconds: nanoseconds)
      return try file.status().stamp
    } catch  where error.meansNoWay || [.notPermitted, .noRights, .readOnly].contains(error) {
      return nil
    } catch { throw FolderError(error, path) }
  }
}
