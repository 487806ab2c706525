import SyncText

/// nginx's directory listing in XML (`autoindex_format xml`; ngx_http_autoindex_module of nginx
/// 1.22): `list` with a `directory`, a `file` or an `other` for each name.
///
/// It is read byte for byte as the module writes it, since that needn't be XML: names are sent with
/// whatever bytes they have. A name that isn't UTF-8 is one failed item, and so is `other`, as in
/// the listing in JSON. Dates are to the second, in UTC; sizes are exact. Names that begin with a
/// dot are never listed by nginx.
struct NginxXMLFormat: CatalogFormat {
  let name = CatalogFormatName.nginxXML
  let noun = "nginx's directory listing in XML"

  func recognises(_ body: CatalogBody) -> Bool {
    var scan = XMLRows(body.opening)
    return scan.takeStart()
  }

  func page(_ body: CatalogBody, within limits: CatalogLimits) throws(CatalogError) -> CatalogPage {
    var scan = XMLRows(body.bytes[body.start...])
    guard scan.takeStart() else { throw body.unreadable(expected: .format(name)) }
    let page = DirectoryPage(
      CatalogPage(format: name, claim: .whole), of: body, at: DirectoryPlace(body))
    var count = 0
    while let row = scan.next() {
      row.add(to: page)
      count += 1
      try body.checkCount(count, limits)
    }
    guard scan.takeEnd() else {
      throw body.unreadable(expected: .format(name), found: .cutPage)
    }
    return try page.finish()
  }
}

private struct XMLRow {
  let element: String
  let date: String
  let size: Int64?
  let name: [UInt8]

  func add(to page: DirectoryPage) {
    guard element != "other" || !DirectoryName.isInside(name) else {
      return page.take(notAFile: name)
    }
    // A name with a slash in it leads deeper than any that nginx lists, which nobody understands.
    let href = PercentEncoding.encode(path: name) + (element == "directory" ? "/" : "")
    let stamp = ListingDate(rfc3339: date)
    page.take(
      DirectoryRow(href: href, date: stamp.map { (date, $0) }, size: size.map { .exact($0) }))
  }
}

private struct XMLRows {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func takeStart() -> Bool {
    take("<?xml version=\"1.0\"?>") && takeBlanks() && take("<list>") && takeBlanks()
  }

  mutating func takeEnd() -> Bool {
    take("</list>") && rest.allSatisfy(JSONValue.isBlank)
  }

  /// The next element; `nil` where there is none, or not the whole of one.
  mutating func next() -> XMLRow? {
    let start = rest
    for element in ["file", "directory", "other"] {
      rest = start
      if take("<" + element + " mtime=\""), let row = row(of: element) { return row }
    }
    rest = start
    return nil
  }

  private mutating func row(of element: String) -> XMLRow? {
    guard let date = text(before: "\""), let size = element == "file" ? size() : .some(nil),
      take(">"), let written = text(before: "</" + element + ">"), takeBlanks(),
      let name = Self.unescape(written), !name.isEmpty
    else { return nil }
    return XMLRow(
      element: element, date: String(decoding: date, as: UTF8.self), size: size, name: name)
  }

  private mutating func size() -> Int64?? {
    guard take(" size=\""), let digits = text(before: "\""),
      case .exact(let bytes)? = ListedSize(String(decoding: digits, as: UTF8.self))
    else { return nil }
    return bytes
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  private mutating func takeBlanks() -> Bool {
    let after = rest.drop(while: JSONValue.isBlank)
    defer { rest = after }
    return after.startIndex > rest.startIndex
  }

  /// What stands before a text, in which no `<` and no quote is left unescaped.
  private mutating func text(before end: String) -> ArraySlice<UInt8>? {
    let stop = end.utf8.first
    let found = rest.prefix { $0 != stop }
    rest = rest[found.endIndex...]
    return take(end) ? found : nil
  }

  private static func unescape(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let characters: [(String, Character)] = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&"),
    ]
    var output: [UInt8] = []
    var rest = text
    while let byte = rest.first {
      guard byte == UInt8(ascii: "&") else {
        output.append(byte)
        rest = rest.dropFirst()
        continue
      }
      guard let (name, character) = characters.first(where: { rest.starts(with: $0.0.utf8) })
      else { return nil }
      output += character.utf8
      rest = rest.dropFirst(name.utf8.count)
    }
    return output
  }
}
