/// Bytes in a URL, each that isn't plain written as three characters (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// A key or a name as a URL path: unreserved characters and slashes stay, every other byte is
  /// percent-encoded (RFC 3986, section 2.1).
  @inlinable
  package static func encode(path bytes: some Sequence<UInt8>) -> String {
    encode(bytes) { isUnreserved($0) || $0 == UInt8(ascii: "/") }
  }

  /// A name or a value in a URL's query: only unreserved characters stay.
  @inlinable
  package static func encode(inQuery bytes: some Sequence<UInt8>) -> String {
    encode(bytes) { isUnreserved($0) }
  }

  @inlinable
  static func encode(_ bytes: some Sequence<UInt8>, but isPlain: (UInt8) -> Bool) -> String {
    var output: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) {
        output.append(byte)
      } else {
        output += ("%" + Hexadecimal.upper(byte)).utf8
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes that a percent-encoded text stands for, decoded once; `nil` when it is broken.
  @inlinable
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:)),
        let low = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Whether a byte stands for itself wherever it is (RFC 3986, section 2.3).
  @inlinable
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
