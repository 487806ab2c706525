private import CSyncXML
import SyncText

/// nginx's directory listing in HTML (`autoindex on`), known by its signature: the title
/// "Index of …", the same in the one `h1`, and a `pre` that begins with a link to the parent
/// directory.
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
    let head = String(decoding: body.opening.prefix(256), as: UTF8.self)
    return head.hasPrefix("<html>") && head.contains("<title>Index of ")
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    let tail = body.bytes.suffix(64).reversed().drop(while: JSONValue.isBlank)
    guard tail.starts(with: "</html>".utf8.reversed()) else {
      throw body.unreadable(expected: .format(name), found: .cutPage)
    }
    guard let rows = NginxListing.rows(of: body.bytes) else {
      throw body.unreadable(expected: .format(name))
    }
    try body.checkCount(rows.count, limits)
    var page = CatalogPage(format: name, claim: .whole)
    for row in rows { row.add(to: &page, body: body) }
    return page
  }
}

extension CatalogFormatName {
  /// nginx's directory listing in HTML.
  package static let nginxHTML = Self("nginx-html")
}

/// The document that nginx's autoindex module writes.
private enum NginxListing {
  /// The rows after the link to the parent; `nil` when the document isn't nginx's.
  static func rows(of bytes: [UInt8]) -> [NginxAnchor]? {
    guard let size = Int32(exactly: bytes.count) else { return nil }
    let options =
      CSYNC_HTML_PARSE_RECOVER | CSYNC_HTML_PARSE_NOERROR | CSYNC_HTML_PARSE_NOWARNING
      | CSYNC_HTML_PARSE_NONET
    // nginx names no charset and may cut a shown name inside a character. In ISO-8859-1 every byte
    // is a character, so nothing is dropped; what matters is ASCII.
    let document = bytes.withUnsafeBytes { buffer in
      htmlReadMemory(
        buffer.bindMemory(to: CChar.self).baseAddress, size, nil, "ISO-8859-1", Int32(options))
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    return rows(under: xmlDocGetRootElement(document))
  }

  private static func rows(under root: xmlNodePtr?) -> [NginxAnchor]? {
    let head = elements(of: root).first { $0.name == "head" }
    let body = elements(of: root).first { $0.name == "body" }
    guard let title = elements(of: head?.node).first(where: { $0.name == "title" }).map(text),
      title.hasPrefix("Index of ")
    else { return nil }
    let parts = elements(of: body?.node)
    guard parts.map(\.name) == ["h1", "hr", "pre", "hr"], text(parts[0]) == title else {
      return nil
    }
    return rows(inside: parts[2].node)
  }

  /// Anchors and the text after each, strictly in turn.
  private static func rows(inside pre: xmlNodePtr) -> [NginxAnchor]? {
    var rows: [NginxAnchor] = []
    var node = pre.pointee.children
    var isParent = true
    while let anchor = node {
      guard name(of: anchor) == "a", let href = attribute("href", of: anchor),
        let after = anchor.pointee.next, after.pointee.type == CSYNC_XML_TEXT_NODE
      else { return nil }
      if isParent {
        guard href == "../", content(of: after).allSatisfy(\.isWhitespace) else { return nil }
      } else {
        guard let row = NginxAnchor(href: href, after: content(of: after)) else { return nil }
        rows.append(row)
      }
      isParent = false
      node = after.pointee.next
    }
    return isParent ? nil : rows
  }

  private static func elements(of node: xmlNodePtr?) -> [(name: String, node: xmlNodePtr)] {
    sequence(first: node?.pointee.children, next: { $0?.pointee.next }).prefix { $0 != nil }
      .compactMap { child in
        child.flatMap { node in name(of: node).map { ($0, node) } }
      }
  }

  private static func name(of node: xmlNodePtr) -> String? {
    guard node.pointee.type == CSYNC_XML_ELEMENT_NODE, let name = node.pointee.name else {
      return nil
    }
    return String(cString: name)
  }

  private static func text(_ element: (name: String, node: xmlNodePtr)) -> String {
    content(of: element.node)
  }

  private static func content(of node: xmlNodePtr) -> String {
    guard let content = xmlNodeGetContent(node) else { return "" }
    defer { csync_xml_free(content) }
    return String(cString: content)
  }

  private static func attribute(_ name: String, of node: xmlNodePtr) -> String? {
    guard let value = xmlGetProp(node, name) else { return nil }
    defer { csync_xml_free(value) }
    return String(cString: value)
  }
}

/// One row: a link, a date, and a size.
private struct NginxAnchor {
  private let href: String
  private let date: String
  private let size: String

  init?(href: String, after text: String) {
    let fields = text.split(whereSeparator: \.isWhitespace)
    guard fields.count == 3, ListingDate(nginxHTML: "\(fields[0]) \(fields[1])") != nil else {
      return nil
    }
    self.href = href
    date = "\(fields[0]) \(fields[1])"
    size = String(fields[2])
    guard size == "-" || exactSize != nil || estimatedSize != nil else { return nil }
  }

  private var exactSize: Int64? {
    size.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(size) : nil
  }

  /// nginx rounds to whole units of 1,024.
  private var estimatedSize: Int64? {
    let powers: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    guard let unit = size.last.flatMap({ powers[$0] }), let number = Int64(size.dropLast()),
      number >= 0
    else { return nil }
    let (bytes, isTooBig) = number.multipliedReportingOverflow(by: unit)
    return isTooBig ? nil : bytes
  }

  func add(to page: inout CatalogPage, body: CatalogBody) {
    let isDirectory = href.hasSuffix("/")
    // A name is one segment: a query, a path or another host is none of this directory's.
    let segment = isDirectory ? String(href.dropLast()) : href
    guard !segment.contains("?"), !segment.contains("#"),
      let name = PercentEncoding.decode(segment), DirectoryName.isInside(name),
      isDirectory == (size == "-")
    else { return }
    if isDirectory {
      // Where this is no URL, it can't be fetched, as any directory that can't be read.
      let url = body.url.appending(encodedName: href).text
      page.subdirectories.append(.init(url: url, name: name))
      return
    }
    guard let path = URLReference("./" + href)?.path.dropFirst(2) else {
      let unusable = UnusableEntry(
        position: page.entries.count + 1, key: CatalogKey(bytes: name),
        problem: .locator(.notAURL))
      page.entries.append(.unusable(unusable))
      return
    }
    let url = body.url.appending(encodedName: String(path)).text
    let stamp = ListingDate(nginxHTML: date)
    var entry = CatalogEntry(
      key: CatalogKey(bytes: name), locators: [url],
      version: .dateAndSize(date: date, size: exactSize))
    entry.size = exactSize
    entry.estimatedSize = estimatedSize
    entry.modified = stamp?.modified
    let settled = stamp?.isSettled(listedAt: body.date) ?? false
    page.entries.append(.entry(entry, settled: settled))
  }
}
