private import SyncText

extension SchemaOverrides {
  /// The overrides in the text of a file, which an app may ship:
  ///
  /// ```json
  /// {"acronyms": ["gps"], "rememberUnresolved": true, "deletedAt": "deleted_at", "history": true,
  /// "tables": {"users": {
  ///   "key": "remote_id", "position": "place", "edits": "dirty", "unknown": "freeze",
  ///   "deletedAt": "gone_since", "history": false,
  ///   "columns": {"age": {
  ///     "name": "person.age", "export": false, "ignoreNull": true, "transform": "trim",
  ///     "date": "seconds", "kind": "integer"}},
  ///   "relations": {"tags": {
  ///     "name": "labels", "table": "tags", "through": "user_tags", "column": "user_id",
  ///     "position": "place", "perParent": false}}}}}
  /// ```
  ///
  /// Every member may be left out; one that isn't known is an error. `key` is a name or a list.
  public init(json: [UInt8]) throws(SchemaProblem) {
    self = try SchemaFile.overrides(in: json)
  }
}

package enum SchemaFile {
  package static func overrides(in bytes: [UInt8]) throws(SchemaProblem) -> SchemaOverrides {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = bytes.starts(with: mark) ? mark.count : 0
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(bytes, in: start..<bytes.count, nesting: 32)
    } catch {
      throw .file(.notJSON(error.reason, offset: error.offset), at: "")
    }
    return try overrides(SchemaFileValue(value: value, path: []))
  }

  private static func overrides(
    _ file: SchemaFileValue
  ) throws(SchemaProblem) -> SchemaOverrides {
    var overrides = SchemaOverrides()
    for (name, value) in try file.members() {
      switch name {
      case "acronyms": overrides.acronyms = try value.strings()
      case "rememberUnresolved": overrides.remembersUnresolved = try value.flag()
      case "deletedAt": overrides.deletedAt = try value.string()
      case "history": overrides.keepsHistory = try value.flag()
      case "tables":
        for (name, value) in try value.members() { overrides.tables[name] = try table(value) }
      default: throw file.unknown(name)
      }
    }
    return overrides
  }

  private static func table(
    _ file: SchemaFileValue
  ) throws(SchemaProblem) -> SchemaOverrides.Table {
    var table = SchemaOverrides.Table()
    for (name, value) in try file.members() {
      switch name {
      case "key": table.key = try value.stringOrStrings()
      case "position": table.position = try value.string()
      case "edits": table.edits = try value.string()
      case "deletedAt": table.deletedAt = try value.string()
      case "history": table.keepsHistory = try value.flag()
      case "unknown":
        table.unknown = try value.word(
          SchemaOverrides.UnknownMembers.self, [.evolve, .freeze, .extra])
      case "columns":
        for (name, value) in try value.members() { table.columns[name] = try column(value) }
      case "relations":
        for (name, value) in try value.members() { table.relations[name] = try relation(value) }
      default: throw file.unknown(name)
      }
    }
    return table
  }

  private static func column(
    _ file: SchemaFileValue
  ) throws(SchemaProblem) -> SchemaOverrides.Column {
    var column = SchemaOverrides.Column()
    for (name, value) in try file.members() {
      switch name {
      case "name": column.name = try value.string()
      case "export": column.export = try value.flag()
      case "ignoreNull": column.ignoreNull = try value.flag()
      case "transform":
        column.transform = try value.word(
          among: Transformer.names.compactMap { name in Transformer.named(name).map { (name, $0) } }
        )
      case "date":
        column.date = try value.word(
          ColumnType.DateStorage.self, [.text, .milliseconds, .seconds])
      case "kind": column.kind = try value.word(among: ColumnType.Kind.named)
      default: throw file.unknown(name)
      }
    }
    return column
  }

  private static func relation(
    _ file: SchemaFileValue
  ) throws(SchemaProblem) -> SchemaOverrides.Relation {
    let texts: [String: WritableKeyPath<SchemaOverrides.Relation, String?>] = [
      "name": \.name, "column": \.column, "table": \.table, "through": \.through,
      "position": \.position,
    ]
    var relation = SchemaOverrides.Relation()
    for (name, value) in try file.members() {
      if let text = texts[name] {
        relation[keyPath: text] = try value.string()
      } else if name == "perParent" {
        relation.perParent = try value.flag()
      } else {
        throw file.unknown(name)
      }
    }
    return relation
  }
}

private struct SchemaFileValue {
  let value: JSONValue
  let path: [String]

  private func fault(_ fault: SchemaProblem.FileFault) -> SchemaProblem {
    .file(fault, at: path.joined(separator: "."))
  }

  func unknown(_ name: String) -> SchemaProblem { fault(.unknownMember(name)) }

  func members() throws(SchemaProblem) -> [(name: String, value: SchemaFileValue)] {
    guard let members = value.members else { throw fault(.expected("an object")) }
    var named: [(name: String, value: SchemaFileValue)] = []
    for member in members {
      guard let name = String(validating: member.name, as: UTF8.self) else {
        throw fault(.expected("a member with a name in UTF-8"))
      }
      named.append((name, SchemaFileValue(value: member.value, path: path + [name])))
    }
    return named
  }

  func flag() throws(SchemaProblem) -> Bool {
    guard let flag = value.bool else { throw fault(.expected("true or false")) }
    return flag
  }

  func string() throws(SchemaProblem) -> String {
    guard let string = value.string else { throw fault(.expected("a text")) }
    return string
  }

  func strings() throws(SchemaProblem) -> [String] {
    guard let elements = value.elements else { throw fault(.expected("a list of texts")) }
    var strings: [String] = []
    for element in elements {
      guard let string = element.string else { throw fault(.expected("a list of texts")) }
      strings.append(string)
    }
    return strings
  }

  /// A list, or its only element.
  func stringOrStrings() throws(SchemaProblem) -> [String] {
    if let string = value.string { return [string] }
    guard let strings = try? strings(), !strings.isEmpty else {
      throw fault(.expected("a text or a list of texts"))
    }
    return strings
  }

  func word<Meaning>(
    among known: [(name: String, meaning: Meaning)]
  ) throws(SchemaProblem) -> Meaning {
    let word = try string()
    guard let found = known.first(where: { $0.name == word }) else {
      throw fault(.unknownWord(word, known: known.map(\.name)))
    }
    return found.meaning
  }

  /// As ``word(among:)``, for cases that have the words for their raw values.
  func word<Meaning: RawRepresentable<String>>(
    _: Meaning.Type, _ known: [Meaning]
  ) throws(SchemaProblem) -> Meaning {
    try word(among: known.map { ($0.rawValue, $0) })
  }
}
