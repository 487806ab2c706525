import SyncText

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
  /// Whether the page's title begins so.
  fileprivate func isTitled(_ start: String) -> Bool { title?.hasPrefix(start) ?? false }
}

extension HTMLOutline {
  /// Whether the page's title begins so.
  fileprivate func isTitled(_ start: String) -> Bool { facts.isTitled(start) }

  /// Whether the page's title stands in its heading, too.
  fileprivate var hasTitleAsHeading: Bool { facts.title != nil && heading == facts.title }
}

extension DirectoryRow {
  /// A row whose date is of a zone that it doesn't name.
  fileprivate init(href: String, local date: String, size: ListedSize?) {
    self.init(href: href, date: ListingDate(local: date).map { (date, $0) }, size: size)
  }
}

extension CatalogFormatName {
  /// nginx's directory listing in HTML.
  package static let nginxHTML = Self("nginx-html")
  /// The directory listing of nginx's fancyindex module.
  package static let nginxFancyIndex = Self("nginx-fancyindex")
  /// Apache's directory listing.
  package static let apache = Self("apache")
  /// lighttpd's directory listing.
  package static let lighttpd = Self("lighttpd")
  /// The directory listing of Python's `http.server`.
  package static let python = Self("python")
}
