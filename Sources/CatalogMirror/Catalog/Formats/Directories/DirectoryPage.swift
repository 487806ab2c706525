import SyncFolder
import SyncText

/// A directory's page, as its rows are taken one after the other.
final class DirectoryPage {
  private(set) var page: CatalogPage
  private let body: CatalogBody
  private let place: DirectoryPlace
  private let limits: CatalogLimits
  /// How many rows were taken; those past the limit are only counted.
  private(set) var rows = 0
  private let fields: [CatalogRequest.Field]
  /// What bytes the page's characters are, where it isn't in UTF-8.
  private let charset: HTMLReader.Charset
  /// Where the file of a name stands among the entries, and the directory among the others.
  private var files: [CatalogKey: Int] = [:]
  private var directories: [CatalogKey: Int] = [:]
  /// Each date once: files that were made together bear the same.
  private var dates: Set<String> = []
  /// How many links lead to what is neither in the directory nor above it, and how many don't.
  private var outside = 0
  private var inside = 0

  init(
    _ page: CatalogPage, of body: CatalogBody, at place: DirectoryPlace,
    in charset: HTMLReader.Charset = .utf8, fields: [CatalogRequest.Field] = [],
    within limits: CatalogLimits = CatalogLimits()
  ) {
    self.page = page
    self.body = body
    self.place = place
    self.limits = limits
    self.charset = charset
    self.fields = fields
  }

  /// Takes the next row. A link to the page itself, above it or to nowhere lists nothing. In a
  /// known server's list, nothing else leads elsewhere on its own host.
  func take(_ row: DirectoryRow) {
    rows += 1
    guard !Task.isCancelled, rows <= limits.entries else { return }
    let href = charset == .bytes ? row.href.encodingItsBytes : row.href
    switch place.target(of: href) {
    case .nothing: return
    case .outside(let isOtherHost):
      outside += 1
      if !isOtherHost, page.format != .listing { page.notes.unreadLinks.add(href) }
    case .unclear:
      inside += 1
      page.notes.unreadLinks.add(href)
    case .below(let item):
      inside += 1
      guard row.isDirectory ?? item.isDirectory == item.isDirectory else {
        return page.notes.unreadLinks.add(href)
      }
      if item.isDirectory { takeDirectory(item, href) } else { takeFile(item, row, href) }
    }
  }

  func take(notAFile name: [UInt8]) {
    inside += 1
    page.entries.append(
      .unusable(
        UnusableEntry(
          position: page.entries.count + 1, key: CatalogKey(bytes: name), problem: .notAFile)))
  }

  /// Whether a link leads to the page itself, above it, or to no address at all.
  func leadsNowhere(_ href: String) -> Bool {
    if case .nothing = place.target(of: href) { true } else { false }
  }

  /// The page, when all rows were taken.
  ///
  /// - Throws: where they are more than there may be, or all its links lead out of the directory,
  ///   so that it is another one's.
  func finish() throws(CatalogError) -> CatalogPage {
    guard rows <= limits.entries else {
      throw .limit(url: body.url.redacted, .entries, most: limits.entries)
    }
    guard inside > 0 || outside == 0 else {
      throw body.unreadable(expected: .format(page.format), found: .linksElsewhere)
    }
    return page
  }

  private func takeDirectory(_ item: DirectoryPlace.Item, _ href: String) {
    let key = CatalogKey(bytes: item.name)
    if let index = directories[key] {
      let before = page.subdirectories[index].request.url
      guard !Self.isSame(before, item.url) else { return }
      // One of them may only ask for another order.
      guard Self.isSame(before, item.url, withoutQuery: true) else {
        return page.notes.unreadLinks.add(href)
      }
      if !item.url.contains("?") { page.subdirectories[index].request.url = item.url }
      return
    }
    guard String(validating: item.name, as: UTF8.self) != nil else {
      let position = page.entries.count + 1
      return page.entries.append(
        .unusable(UnusableEntry(position: position, key: key, problem: .key(.notUTF8))))
    }
    directories[key] = page.subdirectories.count
    var request = CatalogRequest(item.url)
    request.fields = fields
    page.subdirectories.append(.init(request, name: item.name))
  }

  /// A file that a publisher keeps to himself is passed over, and counted.
  private func takeFile(
    _ item: DirectoryPlace.Item, _ row: DirectoryRow, _ href: String
  ) {
    guard !PublishedNames.isState(item.name) else { return page.notes.states += 1 }
    let key = CatalogKey(bytes: item.name)
    if let index = files[key] {
      return takeAgain(entry(key, item, row), at: index, href)
    }
    files[key] = page.entries.count
    page.entries.append(entry(key, item, row))
  }

  private func entry(
    _ key: CatalogKey, _ item: DirectoryPlace.Item, _ row: DirectoryRow
  ) -> ListedEntry {
    var row = row
    if let text = row.date?.text { row.date?.text = dates.insert(text).memberAfterInsert }
    return row.entry(key, at: item.url, in: place.entryPlace, listedAt: body.date)
  }

  /// Takes a file that is listed already: what doesn't contradict is one.
  private func takeAgain(_ entry: ListedEntry, at index: Int, _ href: String) {
    let before = page.entries[index]
    guard case .entry(var again, let isSettled) = entry, case .entry(let first, _) = before,
      let url = again.locators.first, before.isAt(url)
    else { return page.notes.unreadLinks.add(href) }
    again.locators = first.locators
    guard let joined = before.joined(with: .entry(again, settled: isSettled)) else {
      return page.notes.unreadLinks.add(href)
    }
    page.entries[index] = joined
  }

  fileprivate static func isSame(_ one: String, _ other: String, withoutQuery: Bool = false) -> Bool
  {
    guard one != other, let one = URLReference(one), let other = URLReference(other) else {
      return one == other
    }
    guard withoutQuery else { return one.normalized == other.normalized }
    return one.withoutQuery.normalized == other.withoutQuery.normalized
  }
}

extension ListedEntry {
  fileprivate func isAt(_ url: String) -> Bool {
    guard case .entry(let entry, _) = self, let locator = entry.locators.first else { return false }
    return DirectoryPage.isSame(locator, url)
  }
}

extension String {
  /// The same, of characters that are a byte each, with those beyond ASCII percent-encoded.
  fileprivate var encodingItsBytes: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    return unicodeScalars.map { scalar in
      scalar.value < 0x80 || scalar.value > 0xFF
        ? String(scalar) : "%" + Hexadecimal.upper(UInt8(scalar.value))
    }.joined()
  }
}

extension DirectoryPage {
  /// Of any page: what lies below another thing that it lists is that one's, which therefore is a
  /// directory, whether a slash says so or not.
  func settleDirectories() {
    let deep = page.entries.compactMap(\.key?.bytes) + page.subdirectories.map(\.name)
    let above = Set(deep.flatMap(Self.directoriesAbove))
    var kept: [ListedEntry] = []
    for entry in page.entries {
      guard let key = entry.key, case .entry(let file, _) = entry, let url = file.locators.first,
        above.contains(key.bytes), directories[key] == nil
      else {
        kept.append(entry)
        continue
      }
      directories[key] = page.subdirectories.count
      page.subdirectories.append(.init(url: url.prefix { $0 != "?" } + "/", name: key.bytes))
    }
    page.entries = kept.filter { entry in
      entry.key.map { directories[$0] == nil && !isListedAbove($0.bytes) } ?? true
    }
    page.subdirectories = page.subdirectories.filter { !isListedAbove($0.name) }
  }

  private func isListedAbove(_ name: [UInt8]) -> Bool {
    Self.directoriesAbove(name).contains { directories[CatalogKey(bytes: $0)] != nil }
  }

  private static func directoriesAbove(_ name: [UInt8]) -> [[UInt8]] {
    name.indices.filter { name[$0] == UInt8(ascii: "/") }.map { Array(name[..<$0]) }
  }
}

extension CatalogBody {
  /// The elements of a body that is one array, and has no more than may be listed.
  func rows(
    of name: CatalogFormatName, within limits: CatalogLimits
  ) throws(CatalogError) -> [JSONValue] {
    let value = try json(expected: name, limits)
    guard value.isArray else { throw unreadable(expected: .format(name)) }
    if value.holds(moreThan: limits.entries) {
      throw .limit(url: url.redacted, .entries, most: limits.entries)
    }
    return value.elements ?? []
  }
}
