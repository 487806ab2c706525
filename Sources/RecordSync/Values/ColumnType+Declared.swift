private import SyncText

extension ColumnType {
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
