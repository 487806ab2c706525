/// A media type: what kind of content a body is (RFC 9110, section 8.3.1).
package struct MediaType: Hashable, Sendable {
  /// The type, in lower case: `application`.
  package let type: String
  /// The subtype, in lower case: `json`.
  package let subtype: String
  /// The `charset` parameter, in lower case.
  package let charset: String?

  /// Reads a `Content-Type`; `nil` when no type and subtype stand in front. A broken parameter
  /// doesn't matter.
  package init?(_ text: String) {
    var scanner = FieldScanner(text)
    scanner.skipSpace()
    guard let type = scanner.token(), scanner.take("/"), let subtype = scanner.token() else {
      return nil
    }
    self.type = type.lowercased()
    self.subtype = subtype.lowercased()
    charset = scanner.parameters()?.first { $0.name == "charset" }?.value.lowercased()
  }

  /// The ``essence`` of a `Content-Type`; `nil` when no type and subtype stand in front.
  package static func essence(of text: String) -> String? {
    // Nearly all are written so; and each answer has one.
    isEssence(text.utf8) ? text : MediaType(text)?.essence
  }

  /// Whether nothing but a type and a subtype stand there, in lower case.
  private static func isEssence(_ text: String.UTF8View) -> Bool {
    var slashes = 0
    var last: UInt8?
    for byte in text {
      if byte == UInt8(ascii: "/") {
        guard last != nil else { return false }
        slashes += 1
      } else {
        guard byte == byte.lowercasedASCII, byte.isTokenCharacter else { return false }
      }
      last = byte
    }
    return slashes == 1 && last != UInt8(ascii: "/")
  }

  /// `type/subtype`, in lower case.
  package var essence: String { "\(type)/\(subtype)" }
}
