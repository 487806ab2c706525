#if canImport(CryptoKit)
  private import CryptoKit
#else
  private import CSyncCrypto
#endif

/// A digest over bytes as they come, through the system's library (OpenSSL, CryptoKit on Apple
/// systems). Not thread-safe: one stream, one hasher.
package final class ContentHasher {
  package let algorithm: ContentDigest.Algorithm

  #if canImport(CryptoKit)
    private var state: any HashFunction

    /// A hasher that has seen nothing yet.
    package init?(_ algorithm: ContentDigest.Algorithm) {
      self.algorithm = algorithm
      state =
        switch algorithm {
        case .md5: Insecure.MD5()
        case .sha1: Insecure.SHA1()
        case .sha256: SHA256()
        case .sha512: SHA512()
        }
    }

    package func update(_ bytes: UnsafeRawBufferPointer) {
      state.update(bufferPointer: bytes)
    }

    /// The digest of everything taken. Asked for once, and nothing is taken after it.
    package func finish() -> ContentDigest? {
      ContentDigest(algorithm, bytes: Array(state.finalize()))
    }
  #else
    private let context: OpaquePointer

    /// A hasher that has seen nothing yet; `nil` where the library refuses the algorithm, as one
    /// that follows FIPS 140 refuses MD5.
    package init?(_ algorithm: ContentDigest.Algorithm) {
      guard let context = EVP_MD_CTX_new() else { return nil }
      let method =
        switch algorithm {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        }
      self.algorithm = algorithm
      self.context = context
      guard EVP_DigestInit_ex(context, method, nil) == 1 else { return nil }
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: UnsafeRawBufferPointer) {
      guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
        preconditionFailure("OpenSSL refused to hash")
      }
    }

    /// The digest of everything taken. Asked for once, and nothing is taken after it.
    package func finish() -> ContentDigest? {
      var bytes = [UInt8](repeating: 0, count: algorithm.byteCount)
      guard EVP_DigestFinal_ex(context, &bytes, nil) == 1 else { return nil }
      return ContentDigest(algorithm, bytes: bytes)
    }
  #endif
}

extension ContentDigest {
  /// The digest of bytes that are all there; `nil` where the library refuses the algorithm.
  package init?(_ algorithm: Algorithm, of bytes: [UInt8]) {
    guard let hasher = ContentHasher(algorithm) else { return nil }
    bytes.withUnsafeBytes { hasher.update($0) }
    guard let digest = hasher.finish() else { return nil }
    self = digest
  }
}
