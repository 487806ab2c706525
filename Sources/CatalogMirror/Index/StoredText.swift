package import SyncDatabase
package import SyncText

extension ByteString: DatabaseValue {
  package var storedValue: StoredValue { .blob(bytes) }
}

extension SHA256Digest: DatabaseValue {
  /// Its 32 bytes, as a blob.
  package var storedValue: StoredValue { .blob(bytes) }
}

extension Row {
  /// A byte string, stored as a blob.
  package func byteString(_ column: Column) throws -> ByteString {
    ByteString(bytes: try blob(column))
  }

  /// A digest, stored as a blob of 32 bytes.
  package func digest(_ column: Column) throws -> SHA256Digest {
    guard let digest = try optionalDigest(column) else {
      throw wrongType(column, "not a SHA-256 digest")
    }
    return digest
  }

  /// A digest, or `nil` for NULL.
  package func optionalDigest(_ column: Column) throws -> SHA256Digest? {
    guard let bytes = try optionalBlob(column) else { return nil }
    guard let digest = SHA256Digest(bytes: bytes) else {
      throw wrongType(column, "not a SHA-256 digest")
    }
    return digest
  }
}
