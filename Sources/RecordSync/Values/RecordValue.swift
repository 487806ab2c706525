/// A value as programs handle it: of JSON, or of a column.
///
/// A column holds `null`, `integer`, `real`, `text` or `bytes`. Where one of the others is stored,
/// it becomes 1 or 0, or the text of JSON; where bytes are written as JSON, they become base64.
public enum RecordValue: Hashable, Sendable {
  /// `null`, or NULL.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A whole number of 64 bits.
  case integer(Int64)
  /// Any other number, in double precision.
  case real(Double)
  /// A string, or text.
  case text(String)
  /// Bytes, of a column only.
  case bytes([UInt8])
  /// An array.
  case array([RecordValue])
  /// An object.
  case object([String: RecordValue])
}

extension RecordValue {
  /// The text, if it is one.
  public var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The whole number, if it is one.
  public var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  /// The number, whole or not, if it is one.
  public var real: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .boolean, .text, .bytes, .array, .object: nil
    }
  }

  /// The truth value, if it is one.
  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The elements, if it is an array.
  public var elements: [RecordValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The member of that name, if it is an object that has one.
  public subscript(name: String) -> RecordValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }
}

extension RecordValue: ExpressibleByStringLiteral {
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }
}

extension RecordValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral number: Int64) { self = .integer(number) }
}

extension RecordValue: ExpressibleByFloatLiteral {
  /// A number in double precision.
  public init(floatLiteral number: Double) { self = .real(number) }
}

extension RecordValue: ExpressibleByBooleanLiteral {
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension RecordValue: ExpressibleByNilLiteral {
  /// Null.
  public init(nilLiteral: ()) { self = .null }
}

extension RecordValue: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: RecordValue...) { self = .array(elements) }
}

extension RecordValue: ExpressibleByDictionaryLiteral {
  /// An object. Of a name that stands twice, the last counts.
  public init(dictionaryLiteral members: (String, RecordValue)...) {
    self = .object(Dictionary(members) { $1 })
  }
}
