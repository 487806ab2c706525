/// The text of one statement or of a part of one, with the values that were put into it.
///
/// It is made of literals, checked by the compiler, and of what is interpolated into them: a value
/// becomes a binding, an ``Identifier`` becomes a quoted name, another `SQL` becomes a part of it.
/// There is no way from a `String` that was read or made at run time to text of a statement.
///
/// ```swift
/// let find: SQL = "SELECT \(columns) FROM \(table) WHERE \(key) = ?1"   // composed once
/// let row = try connection.row(find, 7) { … }                         // run many times
/// let rows = try connection.rows("SELECT name FROM \(table) WHERE age > \(age)") { … }
/// ```
///
/// Values stand either within the text or beside it, for `?1`, `?2` …, never both. Who runs one
/// text very often composes it once: each composition costs its length.
package struct SQL: Sendable {
  let text: Text
  let values: [StoredValue?]

  /// A literal is known by its place in the program, what was composed by its characters.
  enum Text: Sendable {
    case literal(StaticString)
    case composed(ComposedText)
  }

  /// As ``init(stringLiteral:)``, for a literal that came through a variable.
  package init(_ literal: StaticString) {
    text = .literal(literal)
    values = []
  }

  /// A part that the person wrote who runs the program: their condition over their own database. It
  /// may say whatever they may; never pass what came from anywhere else.
  ///
  /// - Parameter values: For its parameters, each of which is a `?`.
  package init(written text: String, values: [StoredValue?]) {
    self.init(text, values)
  }

  private init(_ text: String, _ values: [StoredValue?]) {
    self.text = .composed(ComposedText(text))
    self.values = values
  }
}

extension SQL: ExpressibleByStringInterpolation {
  package init(stringLiteral literal: StaticString) {
    self.init(literal)
  }

  package init(stringInterpolation parts: Interpolation) {
    self.init(parts.text, parts.values)
  }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var values: [StoredValue?] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: StaticString) {
      text += literal.description
    }

    /// A value, which is bound and never becomes text.
    package mutating func appendInterpolation(_ value: (any DatabaseValue)?) {
      text += "?"
      values.append(value?.storedValue)
    }

    package mutating func appendInterpolation(_ name: Identifier) {
      text += name.quoted
    }

    /// Bytes as they stand in the text: as hexadecimal digits. For what can't be bound, since it's
    /// a part of a schema, such as an index of what a function gives.
    package mutating func appendInterpolation(literal bytes: [UInt8]) {
      text += "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      text += "'"
    }

    package mutating func appendInterpolation(_ names: [Identifier]) {
      text += names.map(\.quoted).joined(separator: ", ")
    }

    package mutating func appendInterpolation(_ part: SQL) {
      text += part.description
      values += part.values
    }

    /// Parts of a statement with the same text between them, such as `" AND "`.
    package mutating func appendInterpolation(_ parts: [SQL], separator: StaticString = ", ") {
      for (place, part) in parts.enumerated() {
        if place > 0 { appendLiteral(separator) }
        appendInterpolation(part)
      }
    }

    /// The place of one value beside the text.
    package mutating func appendInterpolation(parameter number: Int) {
      text += "?\(number)"
    }

    /// As many parameters as there are values beside the text, from `?1` on, with commas.
    package mutating func appendInterpolation(parameters count: Int) {
      text += (0..<count).map { "?\($0 + 1)" }.joined(separator: ", ")
    }
  }
}

extension SQL: CustomStringConvertible {
  package var description: String { text.string }
}

extension SQL.Text {
  var string: String {
    switch self {
    case .literal(let literal): literal.description
    case .composed(let text): text.string
    }
  }
}

/// A text that hashes once, however often its statement is looked for.
final class ComposedText: Hashable, Sendable {
  let string: String
  private let hash: Int

  init(_ string: String) {
    self.string = string
    hash = string.hashValue
  }

  static func == (one: ComposedText, other: ComposedText) -> Bool {
    one === other || one.hash == other.hash && one.string.utf8.elementsEqual(other.string.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
