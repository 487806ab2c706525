private import SyncText

/// What a column holds: what its declared type says, or an override.
public struct ColumnType: Hashable, Sendable {
  package var kind: Kind
  /// What SQLite does with values that are stored in it (sqlite.org, "Datatypes In SQLite", 3.1).
  package var affinity: Affinity
  /// Whether the column refuses what isn't of its type (sqlite.org, "STRICT Tables").
  package var isStrict = false

  package init(kind: Kind, affinity: Affinity) {
    self.kind = kind
    self.affinity = affinity
  }

  /// What values mean.
  public enum Kind: Hashable, Sendable {
    /// Text as it came.
    case text
    /// A whole number of 64 bits.
    case integer
    /// A number in double precision.
    case real
    /// A decimal number: exact, as text, where the affinity is `text`.
    case decimal
    /// 1 or 0.
    case boolean
    /// A point in time.
    case date(DateStorage)
    /// A UUID in its canonical form, lower case.
    case uuid
    /// A URL.
    case url
    /// JSON text.
    case json
    /// Bytes; in JSON as base64.
    case blob
    /// Any scalar as it came: a column without a type.
    case any
  }

  /// How a point in time is stored.
  public enum DateStorage: String, Hashable, Sendable {
    /// RFC 3339, UTC, with milliseconds: `2026-11-22T09:30:00.000Z`.
    case text
    /// Milliseconds since 1970, an integer.
    case milliseconds
    /// Seconds since 1970: an integer, or a real where the column's affinity is real.
    case seconds
  }

  package enum Affinity: Hashable, Sendable {
    case text
    case numeric
    case integer
    case real
    /// BLOB, which is none
    case blob
  }

  /// What its values are, for people: "an integer".
  package var inWords: String {
    switch kind {
    case .text: "a text"
    case .integer: "an integer of 64 bits"
    case .real: "a number"
    case .decimal: "a decimal number"
    case .boolean: "true or false"
    case .date: "a date"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .json: "JSON"
    case .blob: "bytes in base64"
    case .any: "a text, a number or a truth value"
    }
  }

  /// The type of a column that was declared with these words.
  ///
  /// A word for a date, a truth value, JSON, a UUID, a URL or a decimal number says what the values
  /// mean, wherever it stands in the declaration (`DATETIME`, `BOOLEAN`, `jsonb`); the first of
  /// these counts. Otherwise SQLite's affinity does.
  package init(declared: String, isStrict: Bool) {
    let words = String(decoding: declared.utf8.map(\.asCapital), as: UTF8.self)
    affinity = isStrict && words == "ANY" ? .blob : Affinity(declared: words)
    self.isStrict = isStrict
    kind = Self.kind(words, affinity)
  }

  private static func kind(_ words: String, _ affinity: Affinity) -> Kind {
    let named: [(word: String, kind: Kind)] = [
      ("DATE", .date(storage(affinity))), ("TIME", .date(storage(affinity))), ("BOOL", .boolean),
      ("JSON", .json), ("UUID", .uuid), ("GUID", .uuid), ("URL", .url), ("URI", .url),
      ("DECIMAL", .decimal), ("NUMERIC", .decimal), ("NUMBER", .decimal),
    ]
    if let named = named.first(where: { words.contains($0.word) }) { return named.kind }
    switch affinity {
    case .text: return .text
    case .integer: return .integer
    case .real: return .real
    case .blob: return words.contains("BLOB") ? .blob : .any
    // SQLite takes texts in such a column, too: `STRING` has this affinity.
    case .numeric: return .any
    }
  }

  /// How a column that is declared as a date stores it, unless an override tells.
  private static func storage(_ affinity: Affinity) -> DateStorage {
    switch affinity {
    case .integer: .milliseconds
    case .real: .seconds
    case .text, .numeric, .blob: .text
    }
  }
}

extension ColumnType.Affinity {
  /// The affinity of a declared type (sqlite.org, "Datatypes In SQLite", 3.1).
  /// - Parameter declared: In capitals.
  init(declared: String) {
    func says(_ words: String...) -> Bool { words.contains(where: declared.contains) }
    self =
      if says("INT") {
        .integer
      } else if says("CHAR", "CLOB", "TEXT") {
        .text
      } else if says("BLOB") || declared.isEmpty {
        .blob
      } else if says("REAL", "FLOA", "DOUB") {
        .real
      } else {
        .numeric
      }
  }
}

extension ColumnType {
  var words: String {
    switch kind {
    case .date(.text): "date"
    case .date(.milliseconds): "date in milliseconds"
    case .date(.seconds): "date in seconds"
    case .any: "anything"
    case .blob: "bytes"
    case .uuid: "UUID"
    case .url: "URL"
    case .json: "JSON"
    default: kind.name
    }
  }
}

extension ColumnType.Kind {
  /// By the names that a schema file has for them. Dates have names of their own there.
  static let named: [(name: String, meaning: ColumnType.Kind)] = [
    ("text", .text), ("integer", .integer), ("real", .real), ("decimal", .decimal),
    ("boolean", .boolean), ("uuid", .uuid), ("url", .url), ("json", .json), ("blob", .blob),
    ("any", .any),
  ]

  var name: String { Self.named.first { $0.meaning == self }?.name ?? "date" }
}
