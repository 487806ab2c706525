import SyncText

/// Any page in HTML whose links are files and directories: the last resort for a server that no
/// other format knows, and only by name.
///
/// Only links to what lies directly below the page's own directory count (RFC 3986; the page's
/// `base` is heeded): those with a query or a fragment, to the directory itself, above it or
/// elsewhere are ignored, and one that stands there twice counts once. Nothing tells a list from a
/// page about something else: never whole by itself, only by a person's word; and the page has to
/// end with `</html>`. Neither date nor size is known: each item is asked for with its own
/// validator.
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
    var directory = body
    directory.url = URLReference("./")?.resolved(against: body.url) ?? body.url
    let found = HTMLReader.read(body.bytes, in: .init(of: body.bytes)) { root in
      Self.names(under: root, body)
    }
    guard let found else { throw body.unreadable(expected: .format(name)) }
    try body.checkCount(found.count, limits)
    var page = CatalogPage(format: name, claim: .unvouchable)
    for href in found { DirectoryRow(href: href).add(to: &page, body: directory) }
    return page
  }

  /// The last components of what lies directly below, as written, each name once.
  private static func names(under root: HTMLNode, _ body: CatalogBody) -> [String]? {
    guard let here = URLReference("./")?.resolved(against: body.url) else { return nil }
    let written = root.all("base").lazy.compactMap { $0.attribute("href") }.first
    let base = written.flatMap { URLReference($0) }?.resolved(against: body.url) ?? body.url
    var seen: Set<[UInt8]> = []
    return root.all("a").compactMap { anchor in
      guard let href = anchor.attribute("href"), let name = name(href, base, below: here),
        let bytes = PercentEncoding.decode(name), seen.insert(bytes).inserted
      else { return nil }
      return name
    }
  }

  private static func name(
    _ href: String, _ base: URLReference, below here: URLReference
  ) -> String? {
    let trimmed = href.withoutOuterWhitespace
    guard !trimmed.contains("?"), !trimmed.contains("#"),
      let url = URLReference(String(trimmed))?.resolved(against: base),
      url.scheme == here.scheme, url.authority == here.authority, url.path.hasPrefix(here.path)
    else { return nil }
    let name = url.path.dropFirst(here.path.count)
    return name.isEmpty || name.dropLast().contains("/") ? nil : String(name)
  }
}

extension CatalogFormatName {
  /// Any page with links to what is below it.
  package static let listing = Self("listing")
}
