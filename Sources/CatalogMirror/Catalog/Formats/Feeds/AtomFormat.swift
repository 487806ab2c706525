import SyncText

/// A feed in Atom (RFC 4287): the links `enclosure` of its entries, or else what Media RSS names.
///
/// A feed is a window: it tells what has changed, and what it doesn't name is as it was. Entries
/// that it says are deleted (RFC 6721) go, with the first nine of their files of each kind: it
/// doesn't say which they had. Only a feed that says that it is complete, or whose
/// archives were read to the last (RFC 5005), is whole. An entry has the name of its `id`. Of an
/// entry that comes on two pages, the first counts.
struct AtomFormat: CatalogFormat {
  let name = CatalogFormatName.atom
  let noun = "a feed in Atom"

  func recognises(_ body: CatalogBody) -> Bool {
    body.markup?.isRoot("feed", namespace: FeedNamespace.atom) ?? false
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    let feed = try body.xml(expected: name)
    guard feed.root.isCalled("feed", in: FeedNamespace.atom) else {
      throw body.unreadable(expected: .format(name))
    }
    var page = CatalogPage(format: name, claim: .changes)
    page.terms.repetition = .ofOlderEntries
    var (head, count) = (FeedHead(), 0)
    let base = body.url.based(on: feed.root)
    try feed.forEach { element throws(CatalogError) in
      if element.isCalled("entry", in: FeedNamespace.atom) {
        FeedItem(atom: element).add(to: &page, base: base.based(on: element), catalog: body.url)
      } else if element.isCalled("deleted-entry", in: FeedNamespace.tombstones) {
        page.removed += Self.keys(ofDeleted: element)
      } else {
        return head.take(element)
      }
      count += 1
      try body.checkCount(max(count, page.count), limits)
    }
    if head.isWhole { (page.claim, page.removed) = (.whole, []) }
    page.header.title = head.title
    page.next = head.following.map { CatalogRequest($0) }
    return page
  }

  private static func keys(ofDeleted entry: MarkupElement) -> [CatalogKey] {
    guard let identifier = entry.attribute("ref")?.withoutOuterWhitespace, !identifier.isEmpty
    else {
      return []
    }
    return FileNumbering.keys(of: ItemName.of(identifier))
  }
}

extension FeedItem {
  fileprivate init(atom entry: MarkupElement) {
    identifier = entry.first("id", in: FeedNamespace.atom)?.text
    title = entry.first("title", in: FeedNamespace.atom)?.text
    date = entry.first("updated", in: FeedNamespace.atom)?.text
    published = entry.first("published", in: FeedNamespace.atom)?.text
    image = entry.mediaImage
    let enclosures = entry.all("link", in: FeedNamespace.atom).compactMap { link in
      link.attribute("rel") == "enclosure"
        ? link.attribute("href").map {
          File(url: $0, type: link.attribute("type"), length: link.attribute("length"))
        } : nil
    }
    files = enclosures.isEmpty ? entry.mediaFiles : enclosures
  }
}

extension URLReference {
  /// What relative addresses in an element start from (XML Base).
  func based(on element: MarkupElement) -> URLReference {
    element.attribute("base", in: FeedNamespace.xml).flatMap {
      URLReference($0.withoutOuterWhitespace)
    }
    .map { $0.resolved(against: self) } ?? self
  }
}

/// RSS 2.0, and podcasts in it: the enclosures of its items, or else what Media RSS names.
///
/// A feed is a window: it tells what is new, and what it doesn't name is as it was. Only a feed
/// that says that it is complete, or whose archives were read to the last (RFC 5005), is whole. An
/// item has the name of its `guid`, without one that of its file's address; what has no file isn't
/// mirrored, and counted. Of an item that comes on two pages, the first counts.
struct RSSFormat: CatalogFormat {
  let name = CatalogFormatName.rss
  let noun = "a feed in RSS"

  func recognises(_ body: CatalogBody) -> Bool { body.markup?.root == "rss" }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    let document = try body.xml(expected: name)
    guard document.root.name == "rss" else { throw body.unreadable(expected: .format(name)) }
    var page = CatalogPage(format: name, claim: .changes)
    page.terms.repetition = .ofOlderEntries
    var (head, count) = (FeedHead(), 0)
    let hasChannel = try document.forEach(inFirst: "channel") { element throws(CatalogError) in
      guard element.isCalled("item", in: "") else { return head.take(element) }
      count += 1
      FeedItem(rss: element).add(to: &page, base: body.url, catalog: body.url)
      try body.checkCount(max(count, page.count), limits)
    }
    guard hasChannel else { throw body.unreadable(expected: .format(name)) }
    if head.isWhole { page.claim = .whole }
    page.header.title = head.title
    page.next = head.following.map { CatalogRequest($0) }
    return page
  }
}

extension FeedItem {
  fileprivate init(rss item: MarkupElement) {
    identifier = item.first("guid")?.text
    title = item.first("title")?.text
    date = item.first("pubDate")?.text
    image = item.mediaImage
    let enclosures = item.all("enclosure").compactMap { enclosure in
      enclosure.attribute("url").map {
        File(url: $0, type: enclosure.attribute("type"), length: enclosure.attribute("length"))
      }
    }
    files = enclosures.isEmpty ? item.mediaFiles : enclosures
  }
}

struct FeedHead {
  private(set) var title: String?
  private(set) var next: String?
  private var archive: String?
  private var isComplete = false
  private var isArchive = false

  /// Takes an element of the feed that is no item.
  mutating func take(_ element: MarkupElement) {
    switch (element.name, element.namespace) {
    case ("title", ""), ("title", FeedNamespace.atom): title = title ?? element.text
    case ("link", FeedNamespace.atom):
      switch element.attribute("rel") {
      case "next": next = next ?? element.attribute("href")
      case "prev-archive": archive = archive ?? element.attribute("href")
      default: break
      }
    case ("complete", FeedNamespace.history): isComplete = true
    case ("archive", FeedNamespace.history): isArchive = true
    default: break
    }
  }

  /// How a feed goes on (RFC 5005): through its archives, where it has any.
  var following: String? { archive ?? next }

  /// Whether it is whole as far as it says. A complete feed is (RFC 5005, section 2); an archived
  /// one is where each page to the last one is an archive (section 4); a paged one may always lack
  /// something (section 3).
  var isWhole: Bool { isComplete || isArchive || archive != nil }
}
