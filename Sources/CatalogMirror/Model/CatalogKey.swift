public import SyncText

/// The key of a catalog entry: bytes from an untrusted party, compared as bytes.
public typealias CatalogKey = ByteString

extension CatalogKey {
  /// The key of the directory that it names a place in; `nil` where that is the mirror's own.
  var directory: CatalogKey? {
    bytes.lastIndex(of: UInt8(ascii: "/")).map { CatalogKey(bytes: Array(bytes[..<$0])) }
  }
}
