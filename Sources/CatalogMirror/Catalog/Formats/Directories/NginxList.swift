private import SyncSystem
import SyncText

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
}

extension NginxList {
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

  /// Where the last such text begins.
  fileprivate func startOfLast(_ text: StaticString) -> Int? {
    let wanted = text.withUTF8Buffer { Array($0) }
    return indices.reversed().first { self[$0...].starts(with: wanted) }
  }
}
