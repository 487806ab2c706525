#if canImport(CryptoKit)
  private import CryptoKit
#else
  private import CSyncCrypto
#endif

/// SHA-256 over bytes as they come, through the system's library (OpenSSL, CryptoKit on Apple
/// systems). Not thread-safe: one stream, one hasher.
package struct SHA256Hasher: ~Copyable {
  #if canImport(CryptoKit)
    private var state = SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      state.update(bufferPointer: bytes)
    }

    package consuming func finish() -> SHA256Digest {
      guard let digest = SHA256Digest(bytes: Array(state.finalize())) else {
        preconditionFailure("SHA-256 gives 32 bytes")
      }
      return digest
    }

    package mutating func finishAndRestart() -> SHA256Digest {
      var next = SHA256Hasher()
      swap(&self, &next)
      return next.finish()
    }
  #else
    private let context: OpaquePointer

    /// Begun once and then copied: OpenSSL 3 looks SHA-256 up by its name each time that a hash is
    /// begun, which takes as long as to hash a kibibyte.
    nonisolated(unsafe) private static let begun: OpaquePointer = {  // only read
      guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
      else { preconditionFailure("OpenSSL has no SHA-256, or no memory is left") }
      return context
    }()

    package init() {
      guard let context = EVP_MD_CTX_new(), EVP_MD_CTX_copy_ex(context, Self.begun) == 1
      else { preconditionFailure("no memory is left for OpenSSL") }
      self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
        preconditionFailure("OpenSSL refused to hash")
      }
    }

    package consuming func finish() -> SHA256Digest {
      var bytes = [UInt8](repeating: 0, count: 32)
      guard EVP_DigestFinal_ex(context, &bytes, nil) == 1, let digest = SHA256Digest(bytes: bytes)
      else { preconditionFailure("OpenSSL refused to finish a hash") }
      return digest
    }

    /// The digest of everything taken; begins anew. For many short streams: nothing is allocated.
    package mutating func finishAndRestart() -> SHA256Digest {
      SHA256Digest { bytes in
        guard EVP_DigestFinal_ex(context, bytes, nil) == 1,
          EVP_DigestInit_ex(context, nil, nil) == 1
        else { preconditionFailure("OpenSSL refused to finish a hash") }
      }
    }
  #endif
}

/// A code that only those can make who have the key: HMAC with SHA-256 (RFC 2104, FIPS 198-1).
package enum MessageCode {
  /// The bytes that SHA-256 takes at once.
  private static let block = 64

  /// The 32 bytes of a message's code.
  package static func sha256(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    var padded = key.count > block ? SHA256Digest(of: key).bytes : key
    padded += [UInt8](repeating: 0, count: block - padded.count)
    let inner = SHA256Digest(of: padded.map { $0 ^ 0x36 } + Array(message))
    return SHA256Digest(of: padded.map { $0 ^ 0x5C } + inner.bytes).bytes
  }
}
