import SyncText

/// What an entry or a preview says of its version, and which of it counts: a digest before the
/// catalog's own word, that before date and size.
struct VersionFacts {
  var digest: SHA256Digest?
  var revision: String?
  var date: String?
  var size: Int64?

  var version: ItemVersion {
    if let digest { return .digest(digest) }
    if let revision { return .revision(revision) }
    if date != nil || size != nil { return .dateAndSize(date: date, size: size) }
    return .unknown
  }

  /// Takes `size`, `sha256` and `version`; false for any other field.
  mutating func take(_ member: JSONValue.Member) throws(EntryProblem) -> Bool {
    switch String(decoding: member.name, as: UTF8.self) {
    case "size":
      guard let number = member.value.integer, number >= 0 else {
        throw .field(name: "size", expected: "a whole number of bytes")
      }
      size = number
    case "sha256":
      guard let digest = member.value.string.flatMap({ SHA256Digest(hexadecimal: $0) }) else {
        throw .field(name: "sha256", expected: "64 hexadecimal digits")
      }
      self.digest = digest
    case "version":
      // A number counts by its digits: 7 is the version "7".
      guard let text = member.value.string ?? member.value.number?.canonicalText
      else { throw .field(name: "version", expected: "a string or a number") }
      revision = text
    default: return false
    }
    return true
  }
}

enum DateText {
  /// Seconds since 1970 of a date in RFC 3339, as in mail or HTTP, or as that very number; `nil`
  /// for anything else, and for a date whose zone isn't said.
  ///
  /// A number counts only as a moment of the years 1980 to 9999, in seconds or milliseconds: a
  /// version or a counter would date files to 1970.
  static func seconds(_ text: String) -> Double? {
    if let seconds = CivilTime.rfc3339(text) ?? CivilTime.mail(text) { return seconds }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
      return nil
    }
    guard let number = Double(text) else { return nil }
    if dated.contains(number) { return number }
    return dated.contains(number / 1_000) ? number / 1_000 : nil
  }

  /// From the start of 1980 to that of 10000. Its thousandfold lies far beyond it.
  private static let dated = 315_532_800.0..<253_402_300_800.0
}

/// A digest as publishers write it, with or without the name of its algorithm.
enum DigestText {
  case sha256(SHA256Digest)
  case other
  /// It names SHA-256 and isn't one, or names nothing and can't be one.
  case unreadable

  /// Reads 64 hexadecimal digits, the same after `sha256:` or `sha-256:`, after `1220` as a
  /// multihash has it, or the digits of another algorithm after its name.
  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let algorithm = parts.count == 2 ? parts[0].lowercased() : ""
    guard ["", "sha256", "sha-256"].contains(algorithm) else {
      self = .other
      return
    }
    var digits = parts.last.map(String.init) ?? ""
    if algorithm.isEmpty, digits.utf8.count == 68, digits.hasPrefix("1220") {
      digits.removeFirst(4)
    }
    self = SHA256Digest(hexadecimal: digits).map(Self.sha256) ?? .unreadable
  }
}
