internal import SyncDatabase
internal import SyncText

/// Texts, numbers and truth values, from any value but null.
extension Conversion {
  static func text(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    switch tape.kind(of: node) {
    case .string: from(tape.string(node)) { .text($0) }
    case .number: from(tape.number(node), isCoerced: true) { .text($0.text) }
    case .true: .stored(.text("true"), isCoerced: true)
    case .false: .stored(.text("false"), isCoerced: true)
    case .null, .array, .object: .mismatch
    }
  }

  /// A number counts by its value: `3.0` is 3. A string must be digits.
  static func integer(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    switch tape.kind(of: node) {
    case .number: from(tape.wholeNumber(node)) { .integer($0) }
    case .string:
      from(tape.withString(node, Int64.init(decimal:)), isCoerced: true) { .integer($0) }
    case .true: .stored(.integer(1), isCoerced: true)
    case .false: .stored(.integer(0), isCoerced: true)
    case .null, .array, .object: .mismatch
    }
  }

  static func real(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    switch tape.kind(of: node) {
    case .number: from(tape.real(node)) { .real($0) }
    case .string:
      from(tape.string(node).flatMap { JSONNumber($0)?.double }, isCoerced: true) { .real($0) }
    case .null, .true, .false, .array, .object: .mismatch
    }
  }

  /// - Parameter isExact: Whether the digits are kept as text, as they were written.
  static func decimal(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, isExact: Bool
  ) -> Conversion {
    let number: JSONNumber?
    let isString = tape.kind(of: node) == .string
    switch tape.kind(of: node) {
    case .number: number = tape.number(node)
    case .string: number = tape.string(node).flatMap { JSONNumber($0) }
    case .null, .true, .false, .array, .object: number = nil
    }
    if isExact { return from(number) { .text($0.text) } }
    return from(number.flatMap(StoredValue.init(nearest:)), isCoerced: isString) { $0 }
  }

  static func boolean(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    switch tape.kind(of: node) {
    case .true: .stored(.integer(1), isCoerced: false)
    case .false: .stored(.integer(0), isCoerced: false)
    case .number:
      switch tape.wholeNumber(node) {
      case 0: .stored(.integer(0), isCoerced: true)
      case 1: .stored(.integer(1), isCoerced: true)
      default: .mismatch
      }
    case .string:
      from(tape.string(node).flatMap(Bool.init(word:)), isCoerced: true) { .integer($0 ? 1 : 0) }
    case .null, .array, .object: .mismatch
    }
  }

  /// A scalar as it came. An integer that doesn't fit isn't rounded.
  static func any(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    switch tape.kind(of: node) {
    case .string: return from(tape.string(node)) { .text($0) }
    case .number:
      if let number = tape.integer(node) { return .stored(.integer(number), isCoerced: false) }
      guard let number = tape.number(node),
        number.text.utf8.contains(where: { ".eE".utf8.contains($0) })
      else { return .mismatch }
      return from(number.double) { .real($0) }
    case .true: return .stored(.integer(1), isCoerced: false)
    case .false: return .stored(.integer(0), isCoerced: false)
    case .null, .array, .object: return .mismatch
    }
  }

  /// A mismatch for `nil`.
  static func from<Value>(
    _ value: Value?, isCoerced: Bool = false, _ stored: (Value) -> StoredValue
  ) -> Conversion {
    value.map { .stored(stored($0), isCoerced: isCoerced) } ?? .mismatch
  }
}

extension Bool {
  /// What a word says: `true`, `yes` or `1`; `false`, `no` or `0`; in any case.
  init?(word: String) {
    switch word.asciiLowercased {
    case "true", "yes", "1": self = true
    case "false", "no", "0": self = false
    default: return nil
    }
  }
}

extension StoredValue {
  /// An integer if it was written as one and fits; else the nearest double. `nil` beyond all
  /// doubles.
  init?(nearest number: JSONNumber) {
    var text = number.text
    if let integer = text.withUTF8(Int64.init(decimal:)) {
      self = .integer(integer)
    } else {
      guard let double = number.double else { return nil }
      self = .real(double)
    }
  }
}
