public import SyncFolder

extension FolderMirror {
  /// Makes sure that a path, which needn't exist, doesn't lead into the `.mirror` of a mirror,
  /// whatever links it goes through: what lies there is that mirror's, and some of it is removed in
  /// time. To be asked of where a program puts its own files, as a log.
  /// - Throws: `FolderError` with the code `insideMirror(of:)`.
  public static func requireOutsideMirrors(_ path: String) throws(FolderError) {
    try MirrorFolder.requireOutsideMirrors(path)
  }
}
