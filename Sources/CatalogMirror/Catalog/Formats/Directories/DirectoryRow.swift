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

/// The rows of a page in HTML, and where its links start from.
struct DirectoryRows {
  var rows: [DirectoryRow]
  /// What the page's `base` says.
  var base: String?

  /// The rows that a page has; `nil` where it isn't what it should be.
  init?(_ root: HTMLNode, _ read: (HTMLNode) -> [DirectoryRow]?) {
    guard let rows = read(root) else { return nil }
    self.rows = rows
    base = root.base
  }
}

extension CatalogBody {
  /// The page of a directory in HTML, which comes to its end and has these rows.
  func directoryPage(
    by format: some CatalogFormat, within limits: CatalogLimits,
    _ read: (HTMLNode) -> [DirectoryRow]?
  ) throws(CatalogError) -> CatalogPage {
    guard endsAsHTML, closesListsOnce else {
      throw unreadable(
        expected: .format(format.name), found: format.recognises(self) ? .cutPage : nil)
    }
    let charset = HTMLReader.Charset(of: bytes)
    guard let found = HTMLReader.read(bytes, in: charset, { DirectoryRows($0, read) }) else {
      throw unreadable(expected: .format(format.name))
    }
    return try page(of: found.rows, by: format, limits, base: found.base, in: charset)
  }

  /// The page of these rows.
  func page(
    of rows: [DirectoryRow], by format: some CatalogFormat, _ limits: CatalogLimits,
    claim: CompletenessClaim = .whole, base: String? = nil,
    in charset: HTMLReader.Charset = .utf8, fields: [CatalogRequest.Field] = []
  ) throws(CatalogError) -> CatalogPage {
    try checkCount(rows.count, limits)
    var page = DirectoryPage(
      CatalogPage(format: format.name, claim: claim), of: self,
      at: DirectoryPlace(self, base: base), in: charset, fields: fields)
    for row in rows { page.take(row) }
    return try page.finish()
  }
}
