private import SyncEssentials

extension DocumentID {
  /// A new id: a UUID of version 7 (RFC 9562, section 5.7). Those that are made later come later in
  /// the order of ids, to the millisecond.
  public static func uuid7() -> DocumentID {
    uuid7(at: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
  }

  /// A new id, as if it were made at that time, in milliseconds since 1970.
  public static func uuid7(at milliseconds: Int64) -> DocumentID {
    // Beyond the 48 bits that there are for it, in the year 10889, it's as late as can be.
    let time = UInt64(min(max(milliseconds, 0), 0xFFFF_FFFF_FFFF))
    let high = time << 16 | UInt64.random(in: 0...0xFFFF)
    return uuid(high, UInt64.random(in: 0 ... .max), version: 7)
  }

  /// A new id: an integer above 1,000 of at most 53 bits, each as likely as any other, so that
  /// every program that takes numbers for doubles reads it exactly.
  public static func randomNumber() -> DocumentID {
    DocumentID(String(UInt64.random(in: 1_001..<1 << 53)))
  }

  /// A UUID from its bits but for those that say which version and variant it is.
  static func uuid(_ high: UInt64, _ low: UInt64, version: UInt64) -> DocumentID {
    let high = high & ~0xF000 | version << 12
    let low = low & ~(3 << 62) | 2 << 62
    let digits = (hexadecimal(high) + hexadecimal(low))[...]
    let parts = [8, 4, 4, 4, 12].reduce(into: (text: [String](), rest: digits)) { parts, count in
      parts.text.append(String(parts.rest.prefix(count)))
      parts.rest = parts.rest.dropFirst(count)
    }
    return DocumentID(parts.text.joined(separator: "-"))
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
