import SyncText

/// A sitemap (sitemaps.org, protocol 0.9), or an index of several, packed in gzip or not.
///
/// It can't say that it names everything: whole only by a person's word. Files have the path of
/// their address. An address that is a page and, with a slash, has others below it is a key that
/// can't stand beside theirs.
package struct SitemapFormat: CatalogFormat {
  package let name = CatalogFormatName.sitemap
  package let noun = "a sitemap"

  package func recognises(_ body: CatalogBody) -> Bool {
    guard let markup = body.markup else { return false }
    return markup.isRoot("urlset", namespace: SitemapDocument.namespace)
      || markup.isRoot("sitemapindex", namespace: SitemapDocument.namespace)
  }

  package func firstRequest(to catalog: URLReference) -> CatalogRequest {
    Self.request(catalog.text)
  }

  /// The request for a sitemap, which is packed where its name says so.
  private static func request(_ url: String) -> CatalogRequest {
    var request = CatalogRequest(url)
    request.isPacked = URLReference(url)?.path.hasSuffix(".gz") ?? false
    return request
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    var page = CatalogPage(format: name, claim: .unvouchable)
    try SitemapDocument(body, expected: name).read(limits) { head, place throws(CatalogError) in
      guard head.isIndex else { return page.take(place, of: body) }
      guard let url = place.url else { throw body.unreadable(expected: .format(name)) }
      page.parts.append(Self.request(url))
    }
    return page
  }
}

extension CatalogFormatName {
  package static let sitemap = Self("sitemap")
}
