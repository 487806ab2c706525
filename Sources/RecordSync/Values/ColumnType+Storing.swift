package import SyncDatabase
package import SyncText

extension ColumnType {
  /// What a value of JSON becomes in a column of this type: what SQLite will hold after it was
  /// stored, so that it can be compared with what is there.
  package func stored(
    _ node: JSONTape.Node, in tape: borrowing JSONTape
  ) -> Conversion {
    if tape.kind(of: node) == .null { return .stored(nil, isCoerced: false) }
    let conversion = meaning(node, in: tape)
    guard case .stored(let value?, let isCoerced) = conversion else { return conversion }
    switch (affinity, value) {
    case (.text, .text), (.integer, .integer), (.numeric, .integer), (.blob, _):
      return conversion
    default: return .stored(affinity.kept(value), isCoerced: isCoerced)
    }
  }

  /// What JSON is as a key of this type; `nil` for null, arrays, objects and what it can't hold.
  package func key(
    _ node: JSONTape.Node, in tape: borrowing JSONTape
  ) -> (value: StoredValue, isCoerced: Bool)? {
    switch tape.kind(of: node) {
    case .null, .array, .object: return nil
    case .false, .true, .number, .string: break
    }
    guard case .stored(let value?, let isCoerced) = stored(node, in: tape) else { return nil }
    return (value, isCoerced)
  }

  /// Before SQLite's affinity has its say.
  private func meaning(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Conversion {
    switch kind {
    case .text: .text(node, in: tape)
    case .integer: .integer(node, in: tape)
    case .real: .real(node, in: tape)
    case .decimal: .decimal(node, in: tape, isExact: affinity == .text)
    case .boolean: .boolean(node, in: tape)
    case .date(let storage): .date(node, in: tape, as: storage, isReal: affinity == .real)
    case .uuid: .uuid(node, in: tape)
    case .url: .url(node, in: tape)
    case .json: .json(node, in: tape, hasNumbers: affinity != .text && affinity != .blob)
    case .blob: .blob(node, in: tape, onlyBytes: isStrict)
    case .any: .any(node, in: tape)
    }
  }
}

package enum Conversion: Sendable, Equatable {
  /// What is stored (NULL is `nil`), and whether JSON had another type: `"1"` for an integer.
  case stored(StoredValue?, isCoerced: Bool)
  /// Nothing: the column can't hold what came.
  case mismatch
}

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
    return from(timestamp) { $0.stored(as: storage, isReal: isReal) }
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

extension JSONTape {
  /// Lends the bytes of a string, escapes resolved; `nil` for any other value.
  func withString<Result>(
    _ node: Node, _ body: (UnsafeBufferPointer<UInt8>) -> Result?
  ) -> Result? {
    if isPlain(node) {
      let range = range(of: node)
      return bytes.withUnsafeBufferPointer { bytes in
        body(UnsafeBufferPointer(rebasing: bytes[range.lowerBound + 1..<range.upperBound - 1]))
      }
    }
    return stringBytes(node)?.withUnsafeBufferPointer(body)
  }

  /// The integer of a number's value: `3.0` and `1e2` have one, too.
  func wholeNumber(_ node: Node) -> Int64? { integer(node) ?? number(node)?.integer }

  /// A value's text without blanks between its parts; `nil` if it isn't UTF-8.
  func compactText(_ node: Node) -> String? {
    var text: [UInt8] = []
    let value = value(node)
    text.reserveCapacity(value.written.count)
    value.write(to: &text)
    return String(validating: text, as: UTF8.self)
  }
}
