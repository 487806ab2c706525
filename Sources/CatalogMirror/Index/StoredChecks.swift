import SyncDatabase
import SyncText

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
  /// The further digests of an item's bytes.
  func checks(of key: CatalogKey) throws -> [ContentDigest] {
    guard let bytes = try optionalBlob("checks") else { return [] }
    guard let checks = StoredChecks.checks(in: bytes, of: key) else {
      throw wrongType("checks", "not digests as they were written")
    }
    return checks
  }
}
