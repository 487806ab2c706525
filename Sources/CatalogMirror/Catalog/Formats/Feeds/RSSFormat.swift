import SyncText

/// RSS 2.0, and podcasts in it: the enclosures of its items, or else what Media RSS names.
///
/// A feed is a window: it tells what is new, and what it doesn't name is as it was. Only a feed
/// that says that it is complete, or whose archives were read to the last (RFC 5005), is whole. An
/// item has the name of its `guid`, without one that of its file's address; what has no file isn't
/// mirrored, and counted. Of an item that comes on two pages, the first counts.
package struct RSSFormat: CatalogFormat {
  package let name = CatalogFormatName.rss
  package let noun = "a feed in RSS"

  package func recognises(_ body: CatalogBody) -> Bool { body.markup?.root == "rss" }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    let document = try body.xml(expected: name)
    guard document.root.name == "rss" else { throw body.unreadable(expected: .format(name)) }
    var page = CatalogPage(format: name, claim: .changes)
    page.repetition = .ofOlderEntries
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

extension CatalogFormatName {
  package static let rss = Self("rss")
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
