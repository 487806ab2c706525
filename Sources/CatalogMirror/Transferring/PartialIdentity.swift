import SyncDatabase
import SyncText

/// What a partial file will be once it is whole: the bytes of one item in one version. A file of
/// another version has another identity, and so the two never join.
struct PartialIdentity: Sendable {
  var key: CatalogKey
  var version: ItemVersion
  var size: Int64?
  var sha256: SHA256Digest?
  var checks: [ContentDigest]

  init(_ entry: CatalogEntry) {
    key = entry.key
    version = entry.version
    size = entry.size
    sha256 = entry.sha256
    checks = entry.checks
  }

  /// Its name among the partial files: a digest in hexadecimal.
  var slot: String {
    let parts = [key.bytes, version.storedValue.bytes]
    // The length before each part, so that no two lists of parts read the same.
    var bytes = parts.flatMap { Array("\($0.count):".utf8) + $0 }
    bytes += Array("\(size.map(String.init) ?? "-"):".utf8) + (sha256?.bytes ?? [])
    bytes += checks.flatMap { Array("\n\($0)".utf8) }
    return SHA256Digest(of: bytes).description
  }
}

extension StoredValue {
  fileprivate var bytes: [UInt8] {
    if case .blob(let bytes) = self { bytes } else { [] }
  }
}
