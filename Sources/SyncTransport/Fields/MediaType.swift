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

  /// `type/subtype`, in lower case.
  package var essence: String { "\(type)/\(subtype)" }

  /// The format under a structured suffix: `json` of `application/feed+json`; RFC 6838, section
  /// 4.2.8.
  package var suffix: String? {
    subtype.lastIndex(of: "+").map { String(subtype[subtype.index(after: $0)...]) }
  }
}
