import SyncText

/// Caddy's directory listing in HTML (`file_server browse` of Caddy 2), known by the table that is
/// described by its `summary` and whose rows have the class `file`, with the page's own template.
///
/// Dates are to the second, in UTC; sizes are exact. Of links to elsewhere it tells the link's own
/// date: such an item is asked for with its own validator. The numbers of files and directories
/// that the page begins with have to be those of its rows. Since version 2.8 Caddy lists 10,000
/// names of a directory, and no more unless it is told to (`file_limit`), without a word about it:
/// a page of that many is whole only by a person's word. Names that begin with a dot are listed.
package struct CaddyHTMLFormat: CatalogFormat {
  package let name = CatalogFormatName.caddyHTML
  package let noun = "the directory listing of Caddy in HTML"

  /// How many names Caddy lists unless it is told otherwise.
  static let fileLimit = 10_000

  package func recognises(_ body: CatalogBody) -> Bool {
    let head = body.head
    return head.hasPrefix("<!DOCTYPE html>")
      && head.contains("<table aria-describedby=\"summary\">")
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    guard body.endsAsHTML, body.closesListsOnce else {
      throw body.unreadable(
        expected: .format(name), found: recognises(body) ? .cutPage : nil)
    }
    let charset = HTMLReader.Charset(of: body.bytes)
    let found = HTMLReader.read(body.bytes, in: charset) { DirectoryRows($0, CaddyPage.rows) }
    guard let found else { throw body.unreadable(expected: .format(name)) }
    return try body.page(
      of: found.rows, by: self, limits,
      claim: found.rows.count >= Self.fileLimit ? .unvouchable : .whole,
      base: found.base, in: charset)
  }
}

extension CatalogFormatName {
  /// Caddy's directory listing in HTML.
  package static let caddyHTML = Self("caddy-html")
}

/// The page of Caddy's own template.
private enum CaddyPage {
  static func rows(under root: HTMLNode) -> [DirectoryRow]? {
    let tables = root.all(.table).filter { $0.attribute(.description) == "summary" }
    guard tables.count == 1, tables[0].isShownWhole else { return nil }
    var rows: [DirectoryRow] = []
    for line in tables[0].all(.tr) where line.attribute(.kind) == "file" {
      guard let row = row(line) else { return nil }
      rows.append(row)
    }
    guard declared(under: root) == rows.count else { return nil }
    return rows
  }

  private static func row(_ line: HTMLNode) -> DirectoryRow? {
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

  /// The numbers of directories and files that the page tells; `nil` where it doesn't.
  private static func declared(under root: HTMLNode) -> Int? {
    let items = root.all(.span).filter { $0.attribute(.kind) == "meta-item" }
    let counts = items.compactMap { item -> Int? in
      let words = item.text.split(whereSeparator: \.isWhitespace)
      guard words.count == 2, let unit = ["director", "file"].first(where: words[1].hasPrefix),
        !unit.isEmpty
      else { return nil }
      return Int(words[0])
    }
    return counts.count == 2 ? counts[0] + counts[1] : nil
  }
}
