/// A digest of some bytes, and by which algorithm it was taken.
public struct ContentDigest: Hashable, Sendable {
  /// How a digest is taken.
  public enum Algorithm: String, Hashable, Sendable, CaseIterable {
    /// MD5 (RFC 1321): 16 bytes.
    case md5
    /// SHA-1 (FIPS 180-4): 20 bytes.
    case sha1
    /// SHA-256 (FIPS 180-4): 32 bytes.
    case sha256
    /// SHA-512 (FIPS 180-4): 64 bytes.
    case sha512

    /// How many bytes a digest has.
    public var byteCount: Int {
      switch self {
      case .md5: 16
      case .sha1: 20
      case .sha256: 32
      case .sha512: 64
      }
    }

    /// Whether equal digests prove equal bytes. For MD5 and SHA-1 others can be made that have the
    /// same digest (RFC 6151, RFC 6194): only what differs proves anything.
    public var provesEquality: Bool {
      switch self {
      case .md5, .sha1: false
      case .sha256, .sha512: true
      }
    }

    /// Its name for people: "SHA-256".
    public var title: String {
      switch self {
      case .md5: "MD5"
      case .sha1: "SHA-1"
      case .sha256: "SHA-256"
      case .sha512: "SHA-512"
      }
    }
  }

  /// How it was taken.
  public let algorithm: Algorithm
  /// The digest, as many bytes as its algorithm gives.
  public let bytes: [UInt8]

  /// A digest; `nil` for another count of bytes than the algorithm gives.
  public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.byteCount else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// A digest from hexadecimal digits in either case; `nil` for anything else.
  public init?(_ algorithm: Algorithm, hexadecimal digits: some Collection<UInt8>) {
    guard digits.count == 2 * algorithm.byteCount else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(algorithm.byteCount)
    var high: UInt8?
    for digit in digits {
      guard let value = Hexadecimal.value(ofDigit: digit) else { return nil }
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    self.init(algorithm, bytes: bytes)
  }

  /// A digest in Base64 (RFC 4648, section 4), padded; `nil` for anything else.
  public init?(_ algorithm: Algorithm, base64 text: String) {
    guard let bytes = Base64.bytes(of: text) else { return nil }
    self.init(algorithm, bytes: bytes)
  }

  /// A SHA-256 digest.
  public init(_ digest: SHA256Digest) {
    algorithm = .sha256
    bytes = digest.bytes
  }

  /// The same digest, if it is a SHA-256.
  public var sha256: SHA256Digest? {
    algorithm == .sha256 ? SHA256Digest(bytes: bytes) : nil
  }
}

extension ContentDigest: CustomStringConvertible {
  /// Its algorithm and its hexadecimal digits in lower case: `sha512:0e…`.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    let hexadecimal = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return algorithm.rawValue + ":" + String(decoding: hexadecimal, as: UTF8.self)
  }
}
