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
