import SyncText

/// What stands before a document's first element, and that element's tag: enough to tell what a
/// document is, and whether it declares anything of its own.
struct MarkupOpening {
  /// The name of the first element without a prefix.
  private(set) var root = ""
  /// The first element's tag.
  private(set) var tag: ArraySlice<UInt8> = []
  /// The encoding that is declared, in lower case.
  private(set) var encoding: String?
  /// Whether there are declarations of the document's own, such as of entities.
  private(set) var declares = false

  /// Reads the opening of a document in an encoding that has ASCII in it; `nil` for any other one,
  /// and for what doesn't come to its first element.
  init?(_ bytes: [UInt8]) {
    self.init(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...])
  }

  /// The same for what stands after a byte order mark.
  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while true {
      rest = rest.drop(while: JSONValue.isBlank)
      guard rest.first == UInt8(ascii: "<") else { return nil }
      if rest.starts(with: "<?".utf8) {
        let isDeclaration =
          rest.starts(with: "<?xml".utf8) && rest.dropFirst(5).first.map(JSONValue.isBlank) ?? false
        let start = rest
        guard Self.skip(&rest, past: "?>") else { return nil }
        if isDeclaration { encoding = Self.encoding(in: start[..<rest.startIndex]) }
      } else if rest.starts(with: "<!--".utf8) {
        guard Self.skip(&rest, past: "-->") else { return nil }
      } else if rest.starts(with: "<!".utf8) {
        guard let end = rest.firstIndex(where: { "[>".utf8.contains($0) }) else { return nil }
        declares = rest[end] == UInt8(ascii: "[")
        if declares { return }
        rest = rest[(end + 1)...]
      } else {
        break
      }
    }
    guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    tag = rest[...end]
    let name = tag.dropFirst().prefix { !JSONValue.isBlank($0) && !"/>".utf8.contains($0) }
    root =
      name.split(separator: UInt8(ascii: ":")).last
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func encoding(in declaration: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: declaration, as: UTF8.self)
    let parts = text.split(separator: "encoding", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let value = parts[1].drop { " \t\r\n=".contains($0) }
    guard let quote = value.first, "\"'".contains(quote) else { return nil }
    return value.dropFirst().prefix { $0 != quote }.lowercased()
  }

  private static func skip(_ rest: inout ArraySlice<UInt8>, past end: StaticString) -> Bool {
    let end = end.withUTF8Buffer { Array($0) }
    guard let place = rest.indices.first(where: { rest[$0...].starts(with: end) }) else {
      return false
    }
    rest = rest[(place + end.count)...]
    return true
  }

  /// Whether the first element is this one, and its tag names this namespace.
  func isRoot(_ name: String, namespace: String) -> Bool {
    root == name && String(decoding: tag, as: UTF8.self).contains(namespace)
  }
}

extension CatalogBody {
  /// The opening of a document of XML or HTML, where it is one.
  var markup: MarkupOpening? { MarkupOpening(opening) }
}
