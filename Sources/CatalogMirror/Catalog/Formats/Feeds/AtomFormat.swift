import SyncText

/// A feed in Atom (RFC 4287): the links `enclosure` of its entries, or else what Media RSS names.
///
/// A feed is a window: it tells what has changed, and what it doesn't name is as it was. Entries
/// that it says are deleted (RFC 6721) go, with the first nine of their files of each kind: it
/// doesn't say which they had. Only a feed that says that it is complete, or whose
/// archives were read to the last (RFC 5005), is whole. An entry has the name of its `id`. Of an
/// entry that comes on two pages, the first counts.
package struct AtomFormat: CatalogFormat {
  package let name = CatalogFormatName.atom
  package let noun = "a feed in Atom"

  package func recognises(_ body: CatalogBody) -> Bool {
    body.markup?.isRoot("feed", namespace: FeedNamespace.atom) ?? false
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    let feed = try body.xml(expected: name)
    guard feed.root.isCalled("feed", in: FeedNamespace.atom) else {
      throw body.unreadable(expected: .format(name))
    }
    var page = CatalogPage(format: name, claim: .changes)
    page.repetition = .ofOlderEntries
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

extension CatalogFormatName {
  package static let atom = Self("atom")
}

extension FeedItem {
  fileprivate init(atom entry: MarkupElement) {
    identifier = entry.first("id", in: FeedNamespace.atom)?.text
    title = entry.first("title", in: FeedNamespace.atom)?.text
    date = entry.first("updated", in: FeedNamespace.atom)?.text
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
