private import SyncText

/// A value as bytes that compare as the values do: equal where these mean the same, and less where
/// these are less. SQLite compares blobs so, and keeps them sorted in an index.
///
/// The first byte tells the type, in the order of types: null, false, true, numbers, strings,
/// arrays, objects. What an index holds must not change from one program to the next: whoever
/// changes what is written here raises ``form``.
enum ComparisonKey {
  /// The form in which keys are written.
  static let form = 1

  private enum Tag {
    static let null: UInt8 = 1
    static let no: UInt8 = 2
    static let yes: UInt8 = 3
    static let number: UInt8 = 4
    static let string: UInt8 = 5
    static let array: UInt8 = 6
    static let object: UInt8 = 7
  }

  static func key(_ value: DocumentValue) -> [UInt8] {
    // It was checked when it was made.
    (try? value.json.written.withUnsafeBufferPointer(key(written:))) ?? []
  }

  static func key(string bytes: some Sequence<UInt8>) -> [UInt8] { [Tag.string] + bytes }

  /// The key of a value by its text.
  static func key(written bytes: UnsafeBufferPointer<UInt8>) throws -> [UInt8] {
    guard let first = bytes.first else { throw MemberScanner.damage(at: 0) }
    return switch first {
    case UInt8(ascii: "n"): [Tag.null]
    case UInt8(ascii: "f"): [Tag.no]
    case UInt8(ascii: "t"): [Tag.yes]
    case UInt8(ascii: "\""): [Tag.string] + string(bytes)
    case UInt8(ascii: "["): [Tag.array] + value(bytes).canonicalBytes
    case UInt8(ascii: "{"): [Tag.object] + value(bytes).canonicalBytes
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      NumberKey(bytes).key(tag: Tag.number)
    default: throw MemberScanner.damage(at: 0)
    }
  }

  static func stringBytes(written bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    bytes.first == UInt8(ascii: "\"") ? string(bytes) : nil
  }

  /// From where on, and up to where, keys are of the same type as this one; `nil` for types of
  /// which no value is less than another.
  static func ordered(with key: [UInt8]) -> (first: [UInt8], end: [UInt8])? {
    switch key.first {
    case Tag.no, Tag.yes: ([Tag.no], [Tag.number])
    case Tag.number, Tag.string: ([key[0]], [key[0] + 1])
    default: nil
    }
  }

  static func strings(from prefix: [UInt8]) -> (first: [UInt8], end: [UInt8]) {
    // No string has a byte that is higher.
    (key(string: prefix), key(string: prefix) + [0xFF])
  }

  private static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONValue {
    JSONValue(bytes: Array(bytes), checked: 0..<bytes.count)
  }

  private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let inside = bytes.dropFirst().dropLast()
    guard inside.contains(UInt8(ascii: "\\")) else { return Array(inside) }
    return value(bytes).stringBytes ?? []
  }
}

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
