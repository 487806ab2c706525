extension WebAddress {
  /// The address of the same origin that a URL is, where each of its letters can only mean itself:
  /// what ``init(_:)`` makes of it, at a tenth of the cost. `nil` for any other text.
  ///
  /// libcurl stays the judge of what has to be judged: dot segments, encoded letters, queries,
  /// another way to write the origin.
  package func sibling(_ text: String) -> WebAddress? {
    var (given, own) = (text, self.text)
    let path = given.withUTF8 { given in
      own.withUTF8 { own -> String? in
        let start = own.count - self.path.utf8.count - (query.map { $0.utf8.count + 1 } ?? 0)
        guard given.count > start, given[..<start].elementsEqual(own[..<start]),
          Self.isPlain(given[start...])
        else { return nil }
        return String(decoding: given[start...], as: UTF8.self)
      }
    }
    return path.map { WebAddress(text: text, origin: origin, path: $0, query: nil) }
  }

  /// Whether a path is made of unreserved characters (RFC 3986, section 2.3) alone, and no segment
  /// of it is empty or begins with a dot, but that the last one may be empty.
  private static func isPlain(_ path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard path.first == UInt8(ascii: "/") else { return false }
    var before: UInt8 = 0
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        break
      case UInt8(ascii: "/"), UInt8(ascii: "."):
        guard before != UInt8(ascii: "/") else { return false }
      default: return false
      }
      before = byte
    }
    return true
  }
}
