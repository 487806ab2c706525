private import SyncText

extension MemberMerger {
  /// Merges numbers by their differences: what each side added to the base is added, exactly. The
  /// next policy decides about what is no number, without a base, and where the sum is a whole
  /// number beyond 64 bits or a fraction with more digits than every reader keeps.
  public static let counter = MemberMerger { base, here, there in
    guard let base = ScaledNumber(base), let here = ScaledNumber(here),
      let there = ScaledNumber(there), let sum = (here + there).flatMap({ $0 - base })
    else { return nil }
    return sum.value
  }
}

/// A decimal number as `digits` × 10 ^ `exponent`, exactly.
private struct ScaledNumber {
  private var digits: Int128
  private var exponent: Int

  private init(digits: Int128, exponent: Int) {
    self.digits = digits
    self.exponent = exponent
  }

  init?(_ value: DocumentValue?) {
    guard let parts = value?.json.number?.canonicalText.split(separator: "e"),
      let digits = parts.first.flatMap({ Int128($0) }),
      let exponent = Int(parts.count > 1 ? parts[1] : "0")
    else { return nil }
    self.init(digits: digits, exponent: exponent)
  }

  static func + (one: ScaledNumber, other: ScaledNumber) -> ScaledNumber? {
    let exponent = min(one.exponent, other.exponent)
    guard let left = one.digits(at: exponent), let right = other.digits(at: exponent) else {
      return nil
    }
    let (sum, isTooMuch) = left.addingReportingOverflow(right)
    return isTooMuch ? nil : ScaledNumber(digits: sum, exponent: exponent)
  }

  static func - (one: ScaledNumber, other: ScaledNumber) -> ScaledNumber? {
    // No number of a document has so many digits that its negative doesn't fit.
    guard other.digits != .min else { return nil }
    return one + ScaledNumber(digits: -other.digits, exponent: other.exponent)
  }

  /// The digits for that exponent, which is no greater than its own; `nil` for too many of them.
  private func digits(at exponent: Int) -> Int128? {
    let (zeros, isTooMany) = self.exponent.subtractingReportingOverflow(exponent)
    guard digits != 0 else { return 0 }
    guard !isTooMany, zeros < 39 else { return nil }
    var shifted = digits
    for _ in 0..<zeros {
      let (product, isTooMuch) = shifted.multipliedReportingOverflow(by: 10)
      guard !isTooMuch else { return nil }
      shifted = product
    }
    return shifted
  }

  /// The number as people write it, without an exponent.
  var value: DocumentValue? {
    if exponent >= 0 { return digits(at: 0).flatMap { Int64(exactly: $0) }.map { .init($0) } }
    var (digits, places) = (digits, -exponent)
    while places > 0, digits.isMultiple(of: 10) {
      digits /= 10
      places -= 1
    }
    guard places > 0 else { return Int64(exactly: digits).map { .init($0) } }
    guard digits.magnitude < Self.digitsOfDoubles, places <= 30 else { return nil }
    let text = String(digits.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
    let number = "\(digits < 0 ? "-" : "")\(padded.dropLast(places)).\(padded.suffix(places))"
    return DocumentValue(written: Array(number.utf8))
  }

  /// Every number of fewer digits comes back from a double as it was.
  private static let digitsOfDoubles: UInt128 = 1_000_000_000_000_000
}
