import SyncText

/// What a directory's page says of one thing in it: a link, and a date and a size where it has
/// them.
struct DirectoryRow {
  /// The link as written.
  var href: String
  /// The date as written, and what it says.
  var date: (text: String, stamp: ListingDate)?
  var size: ListedSize?
  /// Whether what the row says is of a link and not of what it leads to, so that it proves nothing.
  var isLink = false
  /// Whether it is a directory, where the row says so beside its link.
  var isDirectory: Bool?

  func entry(_ key: CatalogKey, at url: String, listedAt listed: Double?) -> ListedEntry {
    var entry = CatalogEntry(key: key, locators: [url])
    guard !isLink else { return .entry(entry, settled: false) }
    entry.size = size?.exact
    entry.estimatedSize = size?.estimate
    entry.modified = date?.stamp.modified
    if date != nil || entry.size != nil {
      entry.version = .dateAndSize(date: date?.text, size: entry.size)
    }
    let isSettled = date?.stamp.isSettled(listedAt: listed) ?? false
    return .entry(entry, settled: isSettled)
  }
}
