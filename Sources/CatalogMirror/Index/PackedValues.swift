import SyncDatabase

/// Values as SQLite stores them, one after the other as bytes: for what is written and read as a
/// whole, where a row for each would cost ten times as much.
///
/// A value is a letter and what follows it:
///
/// | value | letter | what follows |
/// | --- | --- | --- |
/// | NULL | `n` | nothing |
/// | a whole number | `i` | its 8 bytes, the lowest first |
/// | a text | `t` | the number of its bytes in 4 bytes, the lowest first, and they, in UTF-8 |
/// | bytes | `b` | their number in 4 bytes, the lowest first, and they |
struct PackedValues: Hashable {
  private(set) var bytes: [UInt8] = []

  /// Makes room for so many bytes in all.
  mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  /// Adds a value, which must not be a number in double precision.
  mutating func append(_ value: StoredValue?) {
    switch value {
    case .integer(let number):
      bytes.append(UInt8(ascii: "i"))
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    case .text(var text): text.withUTF8 { append("t", UnsafeRawBufferPointer($0)) }
    case .blob(let blob): blob.withUnsafeBytes { append("b", $0) }
    case .real: preconditionFailure("there is no letter for such a number")
    case nil: bytes.append(UInt8(ascii: "n"))
    }
  }

  /// Adds values that are packed already.
  mutating func append(packed: ArraySlice<UInt8>) { bytes += packed }

  private mutating func append(_ letter: Unicode.Scalar, _ content: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: letter))
    withUnsafeBytes(of: UInt32(content.count).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: content)
  }
}

/// Reads what ``PackedValues`` wrote, and finds out where somebody else did.
struct PackedValueReader {
  /// The bytes aren't what was written.
  struct Damage: Error {}

  private let bytes: [UInt8]
  /// Where the next value begins.
  private(set) var place = 0

  /// A reader of these bytes, from their beginning.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether every value was read.
  var isAtEnd: Bool { place == bytes.count }

  /// The bytes from a place to the next value.
  func bytes(from start: Int) -> ArraySlice<UInt8> { bytes[start..<place] }

  mutating func next() throws(Damage) -> StoredValue? {
    let (letter, content) = try take()
    switch letter {
    case UInt8(ascii: "n"): return nil
    case UInt8(ascii: "i"): return .integer(number(at: content.lowerBound))
    case UInt8(ascii: "b"): return .blob(Array(bytes[content]))
    default:
      guard let text = String(validating: bytes[content], as: UTF8.self) else { throw Damage() }
      return .text(text)
    }
  }

  /// Passes over the next values.
  mutating func skip(_ count: Int) throws(Damage) {
    for _ in 0..<count { _ = try take() }
  }

  private mutating func take() throws(Damage) -> (letter: UInt8, content: Range<Int>) {
    let letter = bytes[try take(1).lowerBound]
    switch letter {
    case UInt8(ascii: "n"): return (letter, place..<place)
    case UInt8(ascii: "i"): return (letter, try take(8))
    case UInt8(ascii: "t"), UInt8(ascii: "b"):
      let count: UInt32 = number(at: try take(4).lowerBound)
      return (letter, try take(Int(count)))
    default: throw Damage()
    }
  }

  private mutating func take(_ count: Int) throws(Damage) -> Range<Int> {
    guard count <= bytes.count - place else { throw Damage() }
    defer { place += count }
    return place..<place + count
  }

  private func number<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int) -> Number {
    bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
  }
}
