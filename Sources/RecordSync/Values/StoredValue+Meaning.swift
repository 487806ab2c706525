import SyncDatabase
import SyncText

/// What a value that stands in a column means, whoever put it there.
extension StoredValue {
  func hasType(of other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): true
    default: false
    }
  }

  var bytes: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .blob(let bytes): bytes
    case .integer, .real: nil
    }
  }

  var truth: Bool? {
    switch self {
    case .integer(0), .real(0): false
    case .integer(1), .real(1): true
    case .text(let text): Bool(word: text)
    case .integer, .real, .blob: nil
    }
  }

  /// The point in time that a column of these holds.
  func moment(as storage: ColumnType.DateStorage) -> Timestamp? {
    switch self {
    case .text(let text):
      // Digits that a column of texts holds are what this package stored there.
      if storage != .text, let number = Int64(text) {
        return StoredValue.integer(number).moment(as: storage)
      }
      return Timestamp(text)
    case .integer(let number):
      switch storage {
      case .text: return Timestamp(unix: JSONNumber(number))
      case .milliseconds: return Timestamp(milliseconds: number)
      case .seconds:
        let (milliseconds, isTooMuch) = number.multipliedReportingOverflow(by: 1_000)
        return isTooMuch ? nil : Timestamp(milliseconds: milliseconds)
      }
    case .real(let number):
      switch storage {
      case .text: return JSONNumber(number).flatMap { Timestamp(unix: $0) }
      case .milliseconds:
        return Int64(exactly: number.rounded(.down)).flatMap { Timestamp(milliseconds: $0) }
      case .seconds:
        // To the nearest: what was stored is a thousandth that no double is.
        return Int64(exactly: (number * 1_000).rounded())
          .flatMap { Timestamp(milliseconds: $0) }
      }
    case .blob: return nil
    }
  }

  /// The value as JSON, if that is what it holds: the text of JSON, or a number.
  var json: JSONValue? {
    let text =
      switch self {
      case .integer(let number): JSONWriter.value(number)
      case .real(let number): JSONNumber(number).map { JSONWriter.value($0) }
      case .text, .blob: bytes
      }
    guard let text, String(validating: text, as: UTF8.self) != nil else { return nil }
    return try? JSONValue(text, in: 0..<text.count, nesting: 512)
  }
}

/// A UUID (RFC 9562, section 4) with hyphens or without, in braces, or as a URN; in any case.
struct UUIDText: Hashable {
  /// With hyphens, in lower case: 36 characters.
  let canonical: String

  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var rest = text[...]
    if rest.starts(with: "{".utf8), rest.last == UInt8(ascii: "}") {
      rest = rest.dropFirst().dropLast()
    } else if rest.count == 45, rest.prefix(9).map(\.asSmall).elementsEqual("urn:uuid:".utf8) {
      rest = rest.dropFirst(9)
    }
    let hasHyphens = rest.count == 36
    guard hasHyphens || rest.count == 32 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(36)
    for (place, byte) in rest.enumerated() {
      let count = output.count
      if count == 8 || count == 13 || count == 18 || count == 23 {
        output.append(UInt8(ascii: "-"))
        if hasHyphens {
          guard byte == UInt8(ascii: "-") else { return nil }
          continue
        }
      }
      guard place < 36, Hexadecimal.value(ofDigit: byte) != nil else { return nil }
      output.append(byte.asSmall)
    }
    canonical = String(decoding: output, as: UTF8.self)
  }

  /// The UUID that a column holds, as text or as its 16 bytes.
  init?(_ stored: StoredValue) {
    var text: String
    switch stored {
    case .text(let stored): text = stored
    case .blob(let bytes) where bytes.count == 16:
      text = bytes.map(Hexadecimal.upper).joined()
    case .blob, .integer, .real: return nil
    }
    guard let uuid = text.withUTF8({ UUIDText($0) }) else { return nil }
    self = uuid
  }

  var bytes: [UInt8] {
    let digits = canonical.utf8.compactMap(Hexadecimal.value(ofDigit:))
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
