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
