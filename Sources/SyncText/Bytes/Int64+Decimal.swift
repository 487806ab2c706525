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
