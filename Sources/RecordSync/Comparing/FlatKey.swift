import SyncDatabase
import SyncText

/// A key as it stands in the text.
enum FlatKey {
  case number(Int64)
  /// The bytes of a text without escapes; a payload is UTF-8.
  case text(Range<Int>)

  /// `nil` for what is no key as it stands.
  init?(_ node: JSONTape.Node, _ kind: FlatTable.KeyKind, in tape: borrowing JSONTape) {
    switch kind {
    case .number:
      guard let number = tape.integer(node) else { return nil }
      self = .number(number)
    case .text:
      guard tape.isPlain(node) else { return nil }
      let range = tape.range(of: node)
      self = .text(range.lowerBound + 1..<range.upperBound - 1)
    }
  }

  func isNumber(above other: Int64) -> Bool {
    if case .number(let number) = self { number > other } else { false }
  }

  /// Whether a column of the row on which a cursor stands holds it.
  func isHeld(
    by row: borrowing Cursor, at place: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch self {
    case .number(let number): row.integer(at: place) == number
    case .text(let range): row.holds(UnsafeBufferPointer(rebasing: text[range]), at: place)
    }
  }

  /// As SQLite has keys in an index.
  func precedes(_ other: FlatKey, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let other)): one < other
    case (.text(let one), .text(let other)):
      text[one].lexicographicallyPrecedes(text[other])
    case (.number, .text): true
    case (.text, .number): false
    }
  }

  func stored(in text: UnsafeBufferPointer<UInt8>) -> StoredValue {
    switch self {
    case .number(let number): .integer(number)
    case .text(let range): .text(String(decoding: text[range], as: UTF8.self))
    }
  }

  /// Binds it, as the only parameter unless another one is named.
  func bind(
    to statement: borrowing Cursor, at parameter: Int = 1, _ text: UnsafeBufferPointer<UInt8>
  ) throws {
    switch self {
    case .number(let number): try statement.bind(number, at: parameter)
    case .text(let range):
      try statement.bind(UnsafeBufferPointer(rebasing: text[range]), at: parameter)
    }
  }
}
