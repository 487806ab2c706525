extension ServerListing {
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
}

/// Apache's plain list: nothing but items, of nothing but a link each.
struct ApachePlainList: DirectoryList {
  private var isFirst = true
  private var hasParent = false

  init?(isTitled: Bool) {
    guard isTitled else { return nil }
  }

  /// At a server's root there is no parent.
  var rank: Int { hasParent ? 1 : 0 }

  mutating func take(_ item: HTMLNode, into page: DirectoryPage) -> Bool {
    if Self.isBlank(item) { return true }
    let parts = item.children.filter { !Self.isBlank($0) }
    guard item.name == .li, parts.count == 1, let link = parts.first,
      let href = link.attribute(.href), link.text.hasPrefix(" ")
    else { return false }
    if isFirst, ApacheHeader.isParent(link, href) {
      hasParent = true
    } else {
      page.take(DirectoryRow(href: href))
    }
    isFirst = false
    return true
  }

  private static func isBlank(_ node: HTMLNode) -> Bool {
    node.isText && node.text.allSatisfy(\.isWhitespace)
  }
}
