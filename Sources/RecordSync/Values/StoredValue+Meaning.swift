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

extension Timestamp {
  /// What a column of dates holds for it.
  ///
  /// - Parameter isReal: Whether seconds keep their fraction.
  func stored(as storage: ColumnType.DateStorage, isReal: Bool) -> StoredValue {
    switch storage {
    case .text: .text(text)
    case .milliseconds: .integer(milliseconds)
    case .seconds: isReal ? .real(Double(milliseconds) / 1_000) : .integer(seconds)
    }
  }
}
