import SyncText

/// What a line of a catalog is known by: the first 16 bytes of a SHA-256 digest (FIPS 180-4) of the
/// line and of all else that its reading depends on. Equal digests, equal entries.
package struct LineDigest: Hashable, Sendable, BitwiseCopyable {
  /// The first 8 bytes, as a big-endian number.
  let high: UInt64
  let low: UInt64

  /// The digest in 16 bytes; `nil` for any other count.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  static let zeros = LineDigest(high: 0, low: 0)

  private init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  init(_ digest: SHA256Digest) {
    (high, low) = digest.firstHalf
  }

  /// Bytes where they lie; `nil` for any other count than 16.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  package var bytes: [UInt8] {
    [high, low].flatMap { number in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
  }
}
