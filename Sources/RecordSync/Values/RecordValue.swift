package import SyncDatabase
package import SyncText

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

extension RecordValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }
  /// A whole number.
  public init(integerLiteral number: Int64) { self = .integer(number) }
  /// A number in double precision.
  public init(floatLiteral number: Double) { self = .real(number) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
  /// An array.
  public init(arrayLiteral elements: RecordValue...) { self = .array(elements) }
  /// An object. Of a name that stands twice, the last counts.
  public init(dictionaryLiteral members: (String, RecordValue)...) {
    self = .object(Dictionary(members) { $1 })
  }
}

extension RecordValue {
  /// A value of JSON; `nil` if a string isn't Unicode text, or a number is beyond all doubles.
  package init?(_ json: JSONValue) {
    if json.isNull {
      self = .null
    } else if let value = json.bool {
      self = .boolean(value)
    } else if let number = json.number {
      guard let stored = StoredValue(nearest: number) else { return nil }
      self = RecordValue(stored)
    } else if json.isArray {
      var elements: [RecordValue] = []
      for element in json.elements ?? [] {
        guard let element = RecordValue(element) else { return nil }
        elements.append(element)
      }
      self = .array(elements)
    } else if json.isObject {
      var members: [String: RecordValue] = [:]
      for member in json.members ?? [] {
        guard let name = String(validating: member.name, as: UTF8.self),
          let value = RecordValue(member.value)
        else { return nil }
        members[name] = value
      }
      self = .object(members)
    } else {
      guard let text = json.string else { return nil }
      self = .text(text)
    }
  }

  /// The array or the object that a column keeps as the text of JSON; `nil` for anything else.
  init?(jsonText value: RecordValue) {
    guard let json = value.stored?.json, json.isArray || json.isObject else { return nil }
    self.init(json)
  }

  package init(_ stored: StoredValue?) {
    self =
      switch stored {
      case nil: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .bytes(bytes)
      }
  }

  /// What a column is given for it; `nil` is NULL, which is what SQLite makes of no number.
  package var stored: StoredValue? {
    switch self {
    case .null: nil
    case .boolean(let value): .integer(value ? 1 : 0)
    case .integer(let number): .integer(number)
    case .real(let number): number.isNaN ? nil : .real(number)
    case .text(let text): .text(text)
    case .bytes(let bytes): .blob(bytes)
    case .array, .object: .text(String(decoding: JSONWriter.value(self), as: UTF8.self))
    }
  }
}

extension RecordValue: JSONWritable {
  package func write(to output: inout [UInt8]) {
    switch self {
    case .boolean(let value): value.write(to: &output)
    case .array(let elements):
      JSONWriter.array(to: &output) { array in
        for element in elements { array.add(element) }
      }
    case .object(let members):
      JSONWriter.object(to: &output) { object in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          object.add(JSONText(name), value)
        }
      }
    case .null, .integer, .real, .text, .bytes:
      if let stored { stored.writePlainly(to: &output) } else { JSONNull().write(to: &output) }
    }
  }
}

extension RecordValue: Equatable {
  /// Texts are equal whose bytes are, as SQLite tells them apart.
  public static func == (one: RecordValue, other: RecordValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.boolean(let one), .boolean(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.bytes(let one), .bytes(let other)): one == other
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    default: false
    }
  }
}
