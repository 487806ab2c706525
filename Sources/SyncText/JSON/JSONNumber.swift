/// A number of JSON (RFC 8259, section 6), exactly as it was written.
///
/// Two numbers are equal when they have the same value, however they are written, and nothing is
/// rounded for it: `1`, `1.0` and `10e-1` are equal, `0.1` and `0.10000000000000001` are not. An
/// exponent of any length costs no more than its text.
package struct JSONNumber: Sendable {
  package let text: String

  /// A number that a reader has checked.
  init(checked text: String) {
    self.text = text
  }

  /// The number of this text; `nil` when the text isn't exactly one number of JSON.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let value = try? JSONValue(bytes, in: 0..<bytes.count, nesting: 0),
      let number = value.number, number.text.utf8.count == bytes.count
    else { return nil }
    self = number
  }

  package init(_ integer: Int64) {
    text = String(integer)
  }

  /// The shortest decimal number that reads back as `double`; `nil` for infinity and what is no
  /// number, which JSON can't say. A whole number keeps its `.0`, which tells that it is a double.
  package init?(_ double: Double) {
    guard double.isFinite else { return nil }
    text = double.description
  }

  /// The integer of that value, if there is one that fits: `1e3` and `1.0` have one, too.
  package var integer: Int64? {
    if let integer = Int64(text) { return integer }
    let decimal = Decimal(text)
    guard let zeros = Int(decimal.exponent), (0..<19).contains(zeros) else { return nil }
    return Int64(decimal.mantissa + String(repeating: "0", count: zeros))
  }

  /// The nearest double. `nil` when the number is beyond the finite doubles: section 6 lets a
  /// reader set its limits, and infinity would be another number. What is too small for a double is
  /// zero.
  package var double: Double? {
    guard let double = Double(text), double.isFinite else { return nil }
    return double
  }

  /// The number's one canonical text, the same for equal numbers: its digits without the zeros at
  /// both ends and, unless that is zero, the exponent (`15e-1`, `1e3`, `-7`).
  package var canonicalText: String {
    let decimal = Decimal(text)
    return decimal.exponent == "0" ? decimal.mantissa : decimal.mantissa + "e" + decimal.exponent
  }
}

extension JSONNumber: Hashable {
  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || Decimal(left.text) == Decimal(right.text)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(Decimal(text))
  }
}

/// A value as `mantissa` × 10 ^ `exponent`, in the one form that each value has.
private struct Decimal: Hashable {
  /// Digits that neither begin nor end with a zero, after a minus where the value is negative; `0`
  /// for zero.
  var mantissa = "0"
  /// An integer of any length; `0` for zero.
  var exponent = "0"

  /// - Parameter text: A number of JSON.
  init(_ text: String) {
    let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let isNegative = text.hasPrefix("-")
    let pieces = parts[0].drop { $0 == "-" }.split(separator: ".")
    let fraction = pieces.count == 2 ? pieces[1] : ""
    let digits = (pieces[0] + fraction).drop { $0 == "0" }
    let zeros = digits.reversed().prefix { $0 == "0" }.count
    guard !digits.isEmpty else { return }
    mantissa = (isNegative ? "-" : "") + digits.dropLast(zeros)
    exponent = Self.sum(parts.count == 2 ? parts[1] : "0", zeros - fraction.utf8.count)
  }

  /// - Parameter shift: Far smaller than the numbers that `Int` can't hold.
  private static func sum(_ exponent: Substring, _ shift: Int) -> String {
    let isNegative = exponent.hasPrefix("-")
    let digits = exponent.drop { "+-0".contains($0) }
    if digits.utf8.count <= 18 { return String((Int(exponent) ?? 0) + shift) }
    // So long an exponent keeps its sign whatever is added.
    var sum = Array(digits.utf8)
    var carry = isNegative ? -shift : shift
    for index in sum.indices.reversed() where carry != 0 {
      let total = Int(sum[index]) - 0x30 + carry
      let digit = (total % 10 + 10) % 10
      sum[index] = UInt8(0x30 + digit)
      carry = (total - digit) / 10
    }
    let whole = (carry > 0 ? String(carry) : "") + String(decoding: sum, as: UTF8.self)
    return (isNegative ? "-" : "") + whole.drop { $0 == "0" }
  }
}
