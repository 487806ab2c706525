/// Numbers as points in time, in a unit that their size tells.
enum UnixTime {
  /// The milliseconds since 1970 that a decimal number means, rounded down: below 10^11 it counts
  /// seconds, below 10^14 milliseconds, below 10^17 microseconds, else nanoseconds, whatever its
  /// sign. `nil` when it isn't a number, or further away than any date.
  ///
  /// The digits are shifted, not calculated with: a number of any length is exact.
  /// - Parameter allowsExponent: Whether it may have an exponent, as numbers of JSON have.
  static func milliseconds(
    _ text: UnsafeBufferPointer<UInt8>, allowsExponent: Bool
  ) -> Int64? {
    var scan = DateScanner(text)
    let isNegative = scan.take("-")
    let whole = scan.digits()
    var fraction = whole[whole.endIndex...]
    if scan.take(".") {
      fraction = scan.digits()
      guard !fraction.isEmpty else { return nil }
    }
    guard !whole.isEmpty, let exponent = exponent(&scan, isAllowed: allowsExponent), scan.isAtEnd
    else { return nil }
    return milliseconds(whole, fraction, exponent: exponent, isNegative: isNegative)
  }

  private typealias Digits = Slice<UnsafeBufferPointer<UInt8>>

  private static func exponent(_ scan: inout DateScanner, isAllowed: Bool) -> Int? {
    guard isAllowed, scan.take("eE") else { return 0 }
    let isNegative = scan.take("-")
    if !isNegative { _ = scan.take("+") }
    let digits = scan.digits()
    guard !digits.isEmpty else { return nil }
    // So large an exponent is beyond all dates, or leaves nothing: its size doesn't matter.
    let size = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1 << 40) }
    return isNegative ? -size : size
  }

  private static func milliseconds(
    _ whole: Digits, _ fraction: Digits, exponent: Int, isNegative: Bool
  ) -> Int64? {
    let leadingZeros = whole.prefix { $0 == 0x30 }.count
    let zeros =
      leadingZeros < whole.count
      ? leadingZeros : whole.count + fraction.prefix { $0 == 0x30 }.count
    let count = whole.count + fraction.count
    guard zeros < count else { return 0 }
    // How many digits stand before the point, zeros in front not counted.
    let size = whole.count - zeros + exponent
    let shift =
      switch size {
      case ...11: 3
      case ...14: 0
      case ...17: -3
      default: -6
      }
    guard size + shift <= 15 else { return nil }
    let kept = max(size + shift, 0)
    var number: Int64 = 0
    for place in zeros..<zeros + kept {
      number = number * 10 + (place < count ? digit(place, whole, fraction) : 0)
    }
    let isExact = (min(zeros + kept, count)..<count).allSatisfy { digit($0, whole, fraction) == 0 }
    return isNegative ? -number - (isExact ? 0 : 1) : number
  }

  private static func digit(_ place: Int, _ whole: Digits, _ fraction: Digits) -> Int64 {
    let byte =
      place < whole.count
      ? whole[whole.startIndex + place] : fraction[fraction.startIndex + place - whole.count]
    return Int64(byte - 0x30)
  }
}
