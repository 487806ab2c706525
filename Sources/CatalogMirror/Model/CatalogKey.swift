package import SyncText

/// The key of a catalog entry: bytes from an untrusted party, compared as bytes.
package typealias CatalogKey = ByteString
