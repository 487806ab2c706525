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
