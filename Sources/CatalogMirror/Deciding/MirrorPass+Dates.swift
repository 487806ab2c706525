import SyncFiles

/// Dates that the catalog has changed, and nothing else of a file.
extension MirrorPass {
  /// A file that gets the date that its entry has by now, if it is as it was left.
  struct Redating: Equatable, Sendable {
    var key: CatalogKey
    var stamp: FileStamp
    /// In seconds since 1970.
    var modified: Double
  }

  /// Bytes that are held stay: if the catalog has another date for them by now, they get it.
  mutating func redate(_ entry: CatalogEntry) {
    guard let held = view.held(.key(entry.key)), let content = held.content,
      let modified = entry.modified, modified != held.entry.modified
    else { return }
    unrecorded.redated.append(
      Redating(key: entry.key, stamp: content.stamp, modified: modified))
  }
}
