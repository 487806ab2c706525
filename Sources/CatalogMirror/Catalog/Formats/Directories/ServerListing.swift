import SyncText

/// A directory's listing in HTML as one server writes it: what it is known by, and how the rows of
/// its list are read, one after the other.
struct ServerListing: CatalogFormat {
  let name: CatalogFormatName
  let noun: String
  let begins: @Sendable (String) -> Bool
  let lists: [HTMLName: DirectoryListKind]
  /// The bytes of the server's own page; `nil` where it isn't whole.
  var document: @Sendable (CatalogBody) -> ArraySlice<UInt8>? = Self.wholeBody
  /// Whether what stands around the list is the server's. Default: whatever it is.
  var frames: @Sendable (HTMLOutline) -> Bool = { _ in true }
  /// The number that a `span` of the page tells; together they have to be that of the rows.
  var count: (@Sendable (HTMLNode) -> Int?)?
  /// How many names the server lists at most: a page of so many may be cut.
  var most = Int.max
  /// Whether a list of others may stand beside its own.
  var standsBesideOthers = false

  private static let wholeBody: @Sendable (CatalogBody) -> ArraySlice<UInt8>? = { body in
    let ending = HTMLEnding(of: body.bytes)
    return ending.isWhole && ending.closesListsOnce ? body.bytes[...] : nil
  }

  func recognises(_ body: CatalogBody) -> Bool {
    begins(String(decoding: body.opening, as: UTF8.self))
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    guard let document = document(body) else {
      throw body.unreadable(
        expected: .format(name), found: recognises(body) ? .cutPage : nil)
    }
    let before = body.bytes[..<document.startIndex]
    let base = HTMLReader.read(before, in: .init(of: before), by: NoLists())?.page.facts.base
    let charset = HTMLReader.Charset(of: document)
    let lists = DirectoryReader(self) { facts in
      DirectoryPage(
        CatalogPage(format: name, claim: .whole), of: body,
        at: DirectoryPlace(body, base: base ?? facts.base), in: charset, within: limits)
    }
    let read = HTMLReader.read(document, in: charset, by: lists)
    guard let (html, reader) = read, let found = reader.directory(on: html.outline) else {
      throw body.unreadable(expected: .format(name))
    }
    var page = try found.finish()
    if found.rows >= most { page.claim = .unvouchable }
    return page
  }
}

/// What may be a server's list: which parts of an element are its rows, and what reads them.
struct DirectoryListKind: Sendable {
  let parts: HTMLParts
  /// What reads an element; `nil` where that is no such list. It is told whether the element lies
  /// in the page's body, one level down.
  let reader: @Sendable (HTMLNode, _ isOnBody: Bool, HTMLFacts) -> (any DirectoryList)?
}

/// Reads a list that may be a directory's, part by part.
protocol DirectoryList {
  /// Of several lists on a page, those of the highest rank count.
  var rank: Int { get }

  /// Takes the next part; false where a directory's list has no such part.
  mutating func take(_ part: HTMLNode, into page: inout DirectoryPage) -> Bool

  /// Takes the end; false where that isn't a directory's.
  ///
  /// - Parameter isShown: Whether nothing is in the list but what is shown.
  mutating func end(isShown: Bool, into page: inout DirectoryPage) -> Bool
}

extension DirectoryList {
  var rank: Int { 2 }

  mutating func end(isShown: Bool, into page: inout DirectoryPage) -> Bool { isShown }
}

/// Reads a page of which nothing but its facts is asked for.
private struct NoLists: HTMLListReader {
  let lists: [HTMLName: HTMLParts] = [:]

  mutating func take(_ part: HTMLNode, of list: HTMLName, _ facts: HTMLFacts) {}
}

extension ServerListing {
  /// nginx's directory listing in HTML (`autoindex on`; ngx_http_autoindex_module of nginx 1.22),
  /// known by its signature: the title "Index of …", the same in the one `h1`, and a `pre` that
  /// begins with a link to the parent directory. Other text may stand before and after that page
  /// (`add_before_body`, `add_after_body` of ngx_http_addition_module); no link of it counts.
  ///
  /// The name comes from the `href` (what is shown is cut at 50 bytes). Every row has a date and a
  /// size or a dash; a page with anything else in it isn't nginx's, or isn't whole. nginx shows
  /// dangling links and FIFOs as files, which then fail when they are fetched. Sizes are exact
  /// without a unit, and estimates with one (`autoindex_exact_size off`). Files whose name begins
  /// with a dot are never listed by nginx.
  static let nginx = ServerListing(
    name: .nginxHTML, noun: "nginx's directory listing in HTML",
    // Other servers begin a line with the title.
    begins: { $0.contains("<head><title>Index of ") },
    lists: [.pre: .init(parts: .children) { _, isOnBody, _ in isOnBody ? NginxList() : nil }],
    document: { NginxList.document(in: $0.bytes[$0.start...]) },
    frames: { page in
      page.names == [.h1, .hr, .pre, .hr] && page.hasTitleAsHeading
        && page.isTitled("Index of ")
    })

  /// The directory listing of nginx's fancyindex module (ngx_http_fancyindex_module 0.5), known by
  /// its one table `list`, whose header row has links that sort it (`?C=N&O=A`); header and footer
  /// may be one's own, as long as the page ends with `</html>`.
  ///
  /// Dates are to the minute, in UTC or the server's zone; with a `fancyindex_time_format` that
  /// isn't the module's own, there are none. Sizes are exact where they have no unit, and estimates
  /// with one (`fancyindex_exact_size off`).
  static let nginxFancyIndex = ServerListing(
    name: .nginxFancyIndex, noun: "the directory listing of nginx's fancyindex",
    begins: {
      $0.hasPrefix("<") && $0.contains("<table id=\"list\"") && $0.contains("?C=N&amp;O=A\"")
    },
    lists: [
      .table: .table(
        .id, "list", firstLink: "?C=N&O=A", cells: ["link", "size", "date"]
      ) { href, cells in
        DirectoryRow(
          href: href, local: cells[2].text, size: ListedSize(cells[1].text.drop { $0 == " " }))
      }
    ])

  /// Apache's directory listing (mod_autoindex of httpd 2.4): a plain list, `FancyIndexing`, and a
  /// table (`HTMLTable`), as HTML or XHTML, with whatever `HeaderName` and `ReadmeName` put around
  /// it.
  ///
  /// A fancy list or a table is known by the links of its header row, which sort it
  /// (`?C=N;O=D`), or, where those are switched off, by the row's words below the title "Index of
  /// …"; a plain list by that title and its items, each a link whose text begins with a blank. Of
  /// several lists that could be it, none is: then the page is refused. The page ends with
  /// `</html>`.
  ///
  /// Dates are to the minute, in the server's zone. Sizes are rounded, and taken for estimates also
  /// where three digits tell them exactly. Apache lists no link that leads nowhere.
  static let apache = ServerListing(
    name: .apache, noun: "the directory listing of Apache",
    begins: { head in
      guard head.hasPrefix("<") else { return false }
      return head.contains("?C=N;O=")
        || head.contains("\n  <title>Index of ") && head.contains("\n <body>\n")
    },
    lists: [
      .pre: .init(parts: .children) { ApacheColumns(isTitled: $2.isTitled("Index of ")) },
      .table: .init(parts: .all([.tr])) { ApacheTable(isTitled: $2.isTitled("Index of ")) },
      .ul: .init(parts: .children) { ApachePlainList(isTitled: $2.isTitled("Index of ")) },
    ],
    standsBesideOthers: true)

  /// lighttpd's directory listing (mod_dirlisting of lighttpd 1.4.69), known by the one table with
  /// the summary "Directory Listing" below the title "Index of …"; header and readme
  /// (`dir-listing.show-header`, `dir-listing.show-readme`) stand around it.
  ///
  /// Dates are to the second, in the server's zone. Sizes are rounded down to tenths of a unit.
  /// Names that begin with a dot are listed where it is told to.
  static let lighttpd = ServerListing(
    name: .lighttpd, noun: "lighttpd's directory listing",
    begins: { $0.hasPrefix("<") && $0.contains("<table summary=\"Directory Listing\" ") },
    lists: [
      .table: .table(.summary, "Directory Listing", cells: ["n", "m", "s", "t"]) { href, cells in
        DirectoryRow(
          href: href, local: cells[1].text, size: ListedSize(cells[2].text)?.asRounded)
      }
    ],
    frames: { $0.isTitled("Index of ") })

  /// The directory listing of Python's `http.server` (`SimpleHTTPRequestHandler.list_directory` of
  /// Python 3.11; the same since 2.4 but for its first lines), known by its title "Directory
  /// listing for …", the same in its one `h1`, and a list of nothing but links between two rules.
  ///
  /// It tells neither date nor size: each item is asked for with its own validator. A link to a
  /// directory is listed as a directory, and one that leads nowhere as a file, which then fails
  /// when it is fetched. A name that isn't UTF-8 is written so that it can't be asked for, and is
  /// one failed item. Names that begin with a dot are listed.
  static let python = ServerListing(
    name: .python, noun: "the directory listing of Python's http.server",
    begins: {
      $0.hasPrefix("<") && $0.prefix(512).contains("<title>Directory listing for ")
    },
    lists: [.ul: .init(parts: .children) { _, isOnBody, _ in isOnBody ? PythonList() : nil }],
    frames: { page in
      page.names == [.h1, .hr, .ul, .hr] && page.hasTitleAsHeading
        && page.facts.title?.lowercased().hasPrefix("directory listing for ") ?? false
    })
}

extension HTMLFacts {
  fileprivate func isTitled(_ start: String) -> Bool { title?.hasPrefix(start) ?? false }
}

extension HTMLOutline {
  fileprivate func isTitled(_ start: String) -> Bool { facts.isTitled(start) }

  fileprivate var hasTitleAsHeading: Bool { facts.title != nil && heading == facts.title }
}

extension DirectoryRow {
  /// A row whose date is of a zone that it doesn't name.
  fileprivate init(href: String, local date: String, size: ListedSize?) {
    self.init(href: href, date: ListingDate(local: date).map { (date, $0) }, size: size)
  }
}

extension ServerListing {
  /// How many names Caddy lists unless it is told otherwise.
  static let caddyLimit = 10_000

  /// Caddy's directory listing in HTML (`file_server browse` of Caddy 2), known by the table that
  /// is described by its `summary` and whose rows have the class `file`, with the page's own
  /// template.
  ///
  /// Dates are to the second, in UTC; sizes are exact. Of links to elsewhere it tells the link's
  /// own date: such an item is asked for with its own validator. The numbers of files and
  /// directories that the page begins with have to be those of its rows. Since version 2.8 Caddy
  /// lists 10,000 names of a directory, and no more unless it is told to (`file_limit`), without a
  /// word about it: a page of that many is whole only by a person's word. Names that begin with a
  /// dot are listed.
  static let caddy = ServerListing(
    name: .caddyHTML, noun: "the directory listing of Caddy in HTML",
    begins: {
      $0.hasPrefix("<!DOCTYPE html>") && $0.contains("<table aria-describedby=\"summary\">")
    },
    lists: [
      .table: .table(.description, "summary") { line in
        guard line.attribute(.kind) == "file" else { return .none }
        return caddyRow(line).map { .item($0) } ?? .foreign
      }
    ],
    count: caddyCount, most: caddyLimit)

  private static func caddyRow(_ line: HTMLNode) -> DirectoryRow? {
    guard let anchor = line.all(.a).first, let href = anchor.attribute(.href),
      let time = line.all(.time).first?.attribute(.datetime)
    else { return nil }
    let date = String(time.drop { $0 == " " })
    let size = line.elements.lazy
      .compactMap { $0.attribute(.order) ?? $0.attribute(.size) }.first
    var row = DirectoryRow(
      href: href, date: ListingDate(rfc3339: date).map { (date, $0) },
      size: size.flatMap { ListedSize($0) })
    let icon = anchor.all(.use).first
    row.isLink =
      (icon?.attribute(.reference) ?? icon?.attribute(.href))?.hasSuffix("-shortcut") ?? true
    return row
  }

  private static func caddyCount(_ item: HTMLNode) -> Int? {
    guard item.attribute(.kind) == "meta-item" else { return nil }
    let words = item.text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, ["director", "file"].contains(where: words[1].hasPrefix) else {
      return nil
    }
    return Int(words[0])
  }
}
