#if canImport(CryptoKit)
  private import CryptoKit
#else
  private import CSyncCrypto
#endif

/// A key that tells whether the private key beside it has signed something: Ed25519 (RFC 8032),
/// through the system's library (OpenSSL, CryptoKit on Apple systems).
package struct Ed25519PublicKey: Hashable, Sendable {
  /// The 32 bytes of the key (RFC 8032, section 5.1.5).
  package let bytes: [UInt8]

  /// The bytes of every key, and of every signature.
  package static let (count, signatureCount) = (32, 64)

  /// A key of exactly 32 bytes; `nil` for any other count.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = bytes
  }

  /// What people and catalogs name it by: the first 16 hexadecimal digits of the SHA-256 of its
  /// bytes.
  package var id: String { String(SHA256Digest(of: bytes).description.prefix(16)) }

  /// Whether these 64 bytes are a signature of the message by the private key beside this one.
  package func hasSigned(_ message: [UInt8], by signature: [UInt8]) -> Bool {
    guard signature.count == Self.signatureCount else { return false }
    #if canImport(CryptoKit)
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
      return key?.isValidSignature(signature, for: message) ?? false
    #else
      guard
        let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
      else { return false }
      defer { EVP_PKEY_free(key) }
      guard let context = EVP_MD_CTX_new() else { return false }
      defer { EVP_MD_CTX_free(context) }
      return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
        && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    #endif
  }
}

/// A key that signs: Ed25519 (RFC 8032).
package struct Ed25519PrivateKey: Sendable {
  private let seed: [UInt8]
  package let publicKey: Ed25519PublicKey

  /// A key of exactly 32 bytes (RFC 8032, section 5.1.5); `nil` for any other count, and where the
  /// system's library has no such keys.
  package init?(seed: [UInt8]) {
    guard seed.count == Ed25519PublicKey.count, let bytes = Self.publicBytes(of: seed),
      let key = Ed25519PublicKey(bytes: bytes)
    else { return nil }
    (self.seed, publicKey) = (seed, key)
  }

  #if canImport(CryptoKit)
    private static func publicBytes(of seed: [UInt8]) -> [UInt8]? {
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
      return key.map { Array($0.publicKey.rawRepresentation) }
    }

    /// The 64 bytes of a signature of a message. (CryptoKit mixes random bytes in.)
    package func signature(of message: [UInt8]) -> [UInt8] {
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed),
        let signature = try? key.signature(for: message)
      else { preconditionFailure("CryptoKit refused to sign") }
      return Array(signature)
    }
  #else
    private static func publicBytes(of seed: [UInt8]) -> [UInt8]? {
      withKey(seed) { key in
        var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
        return EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 ? bytes : nil
      }
    }

    /// The 64 bytes of its signature of a message.
    package func signature(of message: [UInt8]) -> [UInt8] {
      let signature = Self.withKey(seed) { key -> [UInt8]? in
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var count = Ed25519PublicKey.signatureCount
        var bytes = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
          EVP_DigestSign(context, &bytes, &count, message, message.count) == 1
        else { return nil }
        return bytes
      }
      guard let signature else { preconditionFailure("no memory is left for OpenSSL") }
      return signature
    }

    private static func withKey(
      _ seed: [UInt8], _ body: (OpaquePointer) -> [UInt8]?
    ) -> [UInt8]? {
      guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
        return nil
      }
      defer { EVP_PKEY_free(key) }
      return body(key)
    }
  #endif
}

extension Ed25519PrivateKey: CustomStringConvertible, CustomReflectable {
  /// Nothing of the key itself.
  package var description: String { "private key of \(publicKey.id)" }

  /// Nothing of the key itself.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
