import SyncText

/// lighttpd's directory listing (mod_dirlisting of lighttpd 1.4.69), known by the one table with
/// the summary "Directory Listing" below the title "Index of …"; header and readme
/// (`dir-listing.show-header`, `dir-listing.show-readme`) stand around it.
///
/// Dates are to the second, in the server's zone. Sizes are rounded down to tenths of a unit. Names
/// that begin with a dot are listed where it is told to.
package struct LighttpdFormat: CatalogFormat {
  package let name = CatalogFormatName.lighttpd
  package let noun = "lighttpd's directory listing"

  package func recognises(_ body: CatalogBody) -> Bool {
    let head = body.head
    return head.hasPrefix("<") && head.contains("<table summary=\"Directory Listing\" ")
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    try body.directoryPage(by: self, within: limits, Self.rows)
  }

  private static func rows(under root: HTMLNode) -> [DirectoryRow]? {
    let tables = root.all(.table).filter { $0.attribute(.summary) == "Directory Listing" }
    guard root.title?.hasPrefix("Index of ") ?? false, tables.count == 1,
      tables[0].isShownWhole
    else { return nil }
    var rows: [DirectoryRow] = []
    for line in tables[0].all(.tr) {
      let cells = line.elements
      if cells.allSatisfy({ $0.name == .th }) { continue }
      guard cells.map({ $0.attribute(.kind) }) == ["n", "m", "s", "t"],
        let href = cells[0].first(.a)?.attribute(.href)
      else { return nil }
      let date = cells[1].text
      rows.append(
        DirectoryRow(
          href: href, date: ListingDate(local: date).map { (date, $0) },
          size: ListedSize(cells[2].text)?.asRounded))
    }
    return rows
  }
}

extension CatalogFormatName {
  /// lighttpd's directory listing.
  package static let lighttpd = Self("lighttpd")
}
