import SyncText

/// The directory listing of nginx's fancyindex module (ngx_http_fancyindex_module 0.5), known by
/// its one table `list`, whose header row has links that sort it (`?C=N&O=A`); header and footer
/// may be one's own, as long as the page ends with `</html>`.
///
/// Dates are to the minute, in UTC or the server's zone; with a `fancyindex_time_format` that isn't
/// the module's own, there are none. Sizes are exact where they have no unit, and estimates with
/// one (`fancyindex_exact_size off`).
package struct NginxFancyIndexFormat: CatalogFormat {
  package let name = CatalogFormatName.nginxFancyIndex
  package let noun = "the directory listing of nginx's fancyindex"

  package func recognises(_ body: CatalogBody) -> Bool {
    let head = body.head
    return head.hasPrefix("<") && head.contains("<table id=\"list\"")
      && head.contains("?C=N&amp;O=A\"")
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    try body.directoryPage(by: self, within: limits, Self.rows)
  }

  private static func rows(under root: HTMLNode) -> [DirectoryRow]? {
    let tables = root.all(.table).filter { $0.attribute(.id) == "list" }
    guard tables.count == 1, tables[0].isShownWhole,
      tables[0].all(.a).first?.attribute(.href)?.hasSuffix("?C=N&O=A") ?? false
    else { return nil }
    var rows: [DirectoryRow] = []
    for line in tables[0].all(.tr) {
      let cells = line.elements
      if cells.allSatisfy({ $0.name == .th }) { continue }
      guard cells.map({ $0.attribute(.kind) }) == ["link", "size", "date"],
        let href = cells[0].first(.a)?.attribute(.href)
      else { return nil }
      let size = cells[1].text.drop { $0 == " " }
      let date = cells[2].text
      rows.append(
        DirectoryRow(
          href: href, date: ListingDate(local: date).map { (date, $0) }, size: ListedSize(size)))
    }
    return rows
  }
}

extension CatalogFormatName {
  /// The directory listing of nginx's fancyindex module.
  package static let nginxFancyIndex = Self("nginx-fancyindex")
}
