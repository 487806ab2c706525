import SyncDatabase

/// The type with which a column is declared that is made for a payload.
public enum MadeType: String, Sendable, Hashable {
  case boolean = "BOOLEAN"
  case integer = "INTEGER"
  /// An integer that is no other name of SQLite's row number when it is the primary key.
  case plainInteger = "INT"
  case real = "REAL"
  /// Digits as they were written, which no double holds.
  case decimal = "DECIMAL_TEXT"
  case text = "TEXT"
  case json = "JSON"
  /// JSON in which digits are kept as they were written.
  case exactJSON = "JSON_TEXT"
  /// As a key that is referred to was declared.
  case blob = "BLOB"
  case numeric = "NUMERIC"
  /// A point in time, in RFC 3339.
  case timestamp = "TIMESTAMP"

  /// The narrowest that holds all values of these kinds; `nil` for none.
  ///
  /// - Parameter isExact: Whether numbers of more digits than a double has are kept as text: a
  ///   text is neither compared nor put into an order as a number is.
  init?(_ seen: ValueFacts.Kinds, isExact: Bool = false) {
    let kinds = seen.readingTexts(isExact: isExact)
    let needsDigits = kinds.contains(.decimal) || isExact && kinds.contains(.digits)
    if kinds.isEmpty { return nil }
    if !kinds.isDisjoint(with: [.nested, .oddText]) {
      self = needsDigits ? .exactJSON : .json
    } else if kinds == .truth {
      self = .boolean
    } else if !kinds.isDisjoint(with: [.text, .truth]) {
      self = .text
    } else if isExact, needsDigits || kinds.isSuperset(of: [.real, .wideInteger]) {
      self = .decimal
    } else {
      self = kinds.isDisjoint(with: [.real, .digits, .decimal]) ? .integer : .real
    }
  }

  /// What a column of this kind holds already.
  /// - Parameter isWide: Whether it holds integers that are no doubles.
  static func kinds(of type: ColumnType, isWide: Bool) -> ValueFacts.Kinds? {
    switch type.kind {
    case .boolean: .truth
    case .integer: isWide ? [.integer, .wideInteger] : .integer
    case .real: .real
    case .decimal: type.affinity == .text ? .decimal : .real
    case .text: .text
    case .json: type.affinity == .text ? [.nested, .decimal] : .nested
    // What was declared so means more than its values.
    case .date, .uuid, .url, .blob, .any: nil
    }
  }

  /// The kinds of values that a column of this type holds; `nil` where that isn't known.
  var kinds: ValueFacts.Kinds? {
    Self.kinds(of: ColumnType(declared: rawValue, isStrict: false), isWide: false)
  }

  init(referringTo type: ColumnType) {
    switch type.affinity {
    case .integer: self = .integer
    case .text: self = .text
    case .real: self = .real
    case .numeric: self = .numeric
    case .blob: self = .blob
    }
  }

  var sql: SQL {
    switch self {
    case .boolean: "BOOLEAN"
    case .integer: "INTEGER"
    case .plainInteger: "INT"
    case .real: "REAL"
    case .decimal: "DECIMAL_TEXT"
    case .text: "TEXT"
    case .json: "JSON"
    case .exactJSON: "JSON_TEXT"
    case .blob: "BLOB"
    case .numeric: "NUMERIC"
    case .timestamp: "TIMESTAMP"
    }
  }

  /// The nearest that a table takes whose columns hold values of their type only; `nil` if there is
  /// none (sqlite.org, "STRICT Tables").
  var strict: MadeType? {
    switch self {
    case .boolean, .integer, .plainInteger: .plainInteger
    case .real: .real
    case .text, .decimal, .timestamp: .text
    case .json, .exactJSON, .numeric: nil
    case .blob: .blob
    }
  }
}

extension MadeType {
  /// The type of a column whose values were said to be something; `nil` where nothing was said.
  init?(_ saying: SchemaOverrides.Column) {
    switch saying.date.map({ .date($0) }) ?? saying.kind {
    case .date(.milliseconds)?, .date(.seconds)?, .integer?: self = .integer
    case .boolean?: self = .boolean
    case .real?: self = .real
    case .decimal?: self = .decimal
    case .json?: self = .json
    case .blob?: self = .blob
    case .text?, .uuid?, .url?, .date(.text)?, .any?: self = .text
    case nil: return nil
    }
  }
}
