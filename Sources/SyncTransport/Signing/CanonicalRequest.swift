import SyncText

/// What of a request is signed, written in the one way that both sides write it (Signature Version
/// 4, "Create a canonical request").
package struct CanonicalRequest: Equatable, Sendable {
  /// The text whose digest is signed.
  package let text: String
  /// The names of the fields that are signed, in lower case and sorted, with semicolons between.
  package let signedFields: String

  /// The canonical form of a request.
  ///
  /// - Parameters:
  ///   - method: The method's name.
  ///   - path: As it is sent. It is encoded once and not normalised, as S3 wants it and no other
  ///     service does.
  ///   - query: As it is sent, without the question mark.
  ///   - fields: The header fields to be signed.
  ///   - payload: The digest of the body in hexadecimal digits, or the word for none.
  package init(
    method: String, path: String, query: String?, fields: HTTPHeaders, payload: String
  ) {
    let lines = Self.lines(of: fields)
    signedFields = lines.map(\.name).joined(separator: ";")
    text = [
      method, Self.encoded(path: path), Self.sorted(query: query ?? ""),
      lines.map { "\($0.name):\($0.value)\n" }.joined(), signedFields, payload,
    ].joined(separator: "\n")
  }

  private static func encoded(path: String) -> String {
    PercentEncoding.encode(path: PercentEncoding.decode(path) ?? Array(path.utf8))
  }

  /// By name and then by value, both encoded, and compared as bytes.
  private static func sorted(query: String) -> String {
    let parameters = query.split(separator: "&").map { parameter in
      let parts = parameter.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: encoded(parts[0]), value: parts.count > 1 ? encoded(parts[1]) : "")
    }
    return
      parameters
      .sorted { left, right in
        left.name == right.name
          ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
          : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
      }
      .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  private static func encoded(_ text: Substring) -> String {
    PercentEncoding.encode(path: PercentEncoding.decode(text) ?? Array(text.utf8))
      .replacing("/", with: "%2F")
  }

  /// Names in lower case; values without outer white space, and with single spaces within; those of
  /// one name with commas between.
  private static func lines(of fields: HTTPHeaders) -> [(name: String, value: String)] {
    var values: [String: [String]] = [:]
    for field in fields.fields {
      let words = field.value.split(whereSeparator: { $0 == " " || $0 == "\t" })
      values[field.name.lowercased(), default: []].append(words.joined(separator: " "))
    }
    return values.map { (name: $0.key, value: $0.value.joined(separator: ",")) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
