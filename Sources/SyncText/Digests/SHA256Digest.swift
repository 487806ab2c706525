/// A SHA-256 digest (FIPS 180-4): 32 bytes.
public struct SHA256Digest: Hashable, Sendable, BitwiseCopyable {
  // In the digest itself: a list holds one or two for each entry, and each would be an allocation.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// A digest of exactly 32 bytes; `nil` for any other count.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// A digest from 64 hexadecimal digits in either case; `nil` for anything else.
  public init?(hexadecimal text: String) {
    var text = text
    guard let digest = text.withUTF8({ Self(hexadecimal: UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = digest
  }

  /// The same, from the digits where they stand.
  package init?(hexadecimal digits: UnsafeRawBufferPointer) {
    guard digits.count == 64 else { return nil }
    let isRead = withUnsafeMutableBytes(of: &words) { bytes in
      for place in 0..<32 {
        guard let high = Hexadecimal.value(ofDigit: digits[2 * place]),
          let low = Hexadecimal.value(ofDigit: digits[2 * place + 1])
        else { return false }
        bytes[place] = high << 4 | low
      }
      return true
    }
    guard isRead else { return nil }
  }

  /// The digest that `fill` writes, all 32 bytes of it.
  init(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) {
    withUnsafeMutableBytes(of: &words) { bytes in
      bytes.withMemoryRebound(to: UInt8.self) { $0.baseAddress.map(fill) }
    }
  }

  /// The first 16 bytes, as two big-endian numbers.
  package var firstHalf: (high: UInt64, low: UInt64) {
    (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1))
  }

  /// The 32 bytes.
  public var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

  /// Whether the bytes are equal.
  public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
    left.words == right.words
  }

  /// Hashes all bytes: a digest may be anything that a catalog says.
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes(of: words) { hasher.combine(bytes: $0) }
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
