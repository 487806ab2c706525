/// The codings that a body came in (RFC 9110, section 8.4), by its `Content-Encoding`.
package struct ContentCoding: Hashable, Sendable, CustomStringConvertible {
  /// In lower case, in the order in which they were applied.
  package let names: [String]

  /// Reads the fields of an answer; `nil` where they name no coding. Servers also write there what
  /// changes no byte: `identity`, `none`, or the name of a character set.
  package init?(_ fields: [String]) {
    let names = fields.flatMap { $0.lowercased().split(separator: ",") }
      .map { String($0.trimmed) }.filter { !Self.changesNothing($0) }
    guard !names.isEmpty else { return nil }
    self.names = names
  }

  /// Whether all that was done is to pack it as gzip, once.
  package var isGzip: Bool { names == ["gzip"] || names == ["x-gzip"] }

  /// The same without the chunks that S3 signs uploads in: stores say so of what they have long
  /// unpacked.
  package var withoutSignedChunks: Self? { Self(names.filter { $0 != "aws-chunked" }) }

  package var description: String { names.joined(separator: ", ") }

  private static func changesNothing(_ name: String) -> Bool {
    ["", "identity", "none", "binary", "7bit", "8bit", "ascii", "us-ascii", "utf8", "latin1"]
      .contains(name)
      || ["utf-", "iso-8859-", "windows-125"].contains { name.hasPrefix($0) }
  }
}
