/// Any page in HTML whose links are files and directories: the last resort for a server that no
/// other format knows, and only by name.
///
/// Links to what lies below the page's own directory count (RFC 3986; the page's `base` is heeded);
/// those to the directory itself, above it or elsewhere don't. What lies below another thing that
/// the page lists is that one's. Nothing tells a list from a page about something else: never whole
/// by itself, only by a person's word; and the page has to end with `</html>`. Neither date nor
/// size is known: each item is asked for with its own validator. A link without a slash may lead to
/// a directory all the same; who fetches the page finds out (``CatalogSource``).
struct AnyListingFormat: CatalogFormat {
  let name = CatalogFormatName.listing
  let noun = "a page in HTML with links to what is below it"

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    guard body.kind == .html else { throw body.unreadable(expected: .format(name)) }
    guard HTMLEnding(of: body.bytes).isWhole else {
      throw body.unreadable(expected: .format(name), found: .cutPage)
    }
    let charset = HTMLReader.Charset(of: body.bytes)
    let links = LinkReader { facts in
      DirectoryPage(
        CatalogPage(format: name, claim: .unvouchable), of: body,
        at: DirectoryPlace(anyPage: body, base: facts.base), in: charset, within: limits)
    }
    let read = HTMLReader.read(body.bytes, in: charset, by: links)
    guard let (html, reader) = read, html.outline.isClosed else {
      throw body.unreadable(expected: .format(name))
    }
    let page = reader.page ?? reader.makePage(html.facts)
    page.settleDirectories()
    return try page.finish()
  }
}

private struct LinkReader: HTMLListReader {
  let lists: [HTMLName: HTMLParts] = [.a: .itself]
  let makePage: (HTMLFacts) -> DirectoryPage
  /// `nil` where no link was met.
  private(set) var page: DirectoryPage?

  init(_ makePage: @escaping (HTMLFacts) -> DirectoryPage) {
    self.makePage = makePage
  }

  mutating func take(_ link: HTMLNode, of list: HTMLName, _ facts: HTMLFacts) {
    if page == nil { page = makePage(facts) }
    if let href = link.attribute(.href) { page?.take(DirectoryRow(href: href)) }
  }
}
