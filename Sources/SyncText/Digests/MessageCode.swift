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
