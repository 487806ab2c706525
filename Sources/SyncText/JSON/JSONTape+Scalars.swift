private import SyncSystem

extension JSONTape {
  /// Whether it is a string without escapes, whose bytes are those between the quotes.
  @inlinable
  package func isPlain(_ node: Node) -> Bool {
    let entry = entry(node)
    return entry.kind == .string && !entry.isEscaped
  }

  /// Whether it is a string without escapes that has the same bytes as a part of another text.
  @inlinable
  package func isPlain(_ node: Node, as other: [UInt8], _ part: Range<Int>) -> Bool {
    let entry = entry(node)
    guard entry.kind == .string, !entry.isEscaped, part.upperBound <= other.count,
      Int(entry.end - entry.start) == part.count + 2
    else { return false }
    return bytes.withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { theirs in
        var place = Int(entry.start) + 1
        for number in part {
          if mine[place] != theirs[number] { return false }
          place += 1
        }
        return true
      }
    }
  }

  /// Whether it is a string of these bytes, escapes resolved.
  @inlinable
  package func isString(_ node: Node, _ other: [UInt8]) -> Bool {
    let entry = entry(node)
    guard entry.kind == .string, !entry.isEscaped else { return stringBytes(node) == other }
    guard Int(entry.end - entry.start) == other.count + 2 else { return false }
    var place = Int(entry.start) + 1
    for byte in other {
      if bytes[place] != byte { return false }
      place += 1
    }
    return true
  }

  /// The bytes of a string, escapes resolved, as ``JSONValue/stringBytes``.
  @usableFromInline
  package func stringBytes(_ node: Node) -> [UInt8]? {
    let entry = entry(node)
    guard entry.kind == .string else { return nil }
    let inside = bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    return entry.isEscaped ? JSONValue.unescape(inside) : Array(inside)
  }

  /// The string, if it is one and valid UTF-8.
  package func string(_ node: Node) -> String? {
    let entry = entry(node)
    guard entry.kind == .string else { return nil }
    let inside = Int(entry.start) + 1..<Int(entry.end) - 1
    guard !entry.isEscaped else {
      return String(validating: JSONValue.unescape(bytes[inside]), as: UTF8.self)
    }
    return bytes.withUnsafeBufferPointer { text in
      Self.text(UnsafeBufferPointer(rebasing: text[inside]))
    }
  }

  /// The text of bytes that are valid UTF-8: where bytes had to be mended, they differ. (Swift's
  /// own check takes three times as long.)
  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var text = String(decoding: bytes, as: UTF8.self)
    let isAsWritten = text.withUTF8 { mended in
      guard mended.count == bytes.count, let start = bytes.baseAddress,
        let copy = mended.baseAddress
      else { return bytes.isEmpty }
      return memcmp(copy, start, bytes.count) == 0
    }
    return isAsWritten ? text : nil
  }

  /// The integer, if it is a number without fraction and exponent that fits.
  package func integer(_ node: Node) -> Int64? {
    let entry = entry(node)
    guard entry.kind == .number else { return nil }
    return bytes.withUnsafeBufferPointer { text in
      Int64(decimal: UnsafeBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)]))
    }
  }

  /// The nearest double, if it is a number that isn't beyond the finite ones.
  package func real(_ node: Node) -> Double? {
    let entry = entry(node)
    guard entry.kind == .number else { return nil }
    let short = bytes.withUnsafeBufferPointer { text in
      Double(shortDecimal: UnsafeBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)]))
    }
    return short ?? number(node)?.double
  }

  package func number(_ node: Node) -> JSONNumber? {
    let entry = entry(node)
    guard entry.kind == .number else { return nil }
    return JSONNumber(
      checked: String(decoding: bytes[Int(entry.start)..<Int(entry.end)], as: UTF8.self))
  }

  /// The same value as the rest of the house knows it.
  package func value(_ node: Node) -> JSONValue {
    JSONValue(bytes: bytes, checked: range(of: node))
  }
}
