import SyncText

/// The lines of a text, taken out of the armour of a message that is signed in clear (RFC 9580,
/// section 7) where it stands in one. Nothing is said of the signature.
struct SignedText {
  let lines: [ArraySlice<UInt8>]
  let isSigned: Bool
  let endsWithNewline: Bool

  /// `nil` for armour that isn't whole, or with anything before or after it.
  init?(_ bytes: ArraySlice<UInt8>) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    guard lines.first.map(Self.beginsArmour) ?? false else {
      endsWithNewline = bytes.last == UInt8(ascii: "\n")
      self.lines = endsWithNewline ? lines.dropLast() : lines
      isSigned = false
      return
    }
    guard let text = Self.text(in: lines.dropFirst()) else { return nil }
    self.lines = text
    (isSigned, endsWithNewline) = (true, true)
  }

  static func beginsArmour(_ line: ArraySlice<UInt8>) -> Bool {
    trimmed(line).elementsEqual("-----BEGIN PGP SIGNED MESSAGE-----".utf8)
  }

  /// What stands between the armour's headers and its signature.
  private static func text(in lines: ArraySlice<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>]? {
    let isBlank = { (line: ArraySlice<UInt8>) in trimmed(line).isEmpty }
    guard let start = lines.firstIndex(where: isBlank),
      lines[..<start].allSatisfy({ $0.starts(with: "Hash: ".utf8) })
    else { return nil }
    let body = lines[(start + 1)...]
    // A line of the text itself that begins with a hyphen is escaped by another (section 7.1).
    guard let end = body.firstIndex(where: { $0.starts(with: "-----".utf8) }),
      trimmed(body[end]).elementsEqual("-----BEGIN PGP SIGNATURE-----".utf8),
      let last = body.lastIndex(where: { !isBlank($0) }),
      trimmed(body[last]).elementsEqual("-----END PGP SIGNATURE-----".utf8),
      !body[(end + 1)..<last].contains(where: { $0.first == UInt8(ascii: "-") })
    else { return nil }
    return body[..<end].map { $0.starts(with: "- ".utf8) ? $0.dropFirst(2) : $0 }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.prefix(line.count - line.reversed().prefix(while: JSONValue.isBlank).count)
  }
}
