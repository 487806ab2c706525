import SyncText

/// Apache's directory listing (mod_autoindex of httpd 2.4): a plain list, `FancyIndexing`, and a
/// table (`HTMLTable`), as HTML or XHTML, with whatever `HeaderName` and `ReadmeName` put around
/// it.
///
/// A fancy list or a table is known by the links of its header row, which sort it
/// (`?C=N;O=D`), or, where those are switched off, by the row's words below the title "Index of …";
/// a plain list by that title and its items, each a link whose text begins with a blank. Of several
/// lists that could be it, none is: then the page is refused. The page ends with `</html>`.
///
/// Dates are to the minute, in the server's zone. Sizes are rounded, and taken for estimates also
/// where three digits tell them exactly. Apache lists no link that leads nowhere.
package struct ApacheFormat: CatalogFormat {
  package let name = CatalogFormatName.apache
  package let noun = "the directory listing of Apache"

  package func recognises(_ body: CatalogBody) -> Bool {
    let head = body.head
    guard head.hasPrefix("<") else { return false }
    return head.contains("?C=N;O=")
      || head.contains("\n  <title>Index of ") && head.contains("\n <body>\n")
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    try body.directoryPage(by: self, within: limits, ApachePage.rows)
  }
}

extension CatalogFormatName {
  /// Apache's directory listing.
  package static let apache = Self("apache")
}

/// Where in a page Apache's list is.
private enum ApachePage {
  /// The rows of the one list, without the link to the parent; `nil` when there is none, or more
  /// than one.
  static func rows(under root: HTMLNode) -> [DirectoryRow]? {
    let isTitled = root.title?.hasPrefix("Index of ") ?? false
    let columns = root.all(.pre).compactMap { ApacheColumns($0, isTitled: isTitled)?.rows }
    let tables = root.all(.table).compactMap { ApacheTable($0, isTitled: isTitled)?.rows }
    let found = columns + tables
    guard found.isEmpty else { return found.count == 1 ? found[0] : nil }
    return isTitled ? plainRows(under: root) : nil
  }

  private static func plainRows(under root: HTMLNode) -> [DirectoryRow]? {
    let lists = root.all(.ul).compactMap(ApachePlainList.init)
    let marked = lists.filter(\.hasParent)
    // At a server's root there is no parent.
    let found = marked.isEmpty ? lists : marked
    return found.count == 1 ? found[0].rows : nil
  }
}

/// A plain list: nothing but items, of nothing but a link each.
private struct ApachePlainList {
  private(set) var rows: [DirectoryRow] = []
  private(set) var hasParent = false

  init?(_ list: HTMLNode) {
    guard list.isShownWhole else { return nil }
    for item in list.children {
      if item.isText, item.text.allSatisfy(\.isWhitespace) { continue }
      let parts = item.children.filter { !$0.isText || !$0.text.allSatisfy(\.isWhitespace) }
      guard item.name == .li, parts.count == 1, let link = parts.first,
        let href = link.attribute(.href), link.text.hasPrefix(" ")
      else { return nil }
      if rows.isEmpty, !hasParent, ApacheHeader.isParent(link, href) {
        hasParent = true
      } else {
        rows.append(DirectoryRow(href: href))
      }
    }
  }
}
