private import SyncSystem
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
}

/// nginx's list: a `pre` of anchors and the text after each, strictly in turn, the parent's first.
struct NginxList: DirectoryList {
  /// The address of the anchor whose text comes next.
  private var href: String?
  private var hasParent = false

  mutating func take(_ part: HTMLNode, into page: DirectoryPage) -> Bool {
    guard let href else {
      self.href = part.name == .a ? part.attribute(.href) : nil
      return self.href != nil
    }
    guard part.isText else { return false }
    self.href = nil
    let text = part.text
    guard hasParent else {
      hasParent = true
      return page.leadsNowhere(href) && text.allSatisfy(\.isWhitespace)
    }
    guard let row = Self.row(href, text) else { return false }
    page.take(row)
    return true
  }

  mutating func end(isShown: Bool, into page: DirectoryPage) -> Bool {
    hasParent && href == nil
  }

  private static func row(_ href: String, _ text: String) -> DirectoryRow? {
    let fields = text.utf8.split(whereSeparator: JSONValue.isBlank).map(Substring.init)
    guard fields.count == 3 else { return nil }
    let date = "\(fields[0]) \(fields[1])"
    let size = ListedSize(fields[2])
    guard let stamp = ListingDate(nginxHTML: date), size != nil || fields[2] == "-" else {
      return nil
    }
    // A directory has no size, and nothing else has none.
    return DirectoryRow(href: href, date: (date, stamp), size: size, isDirectory: size == nil)
  }

  /// The document that nginx's autoindex module writes, without what stands around it; `nil` unless
  /// there is one, whole.
  static func document(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let title: StaticString = "<head><title>Index of "
    guard let first = bytes.firstRange(of: title),
      bytes[first.upperBound...].firstRange(of: title) == nil,
      let start = bytes[..<first.lowerBound].startOfLast("<html>"),
      let list = bytes[first.upperBound...].firstRange(of: "</pre><hr></body>")
    else { return nil }
    let rest = bytes[list.upperBound...].drop(while: JSONValue.isBlank)
    let end = Array("</html>".utf8)
    return rest.starts(with: end) ? bytes[start..<rest.startIndex + end.count] : nil
  }
}

extension ArraySlice<UInt8> {
  /// Where the first such text stands. The standard library's own search looks up its types anew
  /// for every byte, and took an eighth of a whole first copy.
  fileprivate func firstRange(of text: StaticString) -> Range<Int>? {
    let length = text.utf8CodeUnitCount
    let offset = withUnsafeBytes { bytes -> Int? in
      guard let start = bytes.baseAddress else { return nil }
      var rest = start
      while case let left = bytes.count - (rest - start), left >= length,
        let found = memchr(rest, CInt(text.utf8Start.pointee), left - length + 1)
      {
        if memcmp(found, text.utf8Start, length) == 0 { return UnsafeRawPointer(found) - start }
        rest = UnsafeRawPointer(found) + 1
      }
      return nil
    }
    return offset.map { startIndex + $0..<startIndex + $0 + length }
  }

  fileprivate func startOfLast(_ text: StaticString) -> Int? {
    let wanted = text.withUTF8Buffer { Array($0) }
    return indices.reversed().first { self[$0...].starts(with: wanted) }
  }
}
