import SyncText

/// What only few entries have.
struct RareFacts: Hashable {
  var estimatedSize: Int64?
  /// The digest of the bytes, where it isn't the version.
  var sha256: SHA256Digest?
  var checks: [ContentDigest] = []
  var order = 0
  var title: String?
  var preview: CatalogEntry.Preview?
  var extra: String?
}
