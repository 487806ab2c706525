extension Double {
  /// The number that a few digits write, with a point among them or not: `-12.375`.
  ///
  /// With up to 15 digits both parts of the one division are exact, and so its result is the
  /// nearest double (W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990, section
  /// 3). `nil` for all else, exponents too.
  package init?(shortDecimal bytes: UnsafeBufferPointer<UInt8>) {
    var (digits, whole): (Int64, Int?) = (0, nil)
    let isNegative = bytes.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    guard bytes.count > start, bytes.count <= start + 16 else { return nil }
    for place in start..<bytes.count {
      let digit = bytes[place] &- 0x30
      if digit < 10 {
        digits = digits * 10 + Int64(digit)
      } else if bytes[place] == UInt8(ascii: "."), whole == nil {
        whole = place - start
      } else {
        return nil
      }
    }
    let count = bytes.count - start - (whole == nil ? 0 : 1)
    let fraction = count - (whole ?? count)
    guard (1...15).contains(count) else { return nil }
    let number = Double(digits) / Self.powersOfTen[fraction]
    self = isNegative ? -number : number
  }

  /// 1 to 1e15, which doubles hold exactly.
  private static let powersOfTen: [Double] = (0...15).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

extension Int64 {
  /// The number whose decimal digits these bytes are, after a minus if it is negative; `nil` for
  /// anything else, and for what doesn't fit. (`Int64.init(_:)` wants a `String`, which would have
  /// to be made first, and takes a plus.)
  package init?(decimal bytes: UnsafeBufferPointer<UInt8>) {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var number: Int64 = 0
    var position = isNegative ? 1 : 0
    guard position < bytes.count else { return nil }
    while position < bytes.count {
      guard bytes[position].isDigit else { return nil }
      let (ten, isTooMuch) = number.multipliedReportingOverflow(by: 10)
      let digit = Int64(bytes[position] - 0x30)
      // Downwards, since there is one more negative number than positive ones.
      let (next, isTooMuchNow) = ten.subtractingReportingOverflow(digit)
      guard !isTooMuch, !isTooMuchNow else { return nil }
      number = next
      position += 1
    }
    guard isNegative || number != .min else { return nil }
    self = isNegative ? number : -number
  }
}

extension Int64 {
  /// The sum, or the largest number where it doesn't fit: sizes come from a catalog, and a catalog
  /// may say anything.
  package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// Nanoseconds of seconds, or the nearest number that fits: a clock, too, may say anything.
  package init(nanosecondsOf seconds: Double) {
    let nanoseconds = (seconds * 1_000_000_000).rounded(.down)
    self = Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
  }
}
