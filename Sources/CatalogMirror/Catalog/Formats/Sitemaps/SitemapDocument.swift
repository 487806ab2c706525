import SyncText

/// A document in the form of a sitemap (sitemaps.org), with what ResourceSync (ANSI/NISO Z39.99)
/// adds to it.
struct SitemapDocument {
  static let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
  static let terms = "http://www.openarchives.org/rs/terms/"

  /// What a document says of itself, which stands before what it lists (the schema of `urlset` and
  /// `sitemapindex`).
  struct Head {
    let isIndex: Bool
    /// What ResourceSync says that it is, such as `resourcelist`.
    var capability: String?
    /// The attributes `at`, `from` and `until` of the whole.
    var at: String?
    var from: String?
    var until: String?
  }

  private let body: CatalogBody
  private let document: MarkupDocument
  private var head: Head

  /// The body as such a document, of which nothing is read but its first tag.
  init(_ body: CatalogBody, expected name: CatalogFormatName) throws(CatalogError) {
    self.body = body
    document = try body.xml(expected: name)
    let root = document.root
    guard root.name == "urlset" || root.name == "sitemapindex", root.namespace == Self.namespace
    else { throw body.unreadable(expected: .format(name)) }
    head = Head(isIndex: root.name == "sitemapindex")
  }

  /// Gives what it lists, one after the other, each with what the document has said of itself.
  ///
  /// - Returns: What it says of itself.
  @discardableResult
  func read(
    _ limits: CatalogLimits, _ take: (Head, SitemapPlace) throws(CatalogError) -> Void
  ) throws(CatalogError) -> Head {
    var (head, count) = (head, 0)
    let listed = head.isIndex ? "sitemap" : "url"
    try document.forEach { element throws(CatalogError) in
      if element.isCalled(listed, in: Self.namespace) {
        count += 1
        try body.checkCount(count, limits)
        try take(head, SitemapPlace(element))
      } else if count == 0, head.capability == nil, element.isCalled("md", in: Self.terms) {
        head.capability = element.attribute("capability")
        head.at = element.attribute("at")
        head.from = element.attribute("from")
        head.until = element.attribute("until")
      }
    }
    return head
  }
}

extension CatalogPage {
  /// Takes a resource of a sitemap as the next entry.
  mutating func take(_ place: SitemapPlace, of body: CatalogBody) {
    take(place.listed(body, from: body.url, count + 1), at: count + 1)
  }
}

/// An entry of a sitemap: a resource, or another document.
struct SitemapPlace {
  /// Its address; `nil` where it has none.
  let url: String?
  let copies: [String]
  let date: String?
  let capability: String?
  /// The digests with their algorithms, with blanks between.
  let hash: String?
  let length: String?
  let change: String?
  let changeDate: String?
  let from: String?
  let until: String?

  fileprivate init(_ element: MarkupElement) {
    let metadata = element.first("md", in: SitemapDocument.terms)
    url = element.first("loc", in: SitemapDocument.namespace)?.text
    copies = element.all("ln", in: SitemapDocument.terms)
      .filter { $0.attribute("rel") == "duplicate" }.compactMap { $0.attribute("href") }
    date = element.first("lastmod", in: SitemapDocument.namespace)?.text
    capability = metadata?.attribute("capability")
    hash = metadata?.attribute("hash")
    length = metadata?.attribute("length")
    change = metadata?.attribute("change")
    changeDate = metadata?.attribute("datetime") ?? date
    from = metadata?.attribute("from")
    until = metadata?.attribute("until")
  }

  /// The key of a resource: the path of its address, `index.html` where that is a directory, its
  /// query behind, and its host before where that isn't the list's.
  func key(from catalog: URLReference) -> CatalogKey? {
    guard let url, let address = URLReference(url)?.resolved(against: catalog),
      var bytes = PercentEncoding.decode(address.path.drop { $0 == "/" })
    else { return nil }
    if bytes.isEmpty || bytes.last == UInt8(ascii: "/") { bytes += "index.html".utf8 }
    if let query = address.query { bytes += "?".utf8 + Array(query.utf8) }
    if address.authority != catalog.authority {
      bytes = Array((address.authority ?? "").utf8) + "/".utf8 + bytes
    }
    return CatalogKey(bytes: bytes)
  }

  func listed(_ body: CatalogBody, from catalog: URLReference, _ position: Int) -> ListedEntry {
    guard let key = key(from: catalog) else {
      return .unusable(UnusableEntry(position: position, key: nil, problem: .noKey))
    }
    return ListedEntry(key, at: position) { () throws(EntryProblem) in
      let entry = try entry(key, LocatorResolver(body))
      // Sitemaps often tell the day only.
      let date = date.flatMap { ListingDate(w3c: $0) }
      return (entry, entry.version.isSettled(date, listedAt: body.date))
    }
  }

  private func entry(
    _ key: CatalogKey, _ resolver: LocatorResolver
  ) throws(EntryProblem) -> CatalogEntry {
    var facts = VersionFacts()
    facts.date = date
    if let length {
      guard let size = Int64(length), size >= 0 else {
        throw .field(name: "length", expected: "a whole number of bytes")
      }
      facts.size = size
    }
    for digest in (hash ?? "").split(separator: " ") {
      switch DigestText(String(digest)) {
      case .sha256(let digest): facts.digest = digest
      case .other: facts.revision = String(digest)
      case .unreadable: throw .field(name: "hash", expected: "digests with their algorithms")
      }
    }
    let first = try resolver.address(url ?? "")
    var entry = CatalogEntry(
      key: key, locators: [first] + copies.compactMap { try? resolver.address($0) },
      version: facts.version)
    (entry.size, entry.sha256) = (facts.size, facts.digest)
    entry.modified = date.flatMap(CivilTime.rfc3339)
    return entry
  }
}

/// A sitemap (sitemaps.org, protocol 0.9), or an index of several, packed in gzip or not.
///
/// It can't say that it names everything: whole only by a person's word. Files have the path of
/// their address. An address that is a page and, with a slash, has others below it is a key that
/// can't stand beside theirs.
struct SitemapFormat: CatalogFormat {
  let name = CatalogFormatName.sitemap
  let noun = "a sitemap"

  func recognises(_ body: CatalogBody) -> Bool {
    guard let markup = body.markup else { return false }
    return markup.isRoot("urlset", namespace: SitemapDocument.namespace)
      || markup.isRoot("sitemapindex", namespace: SitemapDocument.namespace)
  }

  func firstRequest(to catalog: URLReference) -> CatalogRequest {
    Self.request(catalog.text)
  }

  /// The request for a sitemap, which is packed where its name says so.
  private static func request(_ url: String) -> CatalogRequest {
    var request = CatalogRequest(url)
    request.packing = URLReference(url)?.path.hasSuffix(".gz") ?? false ? .gzip : nil
    return request
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    var page = CatalogPage(format: name, claim: .unvouchable)
    try SitemapDocument(body, expected: name).read(limits) { head, place throws(CatalogError) in
      guard head.isIndex else { return page.take(place, of: body) }
      guard let url = place.url else { throw body.unreadable(expected: .format(name)) }
      page.parts.append(Self.request(url))
    }
    return page
  }
}
