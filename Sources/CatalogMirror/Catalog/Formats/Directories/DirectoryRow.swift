import SyncFolder
import SyncText

/// What a directory's page says of one thing in it: a link, and a date and a size where it has
/// them.
struct DirectoryRow {
  /// The link as written, with a closing slash for a directory.
  var href: String
  /// The date as written, and what it says.
  var date: (text: String, stamp: ListingDate)?
  /// The size of a file.
  var size: ListedSize?
  /// Whether what the row says is of a link and not of what it leads to, so that it proves nothing.
  var isLink = false

  /// Adds what the row is to a page. A name is one segment: the directory itself, its parent, a
  /// query, a path or another host is none of this directory's and is ignored. A file that a
  /// publisher keeps to himself is passed over, and counted.
  func add(
    to page: inout CatalogPage, body: CatalogBody, fields: [CatalogRequest.Field] = []
  ) {
    // Some servers write it before a name with a colon, or before each.
    let own = href.hasPrefix("./") ? href.dropFirst(2) : href[...]
    let isDirectory = own.hasSuffix("/")
    let segment = isDirectory ? own.dropLast() : own
    guard !segment.contains("?"), !segment.contains("#"),
      let name = PercentEncoding.decode(segment), DirectoryName.isInside(name)
    else { return }
    if isDirectory {
      // Where this is no URL, it can't be fetched, as any directory that can't be read.
      var request = CatalogRequest(body.url.appending(encodedName: String(own)).text)
      request.fields = fields
      page.subdirectories.append(.init(request, name: name))
      return
    }
    guard !PublishedNames.isState(name) else { return page.states += 1 }
    page.entries.append(file(named: name, at: own, page.entries.count + 1, body))
  }

  private func file(
    named name: [UInt8], at href: Substring, _ position: Int, _ body: CatalogBody
  ) -> ListedEntry {
    let key = CatalogKey(bytes: name)
    guard let path = URLReference("./" + href)?.path.dropFirst(2) else {
      return .unusable(
        UnusableEntry(position: position, key: key, problem: .locator(.notAURL)))
    }
    let url = body.url.appending(encodedName: String(path)).text
    var entry = CatalogEntry(key: key, locators: [url])
    guard !isLink else { return .entry(entry, settled: false) }
    entry.size = size?.exact
    entry.estimatedSize = size?.estimate
    entry.modified = date?.stamp.modified
    if date != nil || entry.size != nil {
      entry.version = .dateAndSize(date: date?.text, size: entry.size)
    }
    let isSettled = date?.stamp.isSettled(listedAt: body.date) ?? false
    return .entry(entry, settled: isSettled)
  }
}

/// A name in a directory's listing.
enum DirectoryName {
  /// Whether it names something in that very directory, and not the directory, its parent or
  /// something elsewhere.
  static func isInside(_ name: [UInt8]) -> Bool {
    !name.isEmpty && !name.contains(UInt8(ascii: "/")) && !name.elementsEqual(".".utf8)
      && !name.elementsEqual("..".utf8)
  }
}

extension CatalogBody {
  /// The page of a directory in HTML, which comes to its end and has these rows.
  func directoryPage(
    by format: some CatalogFormat, within limits: CatalogLimits,
    _ read: (HTMLNode) -> [DirectoryRow]?
  ) throws(CatalogError) -> CatalogPage {
    guard endsAsHTML else {
      throw unreadable(
        expected: .format(format.name), found: format.recognises(self) ? .cutPage : nil)
    }
    guard let rows = HTMLReader.read(bytes, read) else {
      throw unreadable(expected: .format(format.name))
    }
    try checkCount(rows.count, limits)
    var page = CatalogPage(format: format.name, claim: .whole)
    for row in rows { row.add(to: &page, body: self) }
    return page
  }
}
