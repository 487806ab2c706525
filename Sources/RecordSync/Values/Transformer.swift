package import SyncDatabase
package import SyncText

/// Changes a column's values on their way in, and back on their way out. It has the last word: what
/// it gives is stored as it is, but for what SQLite makes of any value in a column of that type
/// (sqlite.org, "Datatypes In SQLite", 3). `null` isn't given to it: it becomes NULL, and NULL
/// `null`.
///
/// ```swift
/// let cents = Transformer("cents") { price in
///   price.real.map { .integer(Int64(($0 * 100).rounded())) }
/// } exporting: { cents in
///   cents.integer.map { .real(Double($0) / 100) }
/// }
/// let shouted = Transformer("shouted", text: { $0.uppercased() }, exporting: { $0.lowercased() })
/// ```
public struct Transformer: Sendable {
  /// What it is known by; two of one name are taken for the same.
  public let name: String
  /// From JSON to what is stored; `nil` is a mismatch, an inner `nil` NULL.
  package let stored: @Sendable (JSONValue) -> StoredValue??
  /// From what is stored to the text of a JSON value.
  package let exported: @Sendable (StoredValue?) -> [UInt8]

  package init(
    name: String, stored: @escaping @Sendable (JSONValue) -> StoredValue??,
    exported: @escaping @Sendable (StoredValue?) -> [UInt8]
  ) {
    self.name = name
    self.stored = stored
    self.exported = exported
  }

  /// A transformer of any values.
  /// - Parameters:
  ///   - name: What it is known by, also in reports.
  ///   - storing: From a value of JSON to what the column is given; never called with `null`. `nil`
  ///     says that the value can't be used: the row keeps its old one, and the report tells.
  ///   - exporting: From what the column holds to a value of JSON; never called with NULL. `nil`
  ///     says that it can't be turned back: it is exported as it is.
  public init(
    _ name: String, storing: @escaping @Sendable (RecordValue) -> RecordValue?,
    exporting: @escaping @Sendable (RecordValue) -> RecordValue?
  ) {
    self.init(
      name: name,
      stored: { json in
        if json.isNull { return .some(nil) }
        return RecordValue(json).flatMap(storing).map(\.stored)
      },
      exported: { stored in
        let value = RecordValue(stored)
        return JSONWriter.value(value == .null ? value : exporting(value) ?? value)
      })
  }

  /// A transformer of texts, which lets every other value through: JSON's numbers and truth values
  /// as they are, arrays and objects as the text of JSON.
  /// - Parameters:
  ///   - name: What it is known by, also in reports.
  ///   - storing: From a string of JSON to what the column is given.
  ///   - exporting: From a text in the column to a string of JSON.
  public init(
    _ name: String, text storing: @escaping @Sendable (String) -> String,
    exporting: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.init(
      name, storing: { value in value.text.map { .text(storing($0)) } ?? value },
      exporting: { value in value.text.map { .text(exporting($0)) } ?? value })
  }
}

extension Transformer: Equatable {
  /// Equal names.
  public static func == (one: Transformer, other: Transformer) -> Bool { one.name == other.name }
}

extension ColumnType {
  /// As ``stored(_:in:)``, where a transformer has the last word if there is one.
  package func stored(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, through transformer: Transformer?
  ) -> Conversion {
    guard let transformer, tape.kind(of: node) != .null else { return stored(node, in: tape) }
    guard let value = transformer.stored(tape.value(node)) else { return .mismatch }
    return .stored(value.map(affinity.kept), isCoerced: false)
  }

  /// As ``isSame(_:_:)``, for a column with or without a transformer.
  package func isSame(
    _ stored: StoredValue?, _ new: StoredValue?, through transformer: Transformer?
  ) -> Bool {
    guard transformer != nil, let stored, let new else { return isSame(stored, new) }
    return stored == new
  }

  /// As ``json(of:to:)``, where a transformer has the last word if there is one.
  package func json(
    of stored: StoredValue?, through transformer: Transformer?, to output: inout [UInt8]
  ) {
    guard let transformer, let stored else { return json(of: stored, to: &output) }
    output += transformer.exported(stored)
  }
}

extension Transformer {
  /// The names under which a schema file finds transformers.
  public static let names = ["html-entities", "trim", "lowercase", "split-comma"]

  /// One of the transformers that a schema file can name; `nil` for any other name.
  ///
  /// - `html-entities`: `&amp;` is stored as `&`, and exported as `&amp;`
  /// - `trim`: blanks and line ends at both ends are left out
  /// - `lowercase`: stored in lower case
  /// - `split-comma`: `a, b` is stored as the array `["a","b"]`, and exported as `a,b`
  ///
  /// All of them change strings only; other values are stored as a column without a type keeps
  /// them, arrays and objects as JSON.
  public static func named(_ name: String) -> Transformer? {
    switch name {
    case "html-entities":
      Transformer(name, text: HTMLEntities.decoded, exporting: HTMLEntities.encoded)
    case "trim": Transformer(name, text: { $0.withoutOuterWhitespace })
    case "lowercase": Transformer(name, text: { $0.lowercased() })
    case "split-comma": splitComma
    default: nil
    }
  }

  private static let splitComma = Transformer("split-comma") { value in
    guard let text = value.text else { return value }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    return .array(text.isEmpty ? [] : parts.map { .text($0.withoutOuterWhitespace) })
  } exporting: { value in
    guard let elements = RecordValue(jsonText: value)?.elements else { return value }
    // What would come back as something else stays an array.
    let texts = elements.compactMap(\.text)
    let isPlain = texts.allSatisfy { !$0.contains(",") && $0.withoutOuterWhitespace == $0 }
    guard texts.count == elements.count, isPlain, texts != [""] else { return .array(elements) }
    return .text(texts.joined(separator: ","))
  }
}
