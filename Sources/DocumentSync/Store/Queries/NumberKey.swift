private import SyncText

/// A number as bytes that compare as numbers do, none of its digits rounded.
///
/// A number is 0.d₁d₂d₃… × 10ᵉ, where neither the first digit is a zero nor the last. Of two that
/// are positive, the one with the higher exponent is greater, else the one whose digits come later.
/// For negative ones all bytes are turned over.
struct NumberKey {
  private var isNegative = false
  private var digits: [UInt8] = []
  private var exponent = 0
  /// Written where the exponent itself is a number beyond all bounds. Such numbers are told apart,
  /// and stand by zero in an order that means nothing: to a double, they are zero.
  private var beyond: [UInt8] = []

  /// A number by its text, which must be one.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    var (power, powerDigits, isPowerNegative) = (0, 0, false)
    var part = Part.whole
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"):
        if part == .power { isPowerNegative = true } else { isNegative = true }
      case UInt8(ascii: "."): part = .fraction
      case UInt8(ascii: "e"), UInt8(ascii: "E"): part = .power
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard part == .power else {
          add(byte, part)
          continue
        }
        if power > 0 || byte > UInt8(ascii: "0") { powerDigits += 1 }
        if powerDigits <= 17 { power = power * 10 + Int(byte - UInt8(ascii: "0")) }
      default: break
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    exponent += isPowerNegative ? -power : power
    guard powerDigits > 17, !digits.isEmpty else { return }
    let number = JSONValue(bytes: Array(text), checked: 0..<text.count).number
    (exponent, beyond) = (.min, Array((number?.canonicalText ?? "").utf8))
  }

  private enum Part {
    case whole, fraction, power
  }

  /// The exponent becomes that of the point before the first digit that counts.
  private mutating func add(_ digit: UInt8, _ part: Part) {
    if digits.isEmpty, digit == UInt8(ascii: "0") {
      if part == .fraction { exponent -= 1 }
      return
    }
    digits.append(digit)
    if part == .whole { exponent += 1 }
  }

  /// The bytes, behind one that tells the type.
  func key(tag: UInt8) -> [UInt8] {
    guard !digits.isEmpty else { return [tag, 1] }
    var key = exponentBytes + (beyond.isEmpty ? digits : beyond)
    guard isNegative else { return [tag, 2] + key }
    for place in key.indices { key[place] = ~key[place] }
    // Of two that begin alike, the shorter one is greater now.
    return [tag, 0] + key + [0xFF]
  }

  /// Two bytes for nearly all; zeros and eight more for what is smaller.
  private var exponentBytes: [UInt8] {
    let bias = 0x4000
    if exponent > -bias {
      let biased = UInt16(clamping: exponent + bias)
      return [UInt8(biased >> 8), UInt8(biased & 0xFF)]
    }
    let biased = UInt64(bitPattern: Int64(exponent)) ^ 1 << 63
    return [0, 0] + (0..<8).map { UInt8(biased >> (56 - 8 * UInt64($0)) & 0xFF) }
  }
}
