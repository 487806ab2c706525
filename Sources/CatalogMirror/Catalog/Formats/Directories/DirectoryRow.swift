import SyncText

/// What a directory's page says of one thing in it: a link, and a date and a size where it has
/// them.
struct DirectoryRow {
  var href: String
  /// The date as written, and what it says.
  var date: (text: String, stamp: ListingDate)?
  var size: ListedSize?
  /// Whether what the row says is of a link and not of what it leads to, so that it proves nothing.
  var isLink = false
  /// Whether it is a directory, where the row says so beside its link.
  var isDirectory: Bool?

  /// The entry of a key at an address that was found on the page of a directory.
  func entry(
    _ key: CatalogKey, at url: String, in directory: EntryPlace.Directory, listedAt listed: Double?
  ) -> ListedEntry {
    // An address of its own would take 200 bytes more.
    let isPlain = URLReference.isPlainPath(key.bytes) && directory.isPlace(of: key, at: url)
    var entry =
      isPlain
      ? CatalogEntry(plainKey: key, in: directory, version: .unknown)
      : CatalogEntry(key: key, locators: [url])
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

extension EntryPlace.Directory {
  /// Whether an address is that of the directory, and then the key.
  fileprivate func isPlace(of key: CatalogKey, at url: String) -> Bool {
    let start = address.utf8
    return url.utf8.count == start.count + key.bytes.count && url.utf8.starts(with: start)
      && url.utf8.dropFirst(start.count).elementsEqual(key.bytes)
  }
}

extension DirectoryRow {
  /// A row whose date is of a zone that it doesn't name.
  init(href: String, local date: String, size: ListedSize?) {
    self.init(href: href, date: ListingDate(local: date).map { (date, $0) }, size: size)
  }
}
