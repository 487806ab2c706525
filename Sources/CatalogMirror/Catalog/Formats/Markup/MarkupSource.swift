import SyncText

/// The bytes of a document of XML, handed out piece by piece as UTF-8: up to a tag or a text that
/// is too large, and for as long as the task isn't cancelled.
struct MarkupSource {
  private let bytes: [UInt8]
  private let isLatin: Bool
  private var place: Int

  private var gate = MarkupGate(PieceLimits(), .xml)
  /// Whether something was too large.
  private(set) var hasTooMuch = false

  /// A document in UTF-8 or ISO 8859-1; `nil` for any other one.
  init?(_ bytes: [UInt8], encoding: String?) {
    isLatin = ["iso-8859-1", "latin1"].contains(encoding)
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    self.bytes = bytes
    // What libxml2 can't decode it complains of on standard error, whatever it is told. By bytes
    // that are zero it would take it for an encoding of more bytes a character.
    guard !bytes.prefix(place + 4).contains(0) else { return nil }
    if isLatin { return }
    guard ["utf-8", "utf8", "us-ascii", nil].contains(encoding),
      bytes.withUnsafeBytes({ UTF8Fault.first(in: $0) }) == nil
    else { return nil }
  }

  /// Puts the next bytes into a buffer, and says how many; 0 at the end.
  mutating func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard !hasTooMuch, !Task.isCancelled else { return 0 }
    let count = copy(to: buffer)
    let piece = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[..<count]))
    hasTooMuch = (try? gate.take(piece)) == nil
    return hasTooMuch ? 0 : count
  }

  private mutating func copy(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard isLatin else {
      let count = min(buffer.count, bytes.count - place)
      _ = buffer.update(fromContentsOf: bytes[place..<(place + count)])
      place += count
      return count
    }
    var count = 0
    while place < bytes.count, count + 2 <= buffer.count {
      let byte = bytes[place]
      place += 1
      if byte < 0x80 {
        buffer[count] = byte
        count += 1
      } else {
        buffer[count] = 0xC0 | byte >> 6
        buffer[count + 1] = 0x80 | byte & 0x3F
        count += 2
      }
    }
    return count
  }
}

/// What stands before a document's first element, and that element's tag: enough to tell what a
/// document is, and whether it declares anything of its own.
struct MarkupOpening {
  private(set) var root = ""
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
