/// A SHA-256 digest (FIPS 180-4): 32 bytes.
public struct SHA256Digest: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// A digest of exactly 32 bytes; `nil` for any other count.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// A digest from 64 hexadecimal digits in either case; `nil` for anything else.
  public init?(hexadecimal text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    var high: UInt8?
    for digit in text.utf8 {
      guard let value = Hexadecimal.value(ofDigit: digit), bytes.count < 32 else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard bytes.count == 32, high == nil else { return nil }
    self.bytes = bytes
  }
}

extension SHA256Digest: CustomStringConvertible {
  /// 64 hexadecimal digits in lower case.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension SHA256Digest {
  /// The digest of bytes that are all there.
  public init(of bytes: some Sequence<UInt8>) {
    var hasher = SHA256Hasher()
    Array(bytes).withUnsafeBytes { hasher.update($0) }
    self = hasher.finish()
  }
}
