internal import SyncDatabase
internal import SyncText

/// What is more than a scalar, or a scalar in a form of its own; from any value but null.
extension Conversion {
  /// - Parameter isReal: Whether seconds keep their fraction.
  static func date(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, as storage: ColumnType.DateStorage,
    isReal: Bool
  ) -> Conversion {
    let timestamp: Timestamp? =
      switch tape.kind(of: node) {
      case .string: tape.withString(node) { Timestamp($0) }
      case .number: tape.number(node).flatMap { Timestamp(unix: $0) }
      case .null, .true, .false, .array, .object: nil
      }
    return from(timestamp) { timestamp in
      switch storage {
      case .text: .text(timestamp.text)
      case .milliseconds: .integer(timestamp.milliseconds)
      case .seconds:
        isReal
          ? .real(Double(timestamp.milliseconds) / 1_000) : .integer(timestamp.seconds)
      }
    }
  }

  static func uuid(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    from(tape.withString(node, UUIDText.init)) { .text($0.canonical) }
  }

  /// A URL or a relative reference, as it came.
  static func url(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    let isReference = tape.withString(node) { URLReference.isValid($0) ? true : nil } ?? false
    return isReference ? text(node, in: tape) : .mismatch
  }

  /// Any value as JSON, without blanks.
  /// - Parameter hasNumbers: Whether the column would make a number of a number's text.
  static func json(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, hasNumbers: Bool
  ) -> Conversion {
    if hasNumbers, let number = tape.number(node) {
      return from(StoredValue(nearest: number)) { $0 }
    }
    return from(tape.compactText(node)) { .text($0) }
  }

  /// A string is base64; an array or an object is kept as JSON.
  /// - Parameter onlyBytes: Whether the column refuses text.
  static func blob(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, onlyBytes: Bool
  ) -> Conversion {
    switch tape.kind(of: node) {
    case .string:
      from(tape.withString(node) { Base64.bytes(of: $0) }) { .blob($0) }
    case .array, .object:
      from(tape.compactText(node)) { onlyBytes ? .blob(Array($0.utf8)) : .text($0) }
    case .null, .true, .false, .number: .mismatch
    }
  }
}
