package import SyncDatabase
import SyncText

/// A version is stored as one blob: a letter for its kind, then its bytes. Equal blobs are equal
/// versions, so SQL may compare them.
///
/// | kind | stored |
/// | --- | --- |
/// | digest | `d` and the 32 bytes |
/// | strong ETag, weak ETag, revision | `s`, `w`, `r` and the text in UTF-8 |
/// | date and size | `t`, the size in decimal if known, then `:` and the date if known |
/// | unknown | `u` |
extension ItemVersion: DatabaseValue {
  package var storedValue: StoredValue {
    switch self {
    case .digest(let digest): .blob([UInt8(ascii: "d")] + digest.bytes)
    case .strongETag(let tag): Self.stored("s", tag)
    case .weakETag(let tag): Self.stored("w", tag)
    case .revision(let revision): Self.stored("r", revision)
    case .dateAndSize(let date, let size):
      Self.stored("t", (size.map(String.init) ?? "") + (date.map { ":" + $0 } ?? ""))
    case .unknown: Self.stored("u", "")
    }
  }

  /// The version that was stored as these bytes; `nil` if none was.
  init?(stored bytes: [UInt8]) {
    guard let kind = bytes.first else { return nil }
    if kind == UInt8(ascii: "d") {
      guard let digest = SHA256Digest(bytes: Array(bytes[1...])) else { return nil }
      self = .digest(digest)
      return
    }
    guard let text = String(validating: bytes[1...], as: UTF8.self) else { return nil }
    switch kind {
    case UInt8(ascii: "s"): self = .strongETag(text)
    case UInt8(ascii: "w"): self = .weakETag(text)
    case UInt8(ascii: "r"): self = .revision(text)
    case UInt8(ascii: "t"): self.init(storedDateAndSize: text)
    case UInt8(ascii: "u") where text.isEmpty: self = .unknown
    default: return nil
    }
  }

  private init?(storedDateAndSize text: String) {
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    let number = text[..<(colon ?? text.endIndex)]
    let size = Int64(number)
    guard size != nil || number.isEmpty else { return nil }
    let date = colon.map { String(text[text.utf8.index(after: $0)...]) }
    self = .dateAndSize(date: date, size: size)
  }

  private static func stored(_ kind: Unicode.Scalar, _ text: String) -> StoredValue {
    .blob([UInt8(ascii: kind)] + Array(text.utf8))
  }
}

extension LineDigest: DatabaseValue {
  package var storedValue: StoredValue { .blob(bytes) }
}

extension Row {
  /// Makes sure that a row of items is as it was written. Its checksum is over the columns before
  /// it. What came to the table later stands behind it: a line has to be one by its looks, and
  /// further digests bear a checksum of their own.
  /// Whoever reads a part of a row checks all of it, so that what one reader finds damaged every
  /// other does.
  func requireSoundItem() throws {
    try requireChecksum("checksum")
    _ = try optionalLine("line")
    if try !isNull("checks") { _ = try checks(of: byteString("key")) }
  }

  /// What a line is known by, or `nil` for NULL.
  func optionalLine(_ column: Column) throws -> LineDigest? {
    guard let bytes = try optionalBlob(column) else { return nil }
    guard let line = LineDigest(bytes: bytes) else {
      throw wrongType(column, "not a line's digest")
    }
    return line
  }

  func version(_ column: Column) throws -> ItemVersion {
    guard let version = ItemVersion(stored: try blob(column)) else {
      throw wrongType(column, "not a version")
    }
    return version
  }
}
