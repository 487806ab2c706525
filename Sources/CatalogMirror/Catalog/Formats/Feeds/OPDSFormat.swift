import SyncText

/// A catalog of publications, OPDS 1.2 (in Atom) or 2.0 (in JSON), both at specs.opds.io.
///
/// The files are those that may be had at once: the acquisition links that are neither sold, lent
/// nor excerpts, and not another page of the catalog. A publication has the name of its
/// identifier, a file the extension of its media type. Pages are linked by `next`, and when that
/// chain has come to its end, the list is whole. Navigation isn't followed; a page that leads to
/// other lists, or shows groups of them, is therefore a window. Sizes are estimates.
struct OPDSFormat: CatalogFormat {
  let name = CatalogFormatName.opds
  let noun = "a catalog in OPDS"

  func recognises(_ body: CatalogBody) -> Bool {
    if body.mediaType == "application/opds+json" { return true }
    guard let markup = body.markup, markup.isRoot("feed", namespace: FeedNamespace.atom) else {
      return false
    }
    return String(decoding: body.opening, as: UTF8.self).contains("opds-spec.org")
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    let isJSON = body.opening.first == UInt8(ascii: "{")
    let page = try isJSON ? readJSON(body, limits) : readAtom(body, limits)
    try body.checkCount(page.count, limits)
    return page
  }

  private func readAtom(
    _ body: CatalogBody, _ limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    let feed = try body.xml(expected: name)
    guard feed.root.isCalled("feed", in: FeedNamespace.atom) else {
      throw body.unreadable(expected: .format(name))
    }
    var page = CatalogPage(format: name, claim: .whole)
    var (head, count) = (FeedHead(), 0)
    let base = body.url.based(on: feed.root)
    try feed.forEach { element throws(CatalogError) in
      guard element.isCalled("entry", in: FeedNamespace.atom) else { return head.take(element) }
      count += 1
      add(element, to: &page, base: base.based(on: element), of: body)
      try body.checkCount(max(count, page.count), limits)
    }
    page.header.title = head.title
    page.next = head.next.map { CatalogRequest($0) }
    return page
  }

  private func add(
    _ entry: MarkupElement, to page: inout CatalogPage, base: URLReference, of body: CatalogBody
  ) {
    let links = entry.all("link", in: FeedNamespace.atom).map { OPDSLink(atom: $0) }
    guard links.contains(where: \.isAcquisition) else {
      page.claim = .window
      return
    }
    var item = FeedItem(publication: links)
    item.identifier = entry.first("id", in: FeedNamespace.atom)?.text
    item.title = entry.first("title", in: FeedNamespace.atom)?.text
    item.date = entry.first("updated", in: FeedNamespace.atom)?.text
    item.add(to: &page, base: base, catalog: body.url)
  }

  private func readJSON(
    _ body: CatalogBody, _ limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    let document = try body.json(expected: name, limits)
    let lists = ["publications", "navigation", "groups"].map { document[Array($0.utf8)] }
    guard document["metadata"]?["title"]?.string != nil, lists.contains(where: { $0 != nil }),
      lists.allSatisfy({ $0?.isArray ?? true })
    else { throw body.unreadable(expected: .format(name)) }
    if lists.contains(where: { $0?.holds(moreThan: limits.entries) ?? false }) {
      throw .limit(url: body.url.redacted, .entries, most: limits.entries)
    }
    let leadsElsewhere = lists.dropFirst().contains { $0?.holds(moreThan: 0) ?? false }
    var page = CatalogPage(format: name, claim: leadsElsewhere ? .window : .whole)
    page.header.title = document["metadata"]?["title"]?.string
    let next = OPDSLink.all(in: document["links"]).first { $0.relations.contains("next") }
    page.next = next?.url.map { CatalogRequest($0) }
    for publication in lists[0]?.elements ?? [] {
      var item = FeedItem(publication: OPDSLink.all(in: publication["links"]))
      let metadata = publication["metadata"]
      item.identifier = metadata?["identifier"]?.string
      item.title = metadata?["title"]?.string
      item.date = metadata?["modified"]?.string
      // The smallest comes last.
      item.image = OPDSLink.all(in: publication["images"]).last?.url
      item.add(to: &page, base: body.url, catalog: body.url)
    }
    return page
  }
}

private struct OPDSLink {
  var relations: [String]
  /// `nil` for a template of addresses.
  var url: String?
  var type: String?
  var length: String?

  init(atom link: MarkupElement) {
    relations = link.attribute("rel").map { [$0] } ?? []
    url = link.attribute("href")
    type = link.attribute("type")
    length = link.attribute("length")
  }

  init(json link: JSONValue) {
    relations =
      (link["rel"]?.elements ?? link["rel"].map { [$0] } ?? []).compactMap(\.string)
    url = link["templated"]?.bool == true ? nil : link["href"]?.string
    type = link["type"]?.string
    length = link["size"]?.integer.map(String.init)
  }

  static func all(in list: JSONValue?) -> [OPDSLink] {
    (list?.elements ?? []).map { OPDSLink(json: $0) }
  }

  /// Whether it is a way to have the publication, or one of several steps to it.
  var isAcquisition: Bool {
    relations.contains { $0.hasPrefix("http://opds-spec.org/acquisition") }
  }

  var isFile: Bool {
    let open = [
      "http://opds-spec.org/acquisition", "http://opds-spec.org/acquisition/open-access",
    ]
    let isPage =
      type?.hasPrefix("application/atom+xml") ?? false
      || type?.hasPrefix("application/opds") ?? false
    return relations.contains(where: open.contains) && !isPage && url != nil
  }

  /// Of which size an image it is: a thumbnail before a cover.
  var imageRank: Int? {
    let ranks = [
      "http://opds-spec.org/image/thumbnail": 0, "http://opds-spec.org/thumbnail": 1,
      "http://opds-spec.org/image": 2, "http://opds-spec.org/cover": 3,
    ]
    return relations.compactMap { ranks[$0] }.min()
  }
}

extension FeedItem {
  fileprivate init(publication links: [OPDSLink]) {
    files = links.filter(\.isFile).map { File(url: $0.url ?? "", type: $0.type, length: $0.length) }
    image =
      links.filter { $0.imageRank != nil && $0.url?.hasPrefix("data:") == false }
      .min { ($0.imageRank ?? 0) < ($1.imageRank ?? 0) }?.url
  }
}
