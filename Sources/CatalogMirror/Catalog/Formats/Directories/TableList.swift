private import SyncSystem
import SyncText

/// A table of which each row is read by itself.
struct TableList: DirectoryList {
  enum Row {
    case item(DirectoryRow)
    /// Of another kind, such as that of the titles.
    case none
    case foreign
  }

  fileprivate let read: @Sendable (HTMLNode) -> Row
  /// What the address of the table's first link ends with; `nil` where that is seen, or nobody
  /// asks.
  fileprivate var firstLink: String?

  mutating func take(_ part: HTMLNode, into page: inout DirectoryPage) -> Bool {
    if let wanted = firstLink, let link = part.all(.a).first {
      guard link.attribute(.href)?.hasSuffix(wanted) ?? false else { return false }
      firstLink = nil
    }
    for line in part.all(.tr) {
      switch read(line) {
      case .item(let row): page.take(row)
      case .none: continue
      case .foreign: return false
      }
    }
    return true
  }

  mutating func end(isShown: Bool, into page: inout DirectoryPage) -> Bool {
    isShown && firstLink == nil
  }
}

extension DirectoryListKind {
  /// A table whose attribute has a value.
  ///
  /// - Parameters:
  ///   - firstLink: What the address of its first link ends with. Default: whatever it is.
  ///   - row: Reads a row.
  static func table(
    _ attribute: HTMLAttribute, _ value: String, firstLink: String? = nil,
    row: @escaping @Sendable (HTMLNode) -> TableList.Row
  ) -> DirectoryListKind {
    DirectoryListKind(parts: .all(firstLink == nil ? [.tr] : [.tr, .a])) { table, _, _ in
      table.attribute(attribute) == value ? TableList(read: row, firstLink: firstLink) : nil
    }
  }

  /// The same, whose rows have cells of these classes, the first of them with the link.
  static func table(
    _ attribute: HTMLAttribute, _ value: String, firstLink: String? = nil, cells kinds: [String],
    row: @escaping @Sendable (_ href: String, _ cells: [HTMLNode]) -> DirectoryRow
  ) -> DirectoryListKind {
    table(attribute, value, firstLink: firstLink) { line in
      let cells = line.elements
      if cells.allSatisfy({ $0.name == .th }) { return .none }
      guard cells.map({ $0.attribute(.kind) }) == kinds,
        let href = cells[0].first(.a)?.attribute(.href)
      else { return .foreign }
      return .item(row(href, cells))
    }
  }
}

/// Python's list: nothing but items, of one link each.
struct PythonList: DirectoryList {
  mutating func take(_ part: HTMLNode, into page: inout DirectoryPage) -> Bool {
    guard let name = part.name else { return true }
    guard name == .li, part.elements.count == 1, let href = part.first(.a)?.attribute(.href) else {
      return false
    }
    page.take(DirectoryRow(href: href))
    return true
  }
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

  mutating func take(_ item: HTMLNode, into page: inout DirectoryPage) -> Bool {
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

/// nginx's list: a `pre` of anchors and the text after each, strictly in turn, the parent's first.
struct NginxList: DirectoryList {
  /// The address of the anchor whose text comes next.
  private var href: String?
  private var hasParent = false

  mutating func take(_ part: HTMLNode, into page: inout DirectoryPage) -> Bool {
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

  mutating func end(isShown: Bool, into page: inout DirectoryPage) -> Bool {
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
