package import SyncDatabase
package import SyncText

extension ByteString: DatabaseValue {
  package var storedValue: StoredValue { .blob(bytes) }
}

extension SHA256Digest: DatabaseValue {
  package var storedValue: StoredValue { .blob(bytes) }
}

extension Row {
  package func byteString(_ column: Column) throws -> ByteString {
    ByteString(bytes: try blob(column))
  }

  package func digest(_ column: Column) throws -> SHA256Digest {
    guard let digest = try optionalDigest(column) else {
      throw wrongType(column, "not a SHA-256 digest")
    }
    return digest
  }

  package func optionalDigest(_ column: Column) throws -> SHA256Digest? {
    guard let bytes = try optionalBlob(column) else { return nil }
    guard let digest = SHA256Digest(bytes: bytes) else {
      throw wrongType(column, "not a SHA-256 digest")
    }
    return digest
  }
}

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

/// The further digests of an item's bytes as one blob: each as a letter and its bytes, and behind
/// them the first 8 bytes of the SHA-256 of the key and all of that. A row's own checksum is over
/// columns that were there before this one.
///
/// | algorithm | letter |
/// | --- | --- |
/// | MD5 | `5` |
/// | SHA-1 | `1` |
/// | SHA-256 | `2` |
/// | SHA-512 | `6` |
struct StoredChecks: DatabaseValue {
  private static let sumCount = 8

  private let bytes: [UInt8]

  /// `nil` for none.
  init?(_ checks: [ContentDigest], of key: CatalogKey) {
    guard !checks.isEmpty else { return nil }
    let list = checks.flatMap { [$0.algorithm.letter] + $0.bytes }
    bytes = list + Self.sum(of: list, key)
  }

  var storedValue: StoredValue { .blob(bytes) }

  /// What was stored; `nil` when it isn't what was written for this key.
  static func checks(in stored: [UInt8], of key: CatalogKey) -> [ContentDigest]? {
    var rest = stored.dropLast(sumCount)
    guard stored.suffix(sumCount).elementsEqual(sum(of: Array(rest), key)) else { return nil }
    var checks: [ContentDigest] = []
    while let letter = rest.popFirst() {
      let algorithm = ContentDigest.Algorithm.allCases.first { $0.letter == letter }
      guard let algorithm,
        let check = ContentDigest(algorithm, bytes: Array(rest.prefix(algorithm.byteCount)))
      else { return nil }
      checks.append(check)
      rest = rest.dropFirst(algorithm.byteCount)
    }
    return checks
  }

  private static func sum(of list: [UInt8], _ key: CatalogKey) -> ArraySlice<UInt8> {
    SHA256Digest(of: key.bytes + [0] + list).bytes.prefix(sumCount)
  }
}

extension ContentDigest.Algorithm {
  fileprivate var letter: UInt8 {
    switch self {
    case .md5: UInt8(ascii: "5")
    case .sha1: UInt8(ascii: "1")
    case .sha256: UInt8(ascii: "2")
    case .sha512: UInt8(ascii: "6")
    }
  }
}

extension Row {
  func checks(of key: CatalogKey) throws -> [ContentDigest] {
    guard let bytes = try optionalBlob("checks") else { return [] }
    guard let checks = StoredChecks.checks(in: bytes, of: key) else {
      throw wrongType("checks", "not digests as they were written")
    }
    return checks
  }
}
