import SyncText

/// Any page in HTML whose links are files and directories: the last resort for a server that no
/// other format knows, and only by name.
///
/// Links to what lies below the page's own directory count (RFC 3986; the page's `base` is heeded);
/// those to the directory itself, above it or elsewhere don't. What lies below another thing that
/// the page lists is that one's. Nothing tells a list from a page about something else: never whole
/// by itself, only by a person's word; and the page has to end with `</html>`. Neither date nor
/// size is known: each item is asked for with its own validator. A link without a slash may lead to
/// a directory all the same; who fetches the page finds out (``CatalogSource``).
package struct AnyListingFormat: CatalogFormat {
  package let name = CatalogFormatName.listing
  package let noun = "a page in HTML with links to what is below it"

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    guard body.kind == .html else { throw body.unreadable(expected: .format(name)) }
    guard body.endsAsHTML else {
      throw body.unreadable(expected: .format(name), found: .cutPage)
    }
    let charset = HTMLReader.Charset(of: body.bytes)
    let found = HTMLReader.read(body.bytes, in: charset) { root in
      root.isClosed ? DirectoryRows(root, Self.rows) : nil
    }
    guard let found else { throw body.unreadable(expected: .format(name)) }
    try body.checkCount(found.rows.count, limits)
    var page = DirectoryPage(
      CatalogPage(format: name, claim: .unvouchable), of: body,
      at: DirectoryPlace(anyPage: body, base: found.base), in: charset)
    for row in found.rows { page.take(row) }
    page.settleDirectories()
    return try page.finish()
  }

  private static func rows(under root: HTMLNode) -> [DirectoryRow] {
    root.all(.a).compactMap { $0.attribute(.href).map { DirectoryRow(href: $0) } }
  }
}

extension CatalogFormatName {
  /// Any page with links to what is below it.
  package static let listing = Self("listing")
}
