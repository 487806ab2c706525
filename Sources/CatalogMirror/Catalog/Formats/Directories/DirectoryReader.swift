import SyncText

/// Reads the lists of a page that may be a directory's, and finds the one that is.
struct DirectoryReader: HTMLListReader {
  private struct Candidate {
    let name: HTMLName
    var list: any DirectoryList
    var page: DirectoryPage

    mutating func take(_ part: HTMLNode) -> Bool { list.take(part, into: &page) }

    mutating func end(isShown: Bool) -> Bool { list.end(isShown: isShown, into: &page) }
  }

  let lists: [HTMLName: HTMLParts]
  private let server: ServerListing
  private let makePage: (HTMLFacts) -> DirectoryPage
  private var open: [Candidate] = []
  private var found: [Candidate] = []
  /// Whether what began as the server's list wasn't one.
  private var hasFailed = false
  private var counts: [Int] = []

  init(_ server: ServerListing, _ makePage: @escaping (HTMLFacts) -> DirectoryPage) {
    self.server = server
    self.makePage = makePage
    var lists = server.lists.mapValues(\.parts)
    if server.count != nil { lists[.span] = .itself }
    self.lists = lists
  }

  mutating func begin(_ list: HTMLNode, isOnBody: Bool, _ facts: HTMLFacts) -> Bool {
    guard let name = list.name, let kind = server.lists[name] else { return true }
    guard let reader = kind.reader(list, isOnBody, facts) else { return false }
    open.append(Candidate(name: name, list: reader, page: makePage(facts)))
    return true
  }

  mutating func take(_ part: HTMLNode, of list: HTMLName, _ facts: HTMLFacts) {
    if list == .span {
      if counts.count < 3, let count = server.count?(part) { counts.append(count) }
    } else if let index = index(of: list), !open[index].take(part) {
      open.remove(at: index)
      hasFailed = true
    }
  }

  /// Where the list of a name is that began last. Asked for each row, so that none may be copied.
  private func index(of list: HTMLName) -> Int? {
    open.indices.last { open[$0].name == list }
  }

  mutating func end(_ list: HTMLName, isShown: Bool) {
    guard let index = index(of: list) else { return }
    var candidate = open.remove(at: index)
    if candidate.end(isShown: isShown) { found.append(candidate) } else { hasFailed = true }
  }

  /// The directory's page; `nil` where none of the lists is one, or more than one.
  func directory(on outline: HTMLOutline) -> DirectoryPage? {
    let rank = found.map(\.list.rank).max()
    let best = found.filter { $0.list.rank == rank }
    guard best.count == 1, server.standsBesideOthers || !hasFailed, server.frames(outline) else {
      return nil
    }
    let page = best[0].page
    guard server.count != nil else { return page }
    guard counts.count == 2 else { return nil }
    let (sum, isTooLarge) = counts[0].addingReportingOverflow(counts[1])
    return !isTooLarge && sum == page.rows ? page : nil
  }
}

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
    var page = reader.page ?? reader.makePage(html.facts)
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
