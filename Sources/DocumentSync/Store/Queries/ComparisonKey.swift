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
    guard let first = bytes.first else { throw MemberScanner.Damage() }
    return switch first {
    case UInt8(ascii: "n"): [Tag.null]
    case UInt8(ascii: "f"): [Tag.no]
    case UInt8(ascii: "t"): [Tag.yes]
    case UInt8(ascii: "\""): [Tag.string] + string(bytes)
    case UInt8(ascii: "["): [Tag.array] + value(bytes).canonicalBytes
    case UInt8(ascii: "{"): [Tag.object] + value(bytes).canonicalBytes
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      NumberKey(bytes).key(tag: Tag.number)
    default: throw MemberScanner.Damage()
    }
  }

  /// The bytes of a string by its text, escapes resolved; `nil` if it's no string.
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

  /// From where on, and up to where, keys are of strings that begin so.
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
