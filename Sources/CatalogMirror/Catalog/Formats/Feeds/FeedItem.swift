import SyncText

/// What a feed says of one item, in whichever words.
struct FeedItem {
  struct File {
    var url: String
    var type: String?
    /// Feeds are wrong of it so often that nothing is checked with it.
    var length: String?
  }

  var identifier: String?
  var title: String?
  /// When it was published or changed last, as written.
  var date: String?
  /// When it was published, where that is said beside.
  var published: String?
  var image: String?
  var files: [File] = []

  /// Takes each of its files as an entry, at the next positions of the page; counts it if it has
  /// none. Without an identifier, its first file's address is what it is known by
  /// (``CatalogPage/dropQueries()``).
  ///
  /// - Parameters:
  ///   - page: What takes them.
  ///   - base: What relative addresses start from.
  ///   - catalog: The feed's own address.
  func add(to page: inout CatalogPage, base: URLReference, catalog: URLReference) {
    guard !Task.isCancelled else { return }
    guard !files.isEmpty else { return page.notes.fileless += 1 }
    let resolver = LocatorResolver(base: base, catalog: catalog)
    let written = files[0].url.withoutOuterWhitespace
    let address = (try? resolver.address(written)) ?? written
    let identifier = identifier.flatMap { $0.isEmpty ? nil : $0 }
    let name = ItemName.of(identifier ?? address)
    var numbering = FileNumbering(name)
    let first = page.entries.count
    for file in files {
      let key = numbering.key(MediaExtension.of(type: file.type, url: file.url))
      page.take(entry(file, key, resolver, page.count + 1), at: page.count + 1)
    }
    page.items.append(
      NamedItem(
        name: name, address: address, isNamedByAddress: identifier == nil,
        entries: first..<page.entries.count, identifier: identifier, title: title,
        date: published.flatMap(DateText.seconds) ?? date.flatMap(DateText.seconds)))
  }

  private func entry(
    _ file: File, _ key: CatalogKey, _ resolver: LocatorResolver, _ position: Int
  ) -> ListedEntry {
    ListedEntry(key, at: position) { () throws(EntryProblem) in
      let length = file.length.flatMap { Int64($0.withoutOuterWhitespace) }.flatMap {
        $0 > 0 ? $0 : nil
      }
      let version =
        date == nil && length == nil
        ? ItemVersion.unknown : .dateAndSize(date: date, size: length)
      var entry = CatalogEntry(
        key: key, locators: [try resolver.address(file.url.withoutOuterWhitespace)],
        version: version)
      entry.estimatedSize = length
      entry.modified = date.flatMap(DateText.seconds)
      entry.title = title
      entry.preview = image.flatMap { try? resolver.address($0.withoutOuterWhitespace) }.map {
        CatalogEntry.Preview(locator: $0, version: .revision($0))
      }
      // Another state may have the same length.
      return (entry, date != nil)
    }
  }
}

enum FeedNamespace {
  /// RFC 4287.
  static let atom = "http://www.w3.org/2005/Atom"
  /// RFC 5005.
  static let history = "http://purl.org/syndication/history/1.0"
  /// RFC 6721.
  static let tombstones = "http://purl.org/atompub/tombstones/1.0"
  static let media = "http://search.yahoo.com/mrss/"
  /// Podcasts, as Apple's directory has them.
  static let podcast = "http://www.itunes.com/dtds/podcast-1.0.dtd"
  /// XML's own attributes.
  static let xml = "http://www.w3.org/XML/1998/namespace"
}

extension MarkupElement {
  /// The files that Media RSS names in an item: of a group of the same in several forms, the first.
  var mediaFiles: [FeedItem.File] {
    let groups = all("group", in: FeedNamespace.media).compactMap { group in
      let contents = group.all("content", in: FeedNamespace.media)
      return contents.first { $0.attribute("isDefault") == "true" } ?? contents.first
    }
    return (all("content", in: FeedNamespace.media) + groups).compactMap { content in
      content.attribute("url").map {
        FeedItem.File(
          url: $0, type: content.attribute("type"), length: content.attribute("fileSize"))
      }
    }
  }

  var mediaImage: String? {
    let podcast = first("image", in: FeedNamespace.podcast)?.attribute("href")
    let places = [self] + all("group", in: FeedNamespace.media)
    return podcast
      ?? places.lazy.compactMap {
        $0.first("thumbnail", in: FeedNamespace.media)?.attribute("url")
      }.first
  }
}
