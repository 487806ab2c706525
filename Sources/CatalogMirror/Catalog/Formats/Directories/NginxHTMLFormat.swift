private import SyncSystem
import SyncText

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
package struct NginxHTMLFormat: CatalogFormat {
  package let name = CatalogFormatName.nginxHTML
  package let noun = "nginx's directory listing in HTML"

  package func recognises(_ body: CatalogBody) -> Bool {
    // Other servers begin a line with the title.
    body.head.contains("<head><title>Index of ")
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    guard let own = NginxListing.page(in: body.bytes[body.start...]) else {
      throw body.unreadable(
        expected: .format(name), found: recognises(body) ? .cutPage : nil)
    }
    let before = body.bytes[..<own.startIndex]
    let base = HTMLReader.read(before, in: .init(of: before)) { $0.base }
    let charset = HTMLReader.Charset(of: own)
    let found = HTMLReader.read(own, in: charset) { root in
      DirectoryRows(root) { NginxListing.rows(under: $0, of: body, base) }
    }
    guard let found else { throw body.unreadable(expected: .format(name)) }
    return try body.page(of: found.rows, by: self, limits, base: base ?? found.base, in: charset)
  }
}

extension CatalogFormatName {
  /// nginx's directory listing in HTML.
  package static let nginxHTML = Self("nginx-html")
}

/// The document that nginx's autoindex module writes.
private enum NginxListing {
  /// The bytes of the document, without what stands around it; `nil` unless there is one, whole.
  static func page(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
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

  /// The rows after the link to the parent; `nil` when the document isn't nginx's.
  static func rows(under root: HTMLNode, of page: CatalogBody, _ base: String?) -> [DirectoryRow]? {
    guard let title = root.title, title.hasPrefix("Index of "), let body = root.first(.body) else {
      return nil
    }
    let parts = body.elements
    guard parts.map(\.name) == [.h1, .hr, .pre, .hr], parts[0].text == title else {
      return nil
    }
    return rows(inside: parts[2], DirectoryPlace(page, base: base ?? root.base))
  }

  /// Anchors and the text after each, strictly in turn.
  private static func rows(inside pre: HTMLNode, _ place: DirectoryPlace) -> [DirectoryRow]? {
    var rows: [DirectoryRow] = []
    var nodes = pre.children.makeIterator()
    var isParent = true
    while let anchor = nodes.next() {
      guard anchor.name == .a, let href = anchor.attribute(.href), let after = nodes.next(),
        after.isText
      else { return nil }
      if isParent {
        guard case .nothing = place.target(of: href), after.text.allSatisfy(\.isWhitespace) else {
          return nil
        }
      } else {
        guard let told = row(href, after.text) else { return nil }
        rows.append(told)
      }
      isParent = false
    }
    return isParent ? nil : rows
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

  /// Where the last such text begins.
  fileprivate func startOfLast(_ text: StaticString) -> Int? {
    let wanted = text.withUTF8Buffer { Array($0) }
    return indices.reversed().first { self[$0...].starts(with: wanted) }
  }
}
